import { canary, type Knows, proofOf, withProof } from '../credentials.ts';
import type { Backend } from '../host.ts';
import { findLeaks, printedDuring } from '../leaks.ts';
import { broken, type Promises } from '../result.ts';
import { echoes, junk } from './backends.ts';
import { type RealmOutcome, type RealmTrial, type RealmUnderTest, realmTrial } from './subject.ts';

/** Promises about side effects of a realm. */
export function sidePromises(subject: RealmUnderTest): Promises {
  const { knows = { user: 'alice', password: 'Right-pass-1' } } = subject;
  const stranger = (proof: string): Knows =>
    'kind' in knows ? { ...knows, token: proof } : { user: 'nobody-4711', password: proof };
  return {
    async 'tells no secret to logs, errors, reasons, accounts and addresses'() {
      const wrong = withProof(knows, canary);
      await leakless(subject, subject.backend, [knows, wrong, stranger(canary)]);
      for (const unwell of [...Object.values(echoes), ...Object.values(junk)]) await leakless(subject, unwell, [wrong]);
      await leakless(subject, () => Promise.reject(new TypeError('fetch failed')), [wrong]);
    },

    async 'works as long for an unknown user as for a wrong password'() {
      if ('kind' in knows) return;
      const ofWrong = await workOf(subject, withProof(knows, `${proofOf(knows)}-wrong`));
      const ofUnknown = await workOf(subject, stranger(`${proofOf(knows)}-wrong`));
      for (const what of ['scrypt', 'matches'] as const) {
        if (ofWrong[what] !== ofUnknown[what])
          broken(`${ofWrong[what]} times ${what} for an unknown user, as for a wrong password`, `${ofUnknown[what]}`);
      }
    },
  };
}

async function workOf(subject: RealmUnderTest, who: Knows): Promise<RealmTrial['host']['counts']> {
  const { attempt, host } = await realmTrial(subject);
  const before = { ...host.counts };
  await attempt(who);
  return { scrypt: host.counts.scrypt - before.scrypt, matches: host.counts.matches - before.matches };
}

async function leakless(subject: RealmUnderTest, backend: Backend | undefined, all: readonly Knows[]): Promise<void> {
  for (const who of all) {
    const outcomes: RealmOutcome[] = [];
    let trial: RealmTrial | undefined;
    const printed = await printedDuring(async () => {
      trial = await realmTrial(subject, backend);
      outcomes.push(await trial.attempt(who));
    });
    const [outcome] = outcomes;
    findLeaks([proofOf(who)], {
      'the log': trial?.host.logged,
      'what is printed': printed,
      'an error': outcome?.kind === 'threw' ? outcome.error : undefined,
      'a reason': outcome?.kind === 'refused' ? outcome.reason : undefined,
      'an account': outcome?.kind === 'account' ? outcome.account : undefined,
      'an address that is asked': trial?.host.requests.map(({ url }) => url),
    });
  }
}

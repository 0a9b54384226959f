import { proofOf, withProof, wrongProofs } from '../credentials.ts';
import { broken, type CheckResult, inspect, type Promises } from '../result.ts';
import { backendPromises } from './backend-promises.ts';
import { realmFormPromises } from './form-promises.ts';
import { sidePromises } from './side-promises.ts';
import { strangersOf } from './strangers.ts';
import { keptOut, type RealmUnderTest, realmTrial } from './subject.ts';

/** The contract of a realm. Each promise gets a realm of its own, so the order of them means nothing. */
export function checkRealm(subject: RealmUnderTest): Promise<CheckResult[]> {
  return inspect({
    ...acceptance(subject),
    ...refusals(subject),
    ...realmFormPromises(subject),
    ...backendPromises(subject),
    ...sidePromises(subject),
  });
}

function acceptance(subject: RealmUnderTest): Promises {
  const { knows, backend } = subject;
  return {
    async 'lets in somebody whom it knows'() {
      // Checked first: a realm that refuses everyone would keep all other promises.
      if (!knows) return broken('somebody whom the realm lets in, to tell right from wrong (knows)', 'nobody');
      const { attempt, host } = await realmTrial(subject);
      const outcome = await attempt(knows);
      if (outcome.kind !== 'account') broken('an account for the right credentials', answerText(outcome));
      if (backend && host.requests.length === 0)
        broken('the backend to be asked over host.fetch or host.call', 'it was not asked');
    },
  };
}

/** Without a message: it may be secret, and another promise is about that. */
const answerText = ({ kind, ...more }: { readonly kind: string; readonly reason?: unknown }): string =>
  kind === 'refused' ? `refused as ${String(more.reason)}` : kind;

function refusals(subject: RealmUnderTest): Promises {
  const { knows = { user: 'alice', password: 'Right-pass-1' } } = subject;
  const right = proofOf(knows);
  const wrong = Object.entries(wrongProofs).map(([what, proofs]): [string, () => Promise<void>] => [
    `lets nobody in with ${what}`,
    async () => {
      const { attempt } = await realmTrial(subject);
      for (const proof of proofs(right)) {
        if (proof !== right) keptOut(await attempt(withProof(knows, proof)), what);
      }
    },
  ]);
  return {
    async 'lets no unknown user in'() {
      const { attempt } = await realmTrial(subject);
      for (const stranger of strangersOf(knows)) {
        keptOut(await attempt(stranger), `a name that it does not know (${JSON.stringify(nameOf(stranger))})`);
      }
    },
    ...Object.fromEntries(wrong),
  };
}

const nameOf = (who: object): unknown => ('user' in who ? who.user : 'of a token');

import { canary, credentialsOf, type Knows, proofOf, withProof, wrongProofs } from './credentials.ts';
import type { Backend } from './host.ts';
import { ended } from './host.ts';
import { findLeaks, printedDuring } from './leaks.ts';
import { backendPromises, echoes, junk } from './realm-backends.ts';
import {
  keptOut,
  type RealmOutcome,
  type RealmTrial,
  type RealmUnderTest,
  readOutcome,
  realmTrial,
} from './realm-trial.ts';
import { broken, type CheckResult, errorSentence, inspect, isTexts, type Promises, showValue } from './result.ts';

/**
 * Unknown users with a valid password of another user. Names with a meaning for prototypes, patterns, directories and
 * queries.
 */
function strangersOf(knows: Knows): readonly Knows[] {
  if ('kind' in knows) return ['nobody', '', 'null', '__proto__'].map((token) => ({ ...knows, token }));
  const { user, password } = knows;
  const names = [
    'nobody-4711',
    '',
    ...['constructor', '__proto__', 'toString', 'hasOwnProperty'],
    ...['*', `${user}*`, `*)(uid=${user}`, `${user})(|(uid=*`, "' OR '1'='1' --", '../../admin'],
    ...[`${user}x`, `${user}\0`, `${user}\r\nx`, `${user}:`, 'x'.repeat(10_000)],
  ];
  return names.map((name) => ({ user: name, password }));
}

const reasonId = /^[a-z0-9-]+$/;

const ofEachKind: readonly Knows[] = [
  { user: 'alice', password: canary },
  { kind: 'token', token: canary },
  { kind: 'bearer', token: canary },
];

/** Promises about the form of an answer. */
function realmFormPromises(subject: RealmUnderTest): Promises {
  return {
    async 'answers with an account, not-mine or refused while all is well'() {
      const { attempt } = await realmTrial(subject);
      for (const who of everybody(subject)) checkWord(await attempt(who));
    },

    async 'gives each refusal a reason of lower-case letters, digits and hyphens'() {
      const { attempt } = await realmTrial(subject);
      for (const who of everybody(subject)) {
        const outcome = await attempt(who);
        if (outcome.kind !== 'refused') continue;
        const { reason } = outcome;
        if (typeof reason !== 'string' || !reasonId.test(reason))
          broken('a reason such as wrong-password', showValue(reason));
      }
    },

    async 'is not bothered by credentials that it does not support'() {
      const { realm, host } = await realmTrial(subject);
      for (const who of ofEachKind) {
        const credentials = credentialsOf(who);
        const supports: unknown = realm.supports(credentials);
        if (typeof supports !== 'boolean')
          broken(`true or false from supports (${credentials.kind})`, showValue(supports));
        if (supports) continue;
        const login = { users: { verifyPassword: nobody, verifyToken: noToken }, signal: new AbortController().signal };
        const outcomePromise = Promise.resolve().then(() => realm.authenticate(credentials, login));
        const outcome = await ended(outcomePromise.then(readOutcome, threw), host);
        if (outcome.kind === 'not-mine' || outcome.kind === 'refused') continue;
        broken(`not-mine or refused for ${credentials.kind} credentials, which it does not support`, outcome.kind);
      }
    },

    async 'describes an account in texts'() {
      const { attempt } = await realmTrial(subject);
      const outcome = subject.knows && (await attempt(subject.knows));
      if (outcome?.kind === 'account') checkAccount(outcome.account);
    },
  };
}

const nobody = () => ({ verified: false, reason: 'unknown-user' }) as const;
const noToken = () => ({ verified: false, reason: 'unknown-token' }) as const;
const threw = (error: unknown): RealmOutcome => ({ kind: 'threw', error });

function everybody({ knows = { user: 'alice', password: 'Right-pass-1' } }: RealmUnderTest): readonly Knows[] {
  const right = proofOf(knows);
  const wrong = Object.values(wrongProofs).flatMap((proofs) => proofs(right));
  return [knows, ...strangersOf(knows), ...wrong.map((proof) => withProof(knows, proof))];
}

function checkWord(outcome: RealmOutcome): void {
  if (outcome.kind === 'junk') broken('an account with a name, not-mine or refused', showValue(outcome.answer));
  if (outcome.kind === 'threw')
    broken('an answer, because nothing is out of order', `it threw ${errorSentence(outcome.error)}`);
}

function checkAccount({
  name,
  attributes = {},
  roles = [],
  permissions = [],
}: Extract<RealmOutcome, { kind: 'account' }>['account']): void {
  if (/[\0-\x1f\x7f]/.test(name)) broken('a name without control characters', showValue(name));
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value !== 'string' && !isTexts(value))
      broken(`a text or a list of texts as attribute "${key}"`, typeof value);
  }
  if (!isTexts(roles)) broken('a list of texts as roles', showValue(roles));
  if (!isTexts(permissions)) broken('a list of texts as permissions', showValue(permissions));
}

/** Promises about side effects of a realm. */
function sidePromises(subject: RealmUnderTest): Promises {
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

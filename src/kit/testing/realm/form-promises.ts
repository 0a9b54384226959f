import { canary, credentialsOf, type Knows, proofOf, withProof, wrongProofs } from '../credentials.ts';
import { ended } from '../patience.ts';
import { broken, errorSentence, type Promises, showValue } from '../result.ts';
import { strangersOf } from './strangers.ts';
import { type RealmOutcome, type RealmUnderTest, readOutcome, realmTrial } from './subject.ts';

const reasonId = /^[a-z0-9-]+$/;

const ofEachKind: readonly Knows[] = [
  { user: 'alice', password: canary },
  { kind: 'token', token: canary },
  { kind: 'bearer', token: canary },
];

/** Promises about the form of an answer. */
export function realmFormPromises(subject: RealmUnderTest): Promises {
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

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === 'string');

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

import { badValue } from '../../core/documents/error.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { type Random, textOfBytes } from '../../core/lib/random.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import { identityEvent, type UserAspect } from '../events.ts';
import { noSuchUser } from '../users/rules.ts';
import {
  codeThere,
  deleteCode,
  deleteCodesOf,
  deleteFactor,
  deleteFactorsOf,
  type FactorRow,
  factorThere,
  fewerFactors,
  insertChallenge,
  insertCode,
  insertFactor,
  isNewCount,
  renameFactor,
  sweepChallenges,
  useFactor,
} from './store.ts';
import { toBase32 } from './totp.ts';

/** Enough for every device of a person. */
export const maxFactors = 20;
const maxNameLength = 100;
const codes = 10;
/** 80 bits: nobody guesses one, so nobody has to count the guesses. */
const codeBytes = 10;

interface Holder {
  readonly id: string;
  readonly name: string;
}

const modified = ({ name }: Holder, aspect: UserAspect) =>
  identityEvent('user/modify', name, { user: name, changed: [aspect] });

export const noSuchFactor = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'SecondFactor', id: id.slice(0, 80) });

/** Refusal of each wrong answer alike: a guess learns nothing. */
export const wrongAnswer = (): ServiceError =>
  new ServiceError('credentials-wrong', { context: 'body', explanation: 'Expected an answer of a second factor' });

export function checkName(name: string): string {
  if (name.length <= maxNameLength && !/[\0-\x1f\x7f]/.test(name)) return name;
  throw badValue('name', `at most ${maxNameLength} characters, and no control characters`, name);
}

/** `max`: how many factors the user may have before. 1: a first one, as a login without a second factor may add. */
export function addFactor(user: Holder, factor: FactorRow, max: number): CommitPlan {
  const explanation =
    max === 1
      ? 'Expected a user without a second factor: log in with the one that there is'
      : `Expected at most ${maxFactors} second factors of a user`;
  const full = new ServiceError('not-allowed', { id: user.name, explanation });
  const taken = new ServiceError('already-exists', { type: 'SecondFactor', id: factor.id });
  return {
    changes: [
      fewerFactors({ userId: user.id, max }, full),
      insertFactor(factor, factor.credential === null ? noSuchUser(user.name) : taken),
    ],
    events: [modified(user, 'secondFactor')],
  };
}

/** New recovery codes in the place of the old ones, in the form that a person writes down. */
export function replaceCodes(user: Holder, random: Random, fingerprint: (text: string) => string) {
  const texts = Array.from({ length: codes }, () => toBase32(random.bytes(codeBytes)));
  const changes = [
    deleteCodesOf({ userId: user.id }),
    ...texts.map((text) => insertCode({ digest: fingerprint(text), userId: user.id }, noSuchUser(user.name))),
  ];
  const code = texts.map((text) => text.replace(/.{4}(?=.)/g, '$&-'));
  return { code, work: { changes, events: [modified(user, 'recoveryCode')] } satisfies CommitPlan };
}

export const changeFactorName = (user: Holder, id: string, name: string): CommitPlan => ({
  changes: [factorThere({ id }, noSuchFactor(id)), renameFactor({ id, name: checkName(name) })],
  events: [modified(user, 'secondFactor')],
});

export const removeFactor = (user: Holder, id: string): CommitPlan => ({
  changes: [factorThere({ id }, noSuchFactor(id)), deleteFactor({ id })],
  events: [modified(user, 'secondFactor')],
});

export const removeFactors = (user: Holder): CommitPlan => ({
  changes: [deleteFactorsOf({ userId: user.id }), deleteCodesOf({ userId: user.id })],
  events: [modified(user, 'secondFactor')],
});

/** A code or a signature counts once, whichever instance gets it. */
export const countUse = (id: string, counter: number, now: number): readonly Statement[] => [
  isNewCount({ id, counter }, wrongAnswer()),
  useFactor({ id, counter, usedAt: now }),
];

export const useChallenge = (digest: string, expires: number, now: number): readonly Statement[] => [
  sweepChallenges({ now }),
  insertChallenge({ digest, expires }, wrongAnswer()),
];

export const useCode = (userId: string, digest: string): readonly Statement[] => [
  codeThere({ userId, digest }, wrongAnswer()),
  deleteCode({ userId, digest }),
];

export const recovered = (user: Holder) => modified(user, 'recoveryCode');

export const newFactorId = (random: Random): string => textOfBytes(random.bytes(12));

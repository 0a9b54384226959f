import { ServiceError } from '../../core/lib/errors.ts';
import { VaultError } from '../../core/lib/vault.ts';
import type { Statement } from '../../core/store/contract.ts';
import type { Addressed } from '../../http/address.ts';
import { type FailureKeeper, failureKeeper } from '../passwords/store.ts';
import type { LoginRow } from '../users/store.ts';
import { answerTime, type ChallengeUse } from './challenges.ts';
import type { LoginAnswerBody } from './documents.ts';
import { type FactorKeys, type FactorParts, pageOf } from './parts.ts';
import { countUse, maxFactors, recovered, useChallenge, useCode, wrongAnswer } from './rules.ts';
import { type FactorRow, factorsOf } from './store.ts';
import { stepOfCode } from './totp.ts';
import { AnswerRefused, type AuthenticatorAnswer, checkAssertion } from './webauthn.ts';

/** Wrong codes of a user until further ones wait, and the longest pause: a million codes need more than a lifetime. */
const freeCodes = 5;
const maxPause = 15 * 60_000;

/** Parts that the commit of a login has to contain, because of the answer that it was made with. */
interface Accepted {
  readonly used: readonly Statement[];
  readonly events: readonly ReturnType<typeof recovered>[];
  /** Called when the login is stored. */
  done(): Promise<void>;
}

const nothingMore = async (): Promise<void> => undefined;

type Answering = Pick<LoginAnswerBody, 'code' | 'recoveryCode' | 'passkey'>;

/** Judges the answers of second factors. Each counts once, whichever instance gets it. */
export class FactorAnswers {
  readonly #parts: FactorParts;
  readonly #keys: () => FactorKeys;
  readonly #failures: FailureKeeper;

  constructor(parts: FactorParts, keys: () => FactorKeys) {
    this.#parts = parts;
    this.#keys = keys;
    this.#failures = failureKeeper(parts.store);
  }

  async judge(call: Addressed, user: LoginRow, { code, recoveryCode, passkey }: Answering): Promise<Accepted> {
    if (code !== undefined) return this.#code(user, code);
    if (recoveryCode !== undefined) return this.#recovery(user, recoveryCode);
    const factors = await factorsOf(this.#parts.store, { userId: user.id, limit: maxFactors });
    const row = factors.find(({ credential }) => credential !== null && credential === passkey?.id);
    if (!passkey || !row) throw wrongAnswer();
    return this.passkey(call, row, passkey, 'second');
  }

  /** A passkey as the second factor of its user, or as the whole login. */
  async passkey(call: Addressed, row: FactorRow, answer: AuthenticatorAnswer, use: ChallengeUse): Promise<Accepted> {
    const { clock, log, fingerprint } = this.#parts;
    const { origin, host } = pageOf(call);
    const { challenges } = this.#keys();
    const owned = { ...row, algorithm: row.algorithm ?? 0, verifies: use === 'login' };
    const whom = use === 'login' ? '' : row.userId;
    let used = '';
    const isChallenge = async (text: string) => {
      used = fingerprint(text);
      return challenges.verify(text, use, whom);
    };
    try {
      if (host !== row.host) throw new AnswerRefused('host');
      const counter = await checkAssertion(answer, owned, { origin, host, isChallenge });
      const now = clock.now();
      return {
        used: [...useChallenge(used, now + answerTime, now), ...countUse(row.id, counter, now)],
        events: [],
        done: nothingMore,
      };
    } catch (error) {
      if (!(error instanceof AnswerRefused)) throw error;
      log.write('warn', 'passkey-refused', { reason: error.message, factor: row.id });
      throw wrongAnswer();
    }
  }

  /** Counts the attempt before it looks at the code, so that parallel ones find the pause that they make. */
  async #code(user: LoginRow, text: string): Promise<Accepted> {
    const { store, clock, log } = this.#parts;
    const now = clock.now();
    const key = this.#parts.fingerprint(`codes of ${user.id}`);
    const paces = [[key, freeCodes, maxPause]] as const;
    if ((await this.#failures.count({ paces, held: [key], now, memory: maxPause })).length === 0) {
      const until = (await this.#failures.read([key], now))[0]?.until ?? now;
      log.write('warn', 'codes-slowed', { user: user.name });
      const explanation = 'Too many wrong codes came for this user: try again later';
      const seconds = String(Math.max(1, Math.ceil((until - now) / 1000)));
      throw new ServiceError('too-many-attempts', { explanation }, { 'retry-after': seconds });
    }
    const code = text.replace(/\s/g, '');
    for (const row of await factorsOf(store, { userId: user.id, limit: maxFactors })) {
      if (row.kind !== 'TOTP') continue;
      const secret = await this.#keys().vault.open(row.key, purposeOf(user.id)).catch(keyIsAnother);
      const step = await stepOfCode(secret, code, now, row.counter);
      if (step === undefined) continue;
      return { used: countUse(row.id, step, now), events: [], done: () => this.#failures.forget(key) };
    }
    throw wrongAnswer();
  }

  async #recovery(user: LoginRow, text: string): Promise<Accepted> {
    const digest = this.#parts.fingerprint(text.replace(/[\s-]/g, '').toUpperCase());
    return { used: useCode(user.id, digest), events: [recovered(user)], done: nothingMore };
  }
}

/** A database that was restored without its key. */
function keyIsAnother(error: unknown): never {
  if (!(error instanceof VaultError)) throw error;
  const explanation = `${error.message}. Use a passkey or a recovery code, or ask an administrator: to bring the key back, or to remove the app`;
  throw new ServiceError('not-allowed', { context: 'setting secretKey', explanation });
}

/** Purpose under which the vault seals the secret of codes. */
export const purposeOf = (userId: string): string => `second-factor/${userId}`;

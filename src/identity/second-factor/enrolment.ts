import { badValue } from '../../core/documents/error.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { VaultError } from '../../core/lib/vault.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import type { Addressed } from '../../http/address.ts';
import { purposeOf } from './answers.ts';
import { answerTime } from './challenges.ts';
import type { FactorKind, NewSecondFactor, SecondFactorOffer } from './documents.ts';
import { type FactorKeys, type FactorParts, pageOf } from './parts.ts';
import { addFactor, checkName, maxFactors, newFactorId, replaceCodes, useChallenge, wrongAnswer } from './rules.ts';
import { countCodes, type FactorRow, factorsOf } from './store.ts';
import { addressOfApp, newSecret, shownSecret, stepOfCode } from './totp.ts';
import { AnswerRefused, algorithmNumbers, readNewPasskey } from './webauthn.ts';

interface Holder {
  readonly id: string;
  readonly name: string;
}

interface Enrolled {
  readonly work: CommitPlan;
  readonly id: string;
  /** Recovery codes, with the first factor. */
  readonly code: readonly string[];
}

type Own = Pick<FactorRow, 'kind' | 'key' | 'counter' | 'algorithm' | 'credential' | 'host'>;

/** How a user gets a second factor: an offer, and the answer of the app or the authenticator. */
export class Enrolment {
  readonly #parts: FactorParts;
  readonly #keys: () => FactorKeys;

  constructor(parts: FactorParts, keys: () => FactorKeys) {
    this.#parts = parts;
    this.#keys = keys;
  }

  async offer(call: Addressed, user: Holder, kind: FactorKind): Promise<SecondFactorOffer> {
    this.#checkWanted();
    const { vault, challenges } = this.#keys();
    const { store, random, clock } = this.#parts;
    const { host } = pageOf(call);
    if (kind === 'TOTP') {
      const secret = newSecret(random);
      const expires = clock.now() + answerTime;
      const sealed = await vault.seal(JSON.stringify({ secret, expires }), offerOf(user));
      return { sealed, secret: shownSecret(secret), uri: addressOfApp(secret, user.name, host) };
    }
    const factors = await factorsOf(store, { userId: user.id, limit: maxFactors });
    return {
      challenge: await challenges.make('enrol', user.id),
      host,
      userId: user.id,
      userName: user.name,
      algorithm: algorithmNumbers,
      credential: factors.flatMap(({ credential }) => credential ?? []),
    };
  }

  /** `isFirst`: only if the user has none, because the login had no second factor. */
  async accept(call: Addressed, user: Holder, answer: NewSecondFactor, isFirst: boolean): Promise<Enrolled> {
    this.#checkWanted();
    const { store, random, clock, fingerprint } = this.#parts;
    const now = clock.now();
    const { passkey } = answer;
    const { own, used } = passkey ? await this.#passkey(call, user, passkey, now) : await this.#app(user, answer, now);
    const id = newFactorId(random);
    const name = checkName(answer.name?.trim() || (own.kind === 'TOTP' ? 'App' : 'Passkey'));
    const adding = addFactor(
      user,
      { ...own, id, userId: user.id, name, createdAt: now, usedAt: null },
      isFirst ? 1 : maxFactors,
    );
    const left = (await countCodes(store, { userId: user.id }))?.count ?? 0;
    const { code, work } =
      left > 0 ? { code: [], work: { changes: [], events: [] } } : replaceCodes(user, random, fingerprint);
    return {
      id,
      code,
      work: { changes: [...used, ...adding.changes, ...work.changes], events: [...adding.events, ...work.events] },
    };
  }

  async #app(user: Holder, { sealed, code }: NewSecondFactor, now: number) {
    if (sealed === undefined || code === undefined)
      throw badValue('body', 'a passkey, or the sealed secret with a code of the app');
    const { vault } = this.#keys();
    const { secret, expires } = await this.#opened(user, sealed);
    const step = expires > now ? await stepOfCode(secret, code.replace(/\s/g, ''), now, 0) : undefined;
    if (step === undefined) throw wrongAnswer();
    const key = await vault.seal(secret, purposeOf(user.id));
    const own: Own = { kind: 'TOTP', key, counter: step, algorithm: null, credential: null, host: null };
    return { own, used: [] };
  }

  async #opened(user: Holder, sealed: string): Promise<{ readonly secret: string; readonly expires: number }> {
    try {
      return JSON.parse(await this.#keys().vault.open(sealed, offerOf(user)));
    } catch (error) {
      if (error instanceof VaultError) throw wrongAnswer();
      throw error;
    }
  }

  async #passkey(call: Addressed, user: Holder, answer: NonNullable<NewSecondFactor['passkey']>, now: number) {
    const { origin, host } = pageOf(call);
    let challenge = '';
    const isChallenge = (text: string) => {
      challenge = this.#parts.fingerprint(text);
      return this.#keys().challenges.verify(text, 'enrol', user.id);
    };
    try {
      const own: Own = { kind: 'PASSKEY', host, ...(await readNewPasskey(answer, { origin, host, isChallenge })) };
      return { own, used: useChallenge(challenge, now + answerTime, now) };
    } catch (error) {
      if (!(error instanceof AnswerRefused)) throw error;
      this.#parts.log.write('warn', 'passkey-refused', { reason: error.message, user: user.name });
      throw wrongAnswer();
    }
  }

  #checkWanted(): void {
    if (this.#parts.settings.secondFactor !== 'off') return;
    const explanation = 'Expected second factors to be in use: the setting secondFactor is off';
    throw new ServiceError('not-allowed', { context: 'setting secondFactor', explanation });
  }
}

/** Purpose under which the vault seals the secret of an offer. */
const offerOf = ({ id }: Holder): string => `second-factor-offer/${id}`;

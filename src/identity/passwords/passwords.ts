import { Recent } from '../../core/lib/cache.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import type { Line } from '../../core/lib/fair-queue.ts';
import { Gate, GateFull, type InLine, type Pausable } from '../../core/lib/gate.ts';
import type { Maybe } from '../../core/lib/maybe.ts';
import type { Metrics } from '../../core/lib/metrics.ts';
import type { Random } from '../../core/lib/random.ts';
import type { SecretText } from '../../spi/index.ts';
import { hashOfNobody, hashPassword, matchesHash, type Scrypt, unmatchedHash } from './hash.ts';

/** Stored password of a user. The version changes with the password. */
interface StoredPassword {
  readonly id: string;
  readonly password: string | null;
  readonly passwordVersion: number;
}

interface Parts {
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly scrypt: Scrypt;
  /** False on an edge, where one request must not wait for what another one does. */
  readonly sharesWork: boolean;
  /** A fast digest under a key of this process: what is remembered cannot be read out of a dump, nor recomputed. */
  digest(text: string): string;
  readonly settings: {
    readonly passwordConcurrency: number;
    readonly passwordQueue: number;
    readonly passwordWait: number;
    readonly maxPasswordLength: number;
    readonly rememberPasswordSeconds: number;
    readonly rememberPasswordEntries: number;
  };
}

/** Origin of a password check. Used only if the check has to wait. */
export interface Asker extends InLine {
  readonly line: Line;
  /** Whether the account logged in from the network recently. */
  isFamiliar(): boolean;
  /** Revision of the realms' configuration. Undefined: refusals are not cached. */
  readonly configuration?: number | undefined;
  /** Called with the cache key of a refused password, in case another realm accepts the login. */
  refused?(key: string): void;
}

const unknownAsker: Asker = { line: ['first'], isFamiliar: () => false };

/** Computation shared by several requests. Their time limits are paused until it starts. */
class Shared implements InLine {
  readonly #asker: Asker;
  readonly #paused: Pausable[] = [];
  readonly patience: Pausable;
  #waits = false;
  result!: Promise<boolean>;

  constructor(asker: Asker) {
    this.#asker = asker;
    this.patience = {
      pause: () => {
        this.#waits = true;
        this.join(asker);
      },
      resume: () => {
        this.#waits = false;
        for (const each of this.#paused.splice(0)) each.resume();
      },
    };
  }

  get line(): readonly string[] {
    return this.#asker.line;
  }

  join({ patience }: Asker): void {
    if (!this.#waits || !patience) return;
    patience.pause();
    this.#paused.push(patience);
  }
}

/**
 * Hashing is slow on purpose; requests must be fast. So a verified password is remembered for a short time,
 * bound to the version of the stored one, and hashing takes turns.
 */
export class Passwords {
  readonly #parts: Parts;
  readonly #gate: Gate;
  readonly #remembered: Recent<string, true>;
  /** Passwords that did not match, of logins that another realm accepted. */
  readonly #refused: Recent<string, true>;
  readonly #underway = new Map<string, Shared>();
  readonly #checks;

  constructor(parts: Parts) {
    this.#parts = parts;
    const width = parts.sharesWork ? parts.settings.passwordConcurrency : Number.POSITIVE_INFINITY;
    const { passwordQueue: depth, passwordWait } = parts.settings;
    this.#gate = new Gate({ width, depth, maxWait: passwordWait * 1000 }, parts.clock);
    this.#remembered = new Recent(parts.settings.rememberPasswordEntries);
    this.#refused = new Recent(parts.settings.rememberPasswordEntries);
    this.#checks = parts.metrics.counter('portico_password_checks_total', 'Password checks, by outcome', 'outcome');
    parts.metrics.gauge('portico_password_queue', 'Password checks waiting', () => this.#gate.waiting);
  }

  /** Slow work of a component, in a line of its own. It waits no longer than that many milliseconds. */
  inTurn<T>(component: string, task: () => Promise<T>, maxWait: number): Promise<T> {
    return this.#slow(task, { line: ['component', component], maxWait });
  }

  hash(password: string): Promise<string> {
    return this.#slow(() => hashPassword(password, this.#parts.scrypt, this.#parts.random), { line: ['set'] });
  }

  /** For passwords of what is no user. */
  matches(stored: string, password: SecretText): Maybe<boolean> {
    return this.verify('', { id: stored, password: stored, passwordVersion: 0 }, password);
  }

  /** In place of a password that is to be void. */
  unmatched(): ReturnType<typeof unmatchedHash> {
    return unmatchedHash(this.#parts.random);
  }

  /**
   * Whether this is the password of the user who was asked for by that name. Without a user, or a password to compare
   * with, it takes as long and is false. This holds in a burst too, because such checks are shared like any other.
   */
  verify(
    name: string,
    user: StoredPassword | undefined,
    secret: SecretText,
    asker: Asker = unknownAsker,
  ): Maybe<boolean> {
    const whose = user?.password ? `${user.id}:${user.passwordVersion}` : `nobody:${name}`;
    const key = this.#parts.digest(`${whose}:${secret.reveal()}`);
    const now = this.#parts.clock.now();
    const matches = this.#remembered.get(key, now) !== undefined;
    const remembered = matches || this.#refused.get(`${asker.configuration}:${key}`, now) !== undefined;
    // While all places are taken, a stranger must not tell a remembered password from those that wait or get 503.
    const shortcut = remembered && (!this.#gate.taken || asker.isFamiliar());
    if (!shortcut) return this.#compare(key, user, secret, asker);
    this.#checks('remembered').add();
    if (!matches) asker.refused?.(key);
    return matches;
  }

  /**
   * A login in which this password did not match is over. When another realm accepted it, the next login with the same
   * password does not hash it again: until the time is up, the stored password changes, or the realms do.
   */
  settle(key: string, configuration: number, accepted: boolean): void {
    const { clock, settings } = this.#parts;
    const place = `${configuration}:${key}`;
    if (!accepted) this.#refused.delete(place);
    else if (this.#refused.get(place, clock.now()) === undefined)
      this.#refused.set(place, true, clock.now() + settings.rememberPasswordSeconds * 1000);
  }

  async #compare(key: string, user: StoredPassword | undefined, secret: SecretText, asker: Asker): Promise<boolean> {
    const { clock, settings, scrypt } = this.#parts;
    const stored = user?.password ?? hashOfNobody;
    // HMAC pads its key with NULs, so scrypt takes a password and the same with a NUL behind it for one.
    const unfit = secret.reveal().length > settings.maxPasswordLength || secret.reveal().includes('\0');
    const matches = await this.#shared(key, asker, () => matchesHash(unfit ? '' : secret.reveal(), stored, scrypt));
    const verified = matches && stored !== hashOfNobody && !unfit;
    this.#checks(verified ? 'verified' : 'refused').add();
    if (verified) this.#remembered.set(key, true, clock.now() + settings.rememberPasswordSeconds * 1000);
    else asker.refused?.(key);
    return verified;
  }

  /** A burst of requests with the same password costs one hash. */
  #shared(key: string, asker: Asker, check: () => Promise<boolean>): Promise<boolean> {
    if (!this.#parts.sharesWork) return this.#slow(check, asker);
    const running = this.#underway.get(key);
    if (running) {
      running.join(asker);
      return running.result;
    }
    const shared = new Shared(asker);
    this.#underway.set(key, shared);
    shared.result = this.#slow(check, shared).finally(() => this.#underway.delete(key));
    return shared.result;
  }

  async #slow<T>(task: () => Promise<T>, wait: InLine): Promise<T> {
    try {
      return await this.#gate.run(task, wait);
    } catch (error) {
      if (!(error instanceof GateFull)) throw error;
      const detail = { explanation: 'Too many passwords are being checked: try again shortly' };
      throw new ServiceError('busy', detail, { 'retry-after': '1' });
    }
  }
}

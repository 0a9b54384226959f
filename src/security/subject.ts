import type { Pausable } from '../lib/gate.ts';
import { after, type Maybe } from '../lib/maybe.ts';
import type { Account, Credentials, KnownCaller, LoginAnswer, ServiceUsers, UserWriter } from '../spi/index.ts';
import type { KeptCaller } from './kept-caller.ts';

/** Implies every other role. */
export const administrator = '_administrator';

/** A user as the database has it now: read on each request, so that a disabled one is out at once. */
export interface UserState {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  /** Whether an administrator lets this account act for others, beside the role that it needs for that. */
  readonly mayRunAs: boolean;
  /** Changes with the password. */
  readonly passwordVersion: number;
}

/** What a request came in with, where it was one of the service's own credentials. */
export interface Proof {
  readonly kind: 'password' | 'key' | 'token';
  /** The access key that was used, or with which the token was asked for. */
  readonly key?: string | undefined;
  /** Who acts for the user by it: the token was asked for on the user's behalf. */
  readonly actor?: Subject | undefined;
}

/** The users of one request: what is read once is not read again within it. */
export interface RequestUsers extends ServiceUsers {
  find(name: string): Maybe<UserState | undefined>;
  rolesOf(user: UserState): Maybe<ReadonlySet<string>>;
  /** What was verified last; undefined when a realm of somebody else's let the caller in. */
  readonly proof: Proof | undefined;
  /** The time limit of the realm that is asked now: it does not run while a password waits for its turn. */
  patience?: Pausable | undefined;
  /**
   * Makes the attempt, unless too many like it went wrong: then it is refused before anybody is asked. What it costs is
   * remembered for the realms of one configuration.
   */
  attempt(credentials: Credentials, configuration: number, make: () => Maybe<LoginAnswer>): Maybe<LoginAnswer>;
  /** The caller of a request that was kept for later, or why they may no longer come in. */
  resume(kept: KeptCaller): Promise<Subject | { readonly ended: string }>;
  /** For listeners. What it writes is read afresh. */
  readonly writer: UserWriter;
}

/** What the pipeline needs to know about users; the identity room has it. */
export interface Directory {
  /** For a request that came from there. The address is read when somebody needs it: some runtimes make it slow. */
  open(from: { readonly address?: string | undefined }): RequestUsers;
}

const none: ReadonlySet<string> = new Set();

/** Who makes a request: an account that a realm accepted, and the service user of that name if there is one. */
export class Subject implements KnownCaller {
  /** Whose rights count. */
  readonly name: string;
  /** Who acts for them, if somebody else does. */
  readonly actor: Subject | undefined;
  readonly #user: UserState | undefined;
  readonly #account: Account;
  readonly #users: RequestUsers;
  #roles: Maybe<ReadonlySet<string>> | undefined;

  constructor(account: Account, user: UserState | undefined, users: RequestUsers, actor?: Subject) {
    this.actor = actor;
    this.name = user?.name ?? account.name;
    this.#user = user;
    this.#account = account;
    this.#users = users;
  }

  /** The roles that its groups lead to. Not read unless somebody asks. */
  roles(): Maybe<ReadonlySet<string>> {
    this.#roles ??= this.#user ? this.#users.rolesOf(this.#user) : none;
    return this.#roles;
  }

  /** What the API asks: the roles of the service, of which the administrator's implies all. */
  has(role: string): Maybe<boolean> {
    return after(this.roles(), (roles) => roles.has(role) || roles.has(administrator));
  }

  /** What the filter `roles` asks: also those that a realm grants, and none implied. */
  async hasRole(role: string): Promise<boolean> {
    return (this.#account.roles?.includes(role) ?? false) || (await this.roles()).has(role);
  }

  /** The service user behind it. Undefined: a realm vouches for a name that the service does not know. */
  get user(): UserState | undefined {
    return this.#user;
  }

  get proof(): Proof | undefined {
    return this.#users.proof;
  }

  get permissions(): readonly string[] {
    return this.#account.permissions ?? [];
  }
}

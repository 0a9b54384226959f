import type { Maybe } from '../lib/maybe.ts';
import type { Account, KnownCaller, ServiceUsers, UserWriter } from '../spi/index.ts';

/** Implies every other role. */
export const administrator = '_administrator';

/** A user as the database has it now: read on each request, so that a disabled one is out at once. */
export interface UserState {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
}

/** The users of one request: what is read once is not read again within it. */
export interface RequestUsers extends ServiceUsers {
  find(name: string): Maybe<UserState | undefined>;
  rolesOf(user: UserState): Promise<ReadonlySet<string>>;
  /** For listeners. What it writes is read afresh. */
  readonly writer: UserWriter;
}

/** What the pipeline needs to know about users; the identity room has it. */
export interface Directory {
  open(): RequestUsers;
}

const none: ReadonlySet<string> = new Set();

/** Who makes a request: an account that a realm accepted, and the service user of that name if there is one. */
export class Subject implements KnownCaller {
  readonly name: string;
  readonly #user: UserState | undefined;
  readonly #account: Account;
  readonly #users: RequestUsers;
  #roles: Promise<ReadonlySet<string>> | undefined;

  constructor(account: Account, user: UserState | undefined, users: RequestUsers) {
    this.name = user?.name ?? account.name;
    this.#user = user;
    this.#account = account;
    this.#users = users;
  }

  /** The roles that its groups lead to. Not read unless somebody asks. */
  roles(): Promise<ReadonlySet<string>> {
    this.#roles ??= this.#user ? this.#users.rolesOf(this.#user) : Promise.resolve(none);
    return this.#roles;
  }

  /** What the API asks: the roles of the service, of which the administrator's implies all. */
  async has(role: string): Promise<boolean> {
    const roles = await this.roles();
    return roles.has(role) || roles.has(administrator);
  }

  /** What the filter `roles` asks: also those that a realm grants, and none implied. */
  async hasRole(role: string): Promise<boolean> {
    return (this.#account.roles?.includes(role) ?? false) || (await this.roles()).has(role);
  }

  get permissions(): readonly string[] {
    return this.#account.permissions ?? [];
  }
}

import type { ServiceUsers } from '../spi/index.ts';

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
  find(name: string): Promise<UserState | undefined>;
  rolesOf(user: UserState): Promise<ReadonlySet<string>>;
}

/** What the pipeline needs to know about users; the identity room has it. */
export interface Directory {
  open(): RequestUsers;
}

/** Who makes a request. */
export class Subject {
  readonly name: string;
  readonly userId: string;
  readonly #user: UserState;
  readonly #users: RequestUsers;
  #roles: Promise<ReadonlySet<string>> | undefined;

  constructor(user: UserState, users: RequestUsers) {
    this.name = user.name;
    this.userId = user.id;
    this.#user = user;
    this.#users = users;
  }

  /** The roles that its groups lead to. Not read unless somebody asks. */
  roles(): Promise<ReadonlySet<string>> {
    this.#roles ??= this.#users.rolesOf(this.#user);
    return this.#roles;
  }

  async has(role: string): Promise<boolean> {
    const roles = await this.roles();
    return roles.has(role) || roles.has(administrator);
  }
}

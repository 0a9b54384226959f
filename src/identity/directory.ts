import { after, type Maybe } from '../lib/maybe.ts';
import { Recent } from '../lib/recent.ts';
import type { Directory, RequestUsers, UserState } from '../security/subject.ts';
import type { PasswordAnswer, SecretText, UserWriter } from '../spi/index.ts';
import type { Store } from '../store/store.ts';
import { effectiveRoles } from './groups/store.ts';
import type { Passwords } from './passwords/passwords.ts';
import type { Provision } from './users/provision.ts';
import { findLogin } from './users/store.ts';

type Login = NonNullable<Awaited<ReturnType<typeof findLogin>>>;

interface KnownRoles {
  readonly version: number;
  readonly graph: number;
  readonly roles: ReadonlySet<string>;
}

/** Users whose effective roles are remembered, until their memberships or the graph of groups changes. */
const remembered = 10_000;

/** The service's own users, as the security pipeline sees them. */
export function createDirectory(store: Store, passwords: Passwords, provision: Provision): Directory {
  const known = new Recent<string, KnownRoles>(remembered);
  return { open: () => new UsersOfRequest(store, passwords, known, provision) };
}

class UsersOfRequest implements RequestUsers {
  readonly #store: Store;
  readonly #passwords: Passwords;
  readonly #known: Recent<string, KnownRoles>;
  readonly #provision: Provision;
  /** The one user that a request is about, under the name that was asked for and under its own. */
  #last: { readonly asked: string; readonly login: Login | undefined } | undefined;

  constructor(store: Store, passwords: Passwords, known: Recent<string, KnownRoles>, provision: Provision) {
    this.#store = store;
    this.#passwords = passwords;
    this.#known = known;
    this.#provision = provision;
  }

  find(name: string): Maybe<UserState | undefined> {
    return after(
      this.#login(name),
      (login) => login && { id: login.id, name: login.name, enabled: login.enabled === 1 },
    );
  }

  verifyPassword(name: string, password: SecretText): Maybe<PasswordAnswer> {
    return after(this.#login(name), (login) =>
      after(this.#passwords.verify(name, login, password), (matches) => answerFor(login, matches)),
    );
  }

  async rolesOf(user: UserState): Promise<ReadonlySet<string>> {
    const login = await this.#login(user.name);
    if (!login) return new Set();
    const { id, version, graph } = login;
    const known = this.#known.get(id, 0);
    if (known && known.version === version && known.graph === graph) return known.roles;
    const roles = await effectiveRoles(this.#store, id);
    this.#known.set(id, { version, graph, roles }, Number.POSITIVE_INFINITY);
    return roles;
  }

  get writer(): UserWriter {
    return {
      createOrUpdate: async (info, options) => {
        this.#last = undefined;
        return this.#provision(info, options);
      },
    };
  }

  #login(name: string): Maybe<Login | undefined> {
    const last = this.#last;
    if (last && (last.asked === name || last.login?.name === name)) return last.login;
    // The database would refuse such a text with an error of its own, and nobody has such a name.
    const found = name.includes('\0') ? undefined : findLogin(this.#store, { name });
    return after(found, (login) => {
      this.#last = { asked: name, login };
      return login;
    });
  }
}

function answerFor(login: Login | undefined, matches: boolean): PasswordAnswer {
  if (!login) return { verified: false, reason: 'unknown-user' };
  if (!matches) return { verified: false, reason: 'wrong-password' };
  // Only after the password: whoever does not know it does not learn that the account is disabled.
  if (login.enabled !== 1) return { verified: false, reason: 'user-disabled' };
  return { verified: true, name: login.name };
}

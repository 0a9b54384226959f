import { after, type Maybe } from '../lib/maybe.ts';
import { Recent } from '../lib/recent.ts';
import type { Directory, Proof, RequestUsers, UserState } from '../security/subject.ts';
import type { Credentials, PasswordAnswer, SecretText, TokenAnswer, UserWriter } from '../spi/index.ts';
import type { Store } from '../store/store.ts';
import { isKeyId } from './access-keys/key-id.ts';
import { findKeyLogin } from './access-keys/store.ts';
import { effectiveRoles } from './groups/store.ts';
import type { Passwords } from './passwords/passwords.ts';
import type { Throttle } from './passwords/throttle.ts';
import { judgeToken } from './tokens/rules.ts';
import { findTokenLogin, type TokenLogin } from './tokens/store.ts';
import type { Provision } from './users/provision.ts';
import { findLogin, type Login } from './users/store.ts';

interface KnownRoles {
  readonly version: number;
  readonly graph: number;
  readonly roles: ReadonlySet<string>;
}

/** Users whose effective roles are remembered, until their memberships or the graph of groups changes. */
const remembered = 10_000;

export interface DirectoryParts {
  readonly store: Store;
  readonly passwords: Passwords;
  readonly throttle: Throttle;
  readonly provision: Provision;
  now(): number;
  /** What texts that are random and long are kept as. */
  fingerprint(text: string): string;
  /** Moves the expiry of a token on that is used and wants that. */
  refresh(token: TokenLogin): Maybe<void>;
}

/** The service's own users, as the security pipeline sees them. */
export function createDirectory(parts: DirectoryParts): Directory {
  const known = new Recent<string, KnownRoles>(remembered);
  return { open: (address) => new UsersOfRequest(parts, known, address) };
}

class UsersOfRequest implements RequestUsers {
  readonly #parts: DirectoryParts;
  readonly #known: Recent<string, KnownRoles>;
  readonly #address: string | undefined;
  /** The one user that a request is about, under the name that was asked for and under its own. */
  #last: { readonly asked: string; readonly login: Login | undefined } | undefined;
  proof: Proof | undefined;

  constructor(parts: DirectoryParts, known: Recent<string, KnownRoles>, address: string | undefined) {
    this.#parts = parts;
    this.#known = known;
    this.#address = address;
  }

  find(name: string): Maybe<UserState | undefined> {
    return after(
      this.#login(name),
      (login) => login && { id: login.id, name: login.name, enabled: login.enabled === 1, mayRunAs: login.runAs === 1 },
    );
  }

  verifyPassword(name: string, password: SecretText): Maybe<PasswordAnswer> {
    if (isKeyId(name)) return this.#verifyKey(name, password);
    return after(this.#login(name), (login) =>
      after(this.#parts.passwords.verify(name, login, password), (matches) => {
        if (!login) return { verified: false, reason: 'unknown-user' };
        if (!matches) return { verified: false, reason: 'wrong-password' };
        return this.#admit(login, { kind: 'password' });
      }),
    );
  }

  verifyToken(given: SecretText): Maybe<TokenAnswer> {
    const { store, now, fingerprint, refresh } = this.#parts;
    return after(findTokenLogin(store, { digest: fingerprint(given.reveal()) }), (token) => {
      const refusal = judgeToken(token, now());
      if (refusal || !token) return { verified: false, reason: refusal ?? 'unknown-token' };
      const answer = this.#admit(token, { kind: 'token', key: token.key ?? undefined });
      return answer.verified ? after(refresh(token), () => answer) : answer;
    });
  }

  async rolesOf(user: UserState): Promise<ReadonlySet<string>> {
    const login = await this.#login(user.name);
    if (!login) return new Set();
    const { id, version, graph } = login;
    const known = this.#known.get(id, 0);
    if (known && known.version === version && known.graph === graph) return known.roles;
    const roles = await effectiveRoles(this.#parts.store, id);
    this.#known.set(id, { version, graph, roles }, Number.POSITIVE_INFINITY);
    return roles;
  }

  /** Who is in already, by a password that was verified a moment ago, does not wait because somebody else guesses. */
  waitFor(credentials: Credentials): Maybe<number> {
    if (credentials.kind !== 'password') return 0;
    const { passwords, throttle } = this.#parts;
    const { user, password } = credentials;
    const wait = throttle.wait(user, this.#address);
    if (wait === 0) return 0;
    return after(this.#login(user), (login) => (passwords.remembers(user, login, password) ? 0 : wait));
  }

  settled(credentials: Credentials, accepted: boolean): void {
    if (credentials.kind === 'password') this.#parts.throttle.settled(credentials.user, this.#address, accepted);
  }

  get writer(): UserWriter {
    return {
      createOrUpdate: async (info, options) => {
        this.#last = undefined;
        return this.#parts.provision(info, options);
      },
    };
  }

  #verifyKey(id: string, secret: SecretText): Maybe<PasswordAnswer> {
    const { store, fingerprint } = this.#parts;
    return after(findKeyLogin(store, { id }), (login) => {
      // The digests of a random text: where they begin to differ tells nothing that helps to guess it.
      if (fingerprint(secret.reveal()) !== login?.secret)
        return { verified: false, reason: login ? 'wrong-secret' : 'unknown-key' };
      if (login.active !== 1) return { verified: false, reason: 'key-disabled' };
      return this.#admit(login, { kind: 'key', key: id });
    });
  }

  /** Only after the proof: whoever does not have it does not learn that the account is disabled. */
  #admit(login: Login, proof: Proof) {
    this.#last = { asked: login.name, login };
    if (login.enabled !== 1) return { verified: false, reason: 'user-disabled' } as const;
    this.proof = proof;
    return { verified: true, name: login.name } as const;
  }

  #login(name: string): Maybe<Login | undefined> {
    const last = this.#last;
    if (last && (last.asked === name || last.login?.name === name)) return last.login;
    // The database would refuse such a text with an error of its own, and nobody has such a name.
    const found = name.includes('\0') ? undefined : findLogin(this.#parts.store, { name });
    return after(found, (login) => {
      this.#last = { asked: name, login };
      return login;
    });
  }
}

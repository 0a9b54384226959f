import { Recent } from '../core/lib/cache.ts';
import type { Pausable } from '../core/lib/gate.ts';
import { after, type Maybe } from '../core/lib/maybe.ts';
import type { Store } from '../core/store/store.ts';
import { impersonationRefusal } from '../security/run-as.ts';
import {
  administrator,
  type Directory,
  type Entrance,
  type GroupOfUser,
  type LoginLack,
  type LoginUse,
  type Proof,
  type Provisioner,
  type RequestUsers,
  type StoredAccount,
  type StoredCaller,
  Subject,
  type UserState,
} from '../security/subject.ts';
import type { Credentials, LoginAnswer, PasswordAnswer, SecretText, TokenAnswer } from '../spi/index.ts';
import { findKeyLogin } from './access-keys/store.ts';
import { effectiveRoles, findGroup } from './groups/store.ts';
import { childrenOf, edgesAbove, type MembershipRow, membershipsOf } from './memberships/store.ts';
import { isKeyId } from './names.ts';
import type { Asker, Passwords } from './passwords/passwords.ts';
import type { LoginAttempt, Throttle } from './passwords/throttle.ts';
import { type SecondFactorSettings, secondStepOf } from './second-factor/policy.ts';
import { judgeToken } from './tokens/rules.ts';
import { findTokenEnd, findTokenLogin, newestLogin, type TokenLogin } from './tokens/store.ts';
import type { Provision } from './users/provision.ts';
import { findLogin, findLoginById, type LoginRow, stateOf } from './users/store.ts';

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
  readonly settings: SecondFactorSettings;
  now(): number;
  /** Digest under a key of this process. */
  digest(text: string): string;
  /** Stored form of long random texts. */
  fingerprint(text: string): string;
  /** Notes the use of a token, which extends the expiry of one with auto-refresh. */
  noteUse(token: TokenLogin): Maybe<void>;
}

/** Users of the service, for the security pipeline. */
export function createUserDirectory(parts: DirectoryParts): Directory {
  const rolesOfUsers = new Recent<string, KnownRoles>(remembered);
  return { ...explanations, open: (from) => new UsersOfRequest(parts, rolesOfUsers, from) };
}

/** A class: tsx (keepNames) wraps inline functions at every call. */
class PasswordAttempt implements LoginAttempt {
  readonly account: string;
  readonly from: LoginAttempt['from'];
  readonly #password: SecretText;
  readonly #digest: DirectoryParts['digest'];

  constructor(account: string, password: SecretText, from: LoginAttempt['from'], digest: DirectoryParts['digest']) {
    this.account = account;
    this.from = from;
    this.#password = password;
    this.#digest = digest;
  }

  proof(): string {
    const { account } = this;
    return this.#digest(`login:${account.length}:${account}${this.#password.reveal()}`);
  }
}

class UsersOfRequest implements RequestUsers, Asker {
  readonly #parts: DirectoryParts;
  readonly #cachedRoles: Recent<string, KnownRoles>;
  readonly #from: Parameters<Directory['open']>[0];
  /** The one user that a request is about, under the name that was asked for and under its own. */
  #last: { readonly asked: string; readonly login: LoginRow | undefined } | undefined;
  proof: Proof | undefined;
  entrance: Entrance | undefined;
  patience: Pausable | undefined;
  configuration: number | undefined;
  #attempt: LoginAttempt | undefined;
  /** Cache key of the password that the user's check has refused in this attempt. */
  #refusedKey: string | undefined;

  constructor(parts: DirectoryParts, known: Recent<string, KnownRoles>, from: Parameters<Directory['open']>[0]) {
    this.#parts = parts;
    this.#cachedRoles = known;
    this.#from = from;
  }

  find(name: string): Maybe<UserState | undefined> {
    return after(this.#login(name), (login) => login && stateOf(login));
  }

  verifyPassword(name: string, password: SecretText): Maybe<PasswordAnswer> {
    if (isKeyId(name)) return this.#verifyKey(name, password);
    return after(this.#login(name), (login) =>
      after(this.#parts.passwords.verify(name, login, password, this), (matches) => {
        if (!login) return { verified: false, reason: 'unknown-user' };
        if (!matches) return { verified: false, reason: 'wrong-password' };
        return this.#admit(login, { kind: 'password' });
      }),
    );
  }

  verifyToken(secret: SecretText, kind: 'token' | 'session' = 'token'): Maybe<TokenAnswer> {
    const { store, now, fingerprint, noteUse } = this.#parts;
    return after(findTokenLogin(store, { digest: fingerprint(secret.reveal()) }), (token) => {
      const refusal = judgeToken(kind, token, now());
      if (refusal || !token) return { verified: false, reason: refusal ?? 'unknown-token' };
      return after(this.#actorOf(token), (actor) => {
        if (actor === 'gone') return { verified: false, reason: 'unknown-token' };
        const answer = this.#admit(token, {
          kind,
          key: token.key ?? undefined,
          login: token.tokenId,
          ends: token.endsAt ?? undefined,
          loginAt: token.loginAt ?? undefined,
          provider: kind === 'session' && token.way === 'provider' ? (token.realm ?? '') : undefined,
          byLink: kind === 'session' && token.way === 'link',
          isStrong: token.second === 1,
          ...(token.makerId !== null && { maker: { id: token.makerId, revocations: token.makerRevocations ?? -1 } }),
          actor,
        });
        return answer.verified ? after(noteUse(token), () => answer) : answer;
      });
    });
  }

  /** A run-as caller uses a token of its user only as long as that caller may act for others. */
  #actorOf({ actorId, actorVersion }: TokenLogin): Maybe<Subject | 'gone' | undefined> {
    if (actorId === null) return undefined;
    return after(findLoginById(this.#parts.store, { id: actorId }), async (login) => {
      if (login?.enabled !== 1 || login.passwordVersion !== actorVersion) return 'gone';
      const actor = new Subject({ name: login.name }, stateOf(login), this);
      return (await impersonationRefusal(actor)) ? 'gone' : actor;
    });
  }

  /** Checks the caller as for a token: a revocation, the end of the key or of the right to act ends it. */
  async resume({ account, proof, runAs }: StoredCaller): Promise<Subject | { readonly ended: string }> {
    const maker = proof?.maker && (await this.#kept(proof.maker));
    if (maker && 'ended' in maker) return maker;
    const { store } = this.#parts;
    const [login, key, ends] = await Promise.all([
      this.#kept(account),
      proof?.key === undefined ? undefined : findKeyLogin(store, { id: proof.key }),
      proof?.login === undefined ? undefined : findTokenEnd(store, { id: proof.login }),
    ]);
    if ('ended' in login) return login;
    if (proof?.key !== undefined && (key?.active !== 1 || key.id !== login.id))
      return { ended: `Expected the access key "${proof.key}" to be in use` };
    if (proof?.login !== undefined && !(ends && ends.expiresAt > this.#parts.now()))
      return { ended: `Expected the token or session of "${login.name}" to go on` };
    this.proof ??= proof;
    const caller = new Subject({ name: login.name, ...(ends && { ends: ends.expiresAt }) }, stateOf(login), this);
    if (runAs === undefined) return caller;
    if (await impersonationRefusal(caller))
      return { ended: `Expected "${login.name}" to have the right to act for others` };
    const target = await this.#kept(runAs);
    return 'ended' in target ? target : new Subject({ name: target.name }, stateOf(target), this, caller);
  }

  async #kept({ id, revocations }: StoredAccount): Promise<LoginRow | { readonly ended: string }> {
    const login = await findLoginById(this.#parts.store, { id });
    if (!login) return { ended: 'Expected the user to exist as when the request was kept' };
    if (login.enabled !== 1) return { ended: `Expected the user "${login.name}" to be enabled` };
    this.#last = { asked: login.name, login };
    if (login.revocations === revocations) return login;
    const problem = 'a new password, a disabled account or revoked tokens';
    return { ended: `Expected the logins of "${login.name}" as they were when the request was kept: ${problem}` };
  }

  rolesOf(user: UserState): Maybe<ReadonlySet<string>> {
    return after(this.#login(user.name), (login) => {
      if (!login) return new Set<string>();
      const { id, version, graph } = login;
      const cached = this.#cachedRoles.get(id, 0);
      if (cached && cached.version === version && cached.graph === graph) return cached.roles;
      return after(effectiveRoles(this.#parts.store, id), (roles) => {
        this.#cachedRoles.set(id, { version, graph, roles }, Number.POSITIVE_INFINITY);
        return roles;
      });
    });
  }

  lackOf(user: UserState, { isPasswordAlone, isDangerous, came }: LoginUse): Maybe<LoginLack | undefined> {
    const { secondFactor, passwordAlone, stepUpSeconds } = this.#parts.settings;
    if (secondFactor === 'off') return undefined;
    if (isPasswordAlone) {
      if (passwordAlone || this.proof?.kind === 'key') return undefined;
      return secondStepOf(secondFactor, user, () => after(this.rolesOf(user), (roles) => roles.has(administrator)));
    }
    const { loginAt } = this.proof ?? {};
    const isOld = isDangerous && loginAt !== undefined && came - loginAt >= stepUpSeconds * 1000;
    return isOld ? 'recent-login' : undefined;
  }

  /** Limits attempts with passwords only: tokens and secrets of keys are too long to be guessed. */
  attempt(credentials: Credentials, configuration: number, make: () => Maybe<LoginAnswer>): Maybe<LoginAnswer> {
    if (credentials.kind !== 'password' || isKeyId(credentials.user)) return make();
    const { throttle, digest } = this.#parts;
    const { user: account, password } = credentials;
    this.#attempt = new PasswordAttempt(account, password, this.#from, digest);
    this.configuration = configuration;
    this.#refusedKey = undefined;
    const answer = throttle.attempt(this.#attempt, make);
    if (answer instanceof Promise) return answer.then((settled) => this.#settle(settled, configuration));
    return this.#settle(answer, configuration);
  }

  refused(key: string): void {
    this.#refusedKey = key;
  }

  #settle(answer: LoginAnswer, configuration: number): LoginAnswer {
    if (this.#refusedKey !== undefined) this.#parts.passwords.settle(this.#refusedKey, configuration, answer.accepted);
    return answer;
  }

  /** Queue of the user's passwords. */
  get line(): readonly string[] {
    return this.#attempt ? this.#parts.throttle.lineOf(this.#attempt) : ['first'];
  }

  isFamiliar(): boolean {
    return this.#attempt !== undefined && this.#parts.throttle.isFamiliar(this.#attempt);
  }

  get writer(): Provisioner {
    return {
      createOrUpdate: async (info, options) => {
        this.#last = undefined;
        return this.#parts.provision(info, { ...options, created: this.#from.created });
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

  /** After the password check: a caller without the password does not learn that the account is disabled. */
  #admit(login: LoginRow, proof: Proof) {
    this.#last = { asked: login.name, login };
    if (login.enabled !== 1) return { verified: false, reason: 'user-disabled' } as const;
    this.proof = proof;
    return { verified: true, name: login.name } as const;
  }

  #login(name: string): Maybe<LoginRow | undefined> {
    const last = this.#last;
    if (last && (last.asked === name || last.login?.name === name)) return last.login;
    // The database would fail for a NUL, which no user name contains.
    const row = name.includes('\0') ? undefined : findLogin(this.#parts.store, { name });
    return after(row, (login) => {
      this.#last = { asked: name, login };
      return login;
    });
  }
}

/** Memberships that one explanation shows, of users and of groups. */
const maxShown = 1_000;
/** Groups that one explanation names for a role that is missing. */
const maxNamed = 10;

/** Reads of users for explanations. */
const explanations: Pick<Directory, 'explainUser' | 'groupsWith'> = {
  async explainUser(reader, name) {
    const login = name.includes('\0') ? undefined : await findLogin(reader, { name });
    if (!login) return undefined;
    const { id } = login;
    const [direct, edges, [newest]] = await Promise.all([
      membershipsOf(reader, { id, limit: maxShown }),
      edgesAbove(reader, { id, limit: maxShown }),
      newestLogin(reader, { userId: id }),
    ]);
    const lastLogin = newest && { at: newest.at, way: newest.way, realm: newest.realm ?? undefined };
    return { user: stateOf(login), groups: groupsOfUser(direct, edges), lastLogin };
  },
  async groupsWith(reader, role) {
    const row = await findGroup(reader, { name: role });
    return row ? (await childrenOf(reader, { id: row.id, limit: maxNamed })).map((child) => child.name) : [];
  },
};

type Edge = Awaited<ReturnType<typeof edgesAbove>>[number];

function groupsOfUser(direct: readonly MembershipRow[], edges: readonly Edge[]): readonly GroupOfUser[] {
  const groups = new Map<string, GroupOfUser & { readonly through: string[] }>();
  for (const { name, role, source, realm, claim } of direct) {
    const by = { realm: realm ?? undefined, claim: claim ?? undefined };
    groups.set(name, { name, isRole: role === 1, source: source ?? 'entered', ...by, through: [] });
  }
  for (const { parent: name, role, child } of edges) {
    const group = groups.get(name);
    if (group) group.through.push(child);
    else groups.set(name, { name, isRole: role === 1, source: 'group', through: [child] });
  }
  return [...groups.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

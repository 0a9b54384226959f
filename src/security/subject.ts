import type { Pausable } from '../core/lib/gate.ts';
import { after, type Maybe } from '../core/lib/maybe.ts';
import type { Statement } from '../core/store/contract.ts';
import type { Reader } from '../core/store/statement.ts';
import type { Account, Credentials, KnownCaller, LoginAnswer, ServiceUsers, UserInfo } from '../spi/index.ts';

/** Account at the time of a stored request, without credentials. */
export interface StoredAccount {
  readonly id: string;
  /** A revocation of the user's logins invalidates earlier stored requests. */
  readonly revocations: number;
}

/** Caller of a stored request, with the grounds of its rights. */
export interface StoredCaller {
  /** Account whose credentials the request had. */
  readonly account: StoredAccount;
  readonly proof?:
    | {
        readonly kind: 'password' | 'key' | 'token' | 'session';
        readonly key?: string | undefined;
        /** Id of a token or session whose end is the caller's. */
        readonly login?: string | undefined;
        /** Account whose token or session asked for the token of the caller. */
        readonly maker?: StoredAccount | undefined;
      }
    | undefined;
  /** User that the account acted for. */
  readonly runAs?: StoredAccount | undefined;
}

/** Role that implies all other roles. */
export const administrator = '_administrator';

/** Statements beside a user who is created, in the same commit. */
export type Created = (user: { readonly id: string; readonly name: string }) => readonly Statement[];

/** Role of programs that provision users. Who has no other role uses no paths but those below `/scim`. */
export const provisioner = '_scim';

/** Role of machines that do media work. Who has no other role uses no paths but those below `/runner`. */
export const runnerRole = '_runner';

/** A user as the database has it now: read on each request, so that a disabled one is out at once. */
export interface UserState {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  /** Whether an administrator lets this account act for others, beside the role that it needs for that. */
  readonly mayRunAs: boolean;
  /** Changes with the password. */
  readonly passwordVersion: number;
  /** Grows with each revocation of its logins. */
  readonly revocations: number;
  /** Number of its second factors. */
  readonly factors: number;
}

/** How a request uses its login. */
export interface LoginUse {
  /** The request has a password, and nothing besides. */
  readonly isPasswordAlone: boolean;
  /** The route changes what others could come in by. */
  readonly isDangerous: boolean;
  /** Milliseconds since the epoch at which the request arrived. */
  readonly came: number;
}

/** Requirement that a login does not meet: its second factor, any second factor of the user, or a recent login. */
export type LoginLack = 'second-factor' | 'enrolment' | 'recent-login';

/** Proof of a caller by credentials of the service. */
export interface Proof {
  readonly kind: 'password' | 'key' | 'token' | 'session';
  /** Access key that was used, or that requested the token. */
  readonly key?: string | undefined;
  /** Id of the token or session. */
  readonly login?: string | undefined;
  /** Account whose token or session asked for the token, if not its own. */
  readonly maker?: StoredAccount | undefined;
  /** When the person logged in, for sessions and the tokens that they asked for. */
  readonly loginAt?: number | undefined;
  /** Provider by which the session began. */
  readonly provider?: string | undefined;
  /** Whether the session began by a login link. */
  readonly byLink?: boolean | undefined;
  /** Whether the session began with a second factor. */
  readonly isStrong?: boolean | undefined;
  /** When the token or session ends however much it is used. */
  readonly ends?: number | undefined;
  /** User who acts by the token, if it was requested on behalf of another user. */
  readonly actor?: Subject | undefined;
}

/** How a caller came in. */
export interface Entrance {
  /** Undefined: a filter accepted the caller without asking the realms. */
  readonly kind: Credentials['kind'] | undefined;
  /** Names of the realms that accepted the credentials, or of that filter. */
  readonly by: readonly string[];
}

/** `taken`: another user has the name in another case, so none was made. */
export type Provisioned = 'ready' | 'disabled' | 'taken';

/** Writer of users after a login. `realm`: the realms that accepted it, or the provider. */
export interface Provisioner {
  createOrUpdate(info: UserInfo, options: { readonly enable: boolean; readonly realm: string }): Promise<Provisioned>;
}

/** Users for one request, with a cache for its duration. */
export interface RequestUsers extends ServiceUsers {
  find(name: string): Maybe<UserState | undefined>;
  rolesOf(user: UserState): Maybe<ReadonlySet<string>>;
  /** Requirement of a request that the login of the user does not meet. */
  lackOf(user: UserState, use: LoginUse): Maybe<LoginLack | undefined>;
  /** Last verified proof. Undefined if a realm of a plugin accepted the caller. */
  readonly proof: Proof | undefined;
  /** Set by the realms, or by the filter, that accepted the caller. */
  entrance?: Entrance | undefined;
  /** Time limit of the current realm, paused while a password waits for its turn. */
  patience?: Pausable | undefined;
  /**
   * Makes the attempt, unless too many similar ones failed: then it is refused at once. The cost is recorded for the
   * realms of one configuration.
   */
  attempt(credentials: Credentials, configuration: number, make: () => Maybe<LoginAnswer>): Maybe<LoginAnswer>;
  /** Caller of a stored request, or the reason why the caller is refused by now. */
  resume(stored: StoredCaller): Promise<Subject | { readonly ended: string }>;
  /** For listeners. What it writes is read afresh. */
  readonly writer: Provisioner;
}

/** Group or role of a user, with what put the user there. */
export interface GroupOfUser {
  readonly name: string;
  readonly isRole: boolean;
  /** `entered`: by a caller of the API, or a command. `group`: only by groups that are in it. */
  readonly source: 'entered' | 'login' | 'scim' | 'group';
  /** Realm or provider of the login, and the claim that it went by. */
  readonly realm?: string | undefined;
  readonly claim?: string | undefined;
  /** Groups of the user that are in it. */
  readonly through: readonly string[];
}

/** Memberships of a user, from which the rights come, and the last login. */
export interface UserGrounds {
  readonly user: UserState;
  /** Groups and roles, sorted by name. */
  readonly groups: readonly GroupOfUser[];
  /** The newest session or token that has not ended. */
  readonly lastLogin: { readonly at: number; readonly way: string; readonly realm?: string | undefined } | undefined;
}

/** Users for the pipeline, provided by the identity room. */
export interface Directory {
  /** Undefined: no such user. */
  explainUser(reader: Reader, name: string): Promise<UserGrounds | undefined>;
  /** Some groups that a role or group has as members: who joins one of them has it, too. */
  groupsWith(reader: Reader, role: string): Promise<readonly string[]>;
  /** Users for a request from an address. The address is read lazily: some runtimes make it slow. */
  open(from: { readonly address?: string | undefined; readonly created?: Created | undefined }): RequestUsers;
}

const none: ReadonlySet<string> = new Set();

const provenBy = ({ kind, key, maker }: Proof): StoredCaller['proof'] => ({
  kind,
  ...(key !== undefined && { key }),
  ...(maker && { maker }),
});

const storedAccount = ({ id, revocations }: StoredAccount): StoredAccount => ({ id, revocations });

/** Caller of a request: an account accepted by a realm, with the service user of that name, if any. */
export class Subject implements KnownCaller {
  /** Name of the user whose rights count. */
  readonly name: string;
  /** Caller who acts for that user, if different. */
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

  /** Effective roles by its groups. Read on demand. */
  roles(): Maybe<ReadonlySet<string>> {
    this.#roles ??= this.#user ? this.#users.rolesOf(this.#user) : none;
    return this.#roles;
  }

  /** Whether the subject has a role of the service. The administrator's role implies all. */
  has(role: string): Maybe<boolean> {
    return after(this.roles(), (roles) => roles.has(role) || roles.has(administrator));
  }

  /** Whether the subject has a role for the filter `roles`: also roles granted by a realm, without implied ones. */
  async hasRole(role: string): Promise<boolean> {
    return (this.#account.roles?.includes(role) ?? false) || (await this.roles()).has(role);
  }

  /** Service user. Undefined: a realm vouches for a name that is unknown to the service. */
  get user(): UserState | undefined {
    return this.#user;
  }

  /** When the login ends, as the realm or the filter says that accepted it. */
  get ends(): number | undefined {
    return this.#account.ends;
  }

  get proof(): Proof | undefined {
    return this.#users.proof;
  }

  get entrance(): Entrance | undefined {
    return this.#users.entrance;
  }

  /** The caller without credentials, for a later check. Undefined for a caller known only to a realm. */
  get stored(): StoredCaller | undefined {
    const { proof } = this;
    const account = (this.actor ?? this).user;
    if (!this.#user || !account) return undefined;
    return {
      account: storedAccount(account),
      ...(proof && { proof: provenBy(proof) }),
      ...(this.actor && { runAs: storedAccount(this.#user) }),
    };
  }

  /** The caller with the rights of now, or the reason why it is refused by now. Its token or session counts, too. */
  async again(): Promise<Subject | { readonly ended: string }> {
    const { stored } = this;
    if (!stored) return this;
    const proof = stored.proof && { ...stored.proof, login: this.proof?.login };
    return this.#users.resume({ ...stored, proof });
  }

  /** Requirement of a request that the login does not meet. A caller acting for a user has the login of the caller. */
  lacks(use: LoginUse): Maybe<LoginLack | undefined> {
    const { user } = this.actor ?? this;
    return user && this.#users.lackOf(user, use);
  }

  get permissions(): readonly string[] {
    return this.#account.permissions ?? [];
  }
}

import type { Description, DocumentLimits, Explanation } from '../core/documents/index.ts';
import type { Triggers } from '../core/events/event-kinds.ts';
import type { NewHasher } from '../core/lib/bytes.ts';
import type { Clock } from '../core/lib/clock.ts';
import type { Log } from '../core/lib/log.ts';
import type { Maybe } from '../core/lib/maybe.ts';
import type { Metrics } from '../core/lib/metrics.ts';
import type { Random } from '../core/lib/random.ts';
import type { Secret } from '../core/lib/secret.ts';
import type { StartThread } from '../core/lib/thread-task.ts';
import type { Outbound } from '../core/outbound/outbound.ts';
import type { CoreSettings } from '../core/settings/core.ts';
import type { CommitPlan, Statement } from '../core/store/contract.ts';
import type { DueTime, NameQuery } from '../core/store/due.ts';
import type { Reader } from '../core/store/statement.ts';
import type { Reading, Store } from '../core/store/store.ts';
import type { Spans } from '../core/telemetry/spans.ts';
import type { WorkStatus } from '../core/work/status.ts';
import type { RunAs } from '../http/command.ts';
import type { Cors } from '../http/cors.ts';
import type { Answered } from '../http/handler.ts';
import type { Render, Reply } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import type { Arrival, PipelineRequest } from '../security/arrival.ts';
import type { Caller } from '../security/caller.ts';
import type { LevelGrounds, Question, WantedLevel } from '../security/explain.ts';
import type { Finding } from '../security/ini/findings.ts';
import type { NamedAction, NamedLogin } from '../security/ini/security-parts.ts';
import type { Created, Directory } from '../security/subject.ts';
import type {
  Account,
  ConfiguredProber,
  Credentials,
  Host,
  LoginAnswer,
  MediaHost,
  OAuth2Configuration,
  OAuth2Problem,
  OAuth2Setup,
  SearchEngine,
  SecretText,
  StorageScheme,
  Transcoder,
} from '../spi/index.ts';
import type { EntityKinds } from './entity.ts';
import type { Hooks } from './hook.ts';
import type { JobNotification } from './jobs/contract.ts';
import type { JobOrder, JobType } from './jobs/job-type.ts';
import type { JobQuery } from './jobs/parameters.ts';
import type { KnownProperties } from './properties.ts';
import type { SampleMaker } from './sample.ts';

/** The statements that forget what a room keeps of an entity, in the commit that deletes it. */
export interface Forgetters {
  /** `names`: all that it comes in with, aliases too. */
  user(user: { readonly id: string; readonly names: readonly string[] }): readonly Statement[];
  /** A token or session that ends by itself, by its id. */
  login(id: string, by: 'logout' | 'revocation'): readonly Statement[];
}

/** Processes that serve one database together, started by one primary. */
export interface Processes {
  /** Metrics of all of them. */
  metrics(): Promise<string>;
  /** In a process that only serves: the primary does the background work. */
  readonly working?: {
    /** Commits may have made work of that kind. Without a name: of any kind. */
    changed(kind: string): void;
    list(): Promise<readonly WorkStatus[]>;
  };
}

/** The user `admin` of a new database. Its password is printed only if it was generated. */
export interface Prepared {
  readonly madeUpPassword: string | undefined;
}

/** Configuration that stays in use, because its replacement has errors. */
export interface OutdatedSecurity {
  /** When files were refused first since one took over. */
  readonly since: number;
  readonly errors: number;
}

/** The security.ini that runs now, as far as rooms ask it. */
export interface SecurityView {
  login(credentials: Credentials, address: string | undefined): Maybe<LoginAnswer>;
  /** Answer to an account that the login of a provider has accepted. `proof`: hidden in the log. */
  admit(
    account: Account,
    by: {
      readonly provider: string;
      readonly proof: string;
      readonly address: string | undefined;
      /** Statements of the commit that creates the user. */
      readonly created?: Created | undefined;
    },
  ): Promise<LoginAnswer>;
  /** Logins by way of providers. */
  logins(): readonly NamedLogin[];
  /** Problems that the bearer filter has with a configuration. */
  oauth2Problems(configuration: OAuth2Configuration): Promise<readonly OAuth2Problem[]>;
  /** Whether the API may configure the bearer filter. */
  allowConfigUpdate(): boolean;
  /** Notification actions of plugins. */
  actions(): readonly NamedAction[];
  /** Storage schemes, built-in and of plugins. */
  storages(): readonly StorageScheme[];
  /** Search engines: the first one is used. */
  searchEngines(): readonly SearchEngine[];
  /** Media probers of plugins. */
  probers(): readonly ConfiguredProber[];
  transcoders(): readonly Transcoder[];
  /** The configuration in use, if its files have errors and it is older than them. Undefined: it is current. */
  kept(): OutdatedSecurity | undefined;
  /** Errors and warnings of the files as they were read last. */
  findings(): readonly Finding[];
  /** Whether a line of the configuration names this path, or one below it. */
  names(path: string): boolean;
  explain(question: Question): Promise<Explanation>;
}

/** Changes what a route does before its handler runs, or after. */
export interface RouteWrapper {
  around(route: Route): Route;
}

/** Retention times set by administrators. Undefined: not set. */
export interface Retention {
  readonly auditDays?: number | undefined;
  readonly jobDays?: number | undefined;
}

/** Services of single rooms for all other rooms. Each service has one provider, which may come later in the list. */
export interface Services {
  /** Users of the service, for the security pipeline. */
  readonly directory: Directory;
  /** Password hashing with limited concurrency: otherwise it would use all cores. */
  readonly passwords: {
    inTurn<T>(line: string, task: () => Promise<T>, maxWait: number): Promise<T>;
    hash(password: string): Promise<string>;
    /** Whether this is the password of a stored hash. */
    matches(stored: string, password: SecretText): Maybe<boolean>;
  };
  /** Current OAuth2 setup for the bearer filter. */
  oauth2(): Maybe<OAuth2Setup>;
  readonly cors: Cors;
  /** Secrets that an address, an action or security.ini names by an alias. */
  readonly secrets: {
    /** A value. Undefined: there is none. */
    open(alias: string, key: string): Promise<string | undefined>;
    /** All that have a value: `ALIAS` for a password, `ALIAS/KEY`. */
    names(): Promise<readonly string[]>;
    /** Throws the refusal of a caller who may not have a secret sent to an address. */
    mayUse(call: Caller, alias: string): Promise<void>;
  };
  /** Explains the level of a user on an entity of a path. Undefined: there is no such entity. */
  explainLevel(
    reader: Reader,
    user: { readonly id: string; readonly name: string },
    wanted: WantedLevel,
  ): Promise<LevelGrounds | undefined>;
  retention(): Promise<Retention>;
  /** Retention times in SQL, for due times. NULL: not set. */
  readonly retentionDays: Readonly<Record<keyof Retention, DueTime>>;
  /** Query of the kinds of work that administrators have disabled. */
  readonly kindsOff: NameQuery;
  /** Called for each answer. */
  answered(request: Answered): Maybe<void>;
  /** Validates the notification parameters of a new job. Throws the refusal. */
  jobNotification(query: Pick<JobQuery, 'notification' | 'notificationData'>): Promise<JobNotification>;
  /** Gives a user the address of mail that a directory has now, unless the user has another one than the former one. */
  mailGiven(
    user: { readonly id: string; readonly name: string },
    addresses: { readonly former: string | undefined; readonly address: string | undefined },
  ): Promise<CommitPlan>;
  /** Statements that start a job, for the caller's commit. */
  startJob(order: JobOrder): CommitPlan;
  /** Stored answers for requests with an `Idempotency-Key`, so that a client can repeat a request. */
  readonly requestKeys: RouteWrapper;
  /** Length of the chain of deliveries that caused the request. */
  depthOf(headers: Headers): number;
  /** Headers that transmit the depth. */
  depthHeaders(depth: number): Readonly<Record<string, string>>;
  /** Scheduled requests: wraps a route so that requests for later are stored instead of handled. */
  readonly scheduled: RouteWrapper;
  /** Where a request goes that comes to the root without credentials. Undefined: it is answered as all others. */
  welcome(request: Pick<PipelineRequest, 'method' | 'path' | 'headers'>): Reply | undefined;
  /** The schema, and in an empty database the roles, the fields and `admin`. */
  prepare(): Promise<Prepared>;
}

/** Shared context of each room. `S`: the settings that the room reads. */
export interface RoomContext<S = unknown> extends Pick<Outbound, 'connect' | 'uncallable'> {
  readonly settings: S;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Spans for the collector of OpenTelemetry. Undefined: there is none. */
  readonly spans: Spans | undefined;
  readonly store: Store;
  readonly limits: DocumentLimits;
  readonly triggers: Triggers;
  readonly security: SecurityView;
  /** Services are complete once all rooms are open: a room uses them only during requests. */
  readonly services: Services;
  /** Functions that extensions bring for rooms of the core. */
  readonly hooks: Hooks;
  /** By resource, `/group`. Of resources that are missing, no entity exists. */
  readonly entities: EntityKinds;
  /** Properties that rooms listen to. */
  readonly properties: KnownProperties;
  /** Checks of all rooms for the self-test. */
  checks(): readonly Check[];
  /** Routes and documents of all rooms. A function, since rooms are still being opened. */
  readonly routes: () => readonly Route[];
  readonly documents: readonly Description[];
  /** Statements of all rooms that forget an entity. */
  readonly forget: Forgetters;
  /** All roles and metadata fields of this release. */
  readonly roles: readonly string[];
  readonly fields: readonly ReleaseField[];
  /** Job types of all rooms. A function, since rooms are still being opened. */
  readonly jobTypes: () => readonly JobType[];
  readonly instanceId: string;
  /** False on the edge: requests must not wait for each other, and no work continues after an answer. */
  readonly sharesWork: boolean;
  readonly secretKey: Secret | undefined;
  /** Findings of the host about its environment. */
  readonly notices: readonly string[];
  readonly scrypt: Host['scrypt'];
  digest(text: string): string;
  fingerprint(text: string): string;
  readonly hasher: NewHasher;
  /** Starts threads for long calculations. Undefined: they run on the thread of the caller. */
  readonly thread?: StartThread;
  /** Transcoders, the preferred one first. None on the edge. */
  transcoders(): readonly Transcoder[];
  /** Calls other servers under the address policy. */
  readonly call: Host['call'];
  readonly stream: Host['stream'];
  /** Reads untrusted media. */
  readonly media: MediaHost;
  /** Processes beside this one. Undefined: none that it knows of. */
  readonly processes?: Processes;
  /** Files of the web page. Undefined: this platform has none. */
  readonly page?: () => Promise<PageFiles>;
  /** Unpacks Brotli, the only form of the page on an edge, for callers who do not take it. */
  unbrotli?(packed: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
  readonly sample?: SampleMaker;
  readonly mediaFolder?: string;
  readonly typed?: { readonly program: string; readonly options?: string };
  /** State of the work beside requests. */
  readonly work: {
    list(): Promise<readonly WorkStatus[]>;
    /** Makes the figures of the metrics current. */
    refresh(): Promise<void>;
  };
  readonly render: Render;
  /** Sends a request to the service itself, through the usual pipeline. */
  carryOut(request: Request, arrival: Arrival): Promise<Response>;
  /** Runs commands of any room. */
  readonly as: RunAs;
  /** Runs a reading in the share of the caller, so that it does not delay other requests. */
  perform<In, Out>(call: Caller, reading: Reading<In, Out>, input: In): Promise<Out>;
}

/** Context of rooms that read no settings but those of the service. */
export type CoreContext = RoomContext<CoreSettings>;

/** A check of the self-test. */
export interface Check {
  readonly name: string;
  readonly description: string;
  run(): Promise<Checked>;
}

/** A compressed form of a file. Its size is there without its bytes, so that HEAD and 304 read none. */
export interface PageForm {
  readonly size: number;
  read(): Maybe<Uint8Array<ArrayBuffer>>;
}

/** A file of the web page in its compressed forms. */
export interface PageFile {
  readonly type: string;
  readonly etag: string;
  readonly br?: PageForm;
  /** Left out on an edge. */
  readonly gzip?: PageForm;
}

/** Files of the web page by their paths below `/ui/`. */
export type PageFiles = Readonly<Record<string, PageFile>>;

interface Checked {
  readonly status: 'ok' | 'warning' | 'failed';
  readonly message?: readonly string[];
  /** Results of the parts of the check. */
  readonly test?: readonly (Checked & { readonly name: string })[];
}

/** Metadata field of the release. System fields are written only by the service. */
export interface ReleaseField {
  readonly name: string;
  readonly type: 'string' | 'string-exact' | 'string-noindex' | 'integer' | 'float' | 'date';
  readonly system: boolean;
}

import type { Description, DocumentLimits, Explanation } from '../documents/index.ts';
import type { FileName, JobState } from '../events/payloads.ts';
import type { Triggers } from '../events/triggers.ts';
import type { Call } from '../http/call.ts';
import type { Cors } from '../http/cors.ts';
import type { Answered } from '../http/handler.ts';
import type { Render } from '../http/render.ts';
import type { Route } from '../http/route.ts';
import type { JobNotification } from '../jobs/contract.ts';
import type { JobOrder, JobPriority, JobType, WaitingFor } from '../jobs/job-type.ts';
import type { JobQuery } from '../jobs/parameters.ts';
import type { Clock } from '../lib/clock.ts';
import type { ServiceError } from '../lib/errors.ts';
import type { NewHasher } from '../lib/hasher.ts';
import type { Log } from '../lib/log.ts';
import type { Maybe } from '../lib/maybe.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Random } from '../lib/random.ts';
import type { Secret } from '../lib/secret.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Question } from '../security/explain.ts';
import type { Arrival } from '../security/pipeline.ts';
import type { Directory } from '../security/subject.ts';
import type { NamedAction } from '../security-ini/security-parts.ts';
import type {
  ConfiguredProber,
  Credentials,
  Host,
  LoginAnswer,
  MediaHost,
  OAuth2Configuration,
  OAuth2Problem,
  OAuth2Setup,
  SearchIndex,
  StorageScheme,
  Transcoder,
} from '../spi/index.ts';
import type { Actor, Statement, Work } from '../store/contract.ts';
import type { Reading } from '../store/reading.ts';
import type { Reader } from '../store/statement.ts';
import type { Store } from '../store/store.ts';
import type { WorkStatus } from '../work/status.ts';
import type { EntityKinds } from './entity.ts';
import type { PropertyTable } from './properties.ts';

/** The statements that forget what a room keeps of an entity, in the commit that deletes it. */
export interface Forgetters {
  /** `names`: all that it comes in with, aliases too. */
  user(user: { readonly id: string; readonly names: readonly string[] }): readonly Statement[];
}

/** The user `admin` that an empty database gets. Its password is told only if the service made it up. */
export interface Prepared {
  readonly madeUpPassword: string | undefined;
}

/** A configuration that goes on, because the files that should take its place have errors. */
export interface KeptSecurity {
  /** When files were refused first since one took over. */
  readonly since: number;
  readonly errors: number;
}

/** The security.ini that runs now, as far as rooms ask it. */
export interface RunningSecurity {
  login(credentials: Credentials, address: string | undefined): Maybe<LoginAnswer>;
  /** Everything that the bearer filter could not use. */
  oauth2Problems(given: OAuth2Configuration): Promise<readonly OAuth2Problem[]>;
  /** Whether the API may configure the bearer filter. */
  allowConfigUpdate(): boolean;
  /** What plugins can carry out. */
  actions(): readonly NamedAction[];
  /** What opens the places of storages. */
  storages(): readonly StorageScheme[];
  /** What plugins know of media. */
  probers(): readonly ConfiguredProber[];
  transcoders(): readonly Transcoder[];
  /** The configuration that runs is older than its files, because they have errors. Undefined: it is not. */
  kept(): KeptSecurity | undefined;
  explain(question: Question): Promise<Explanation>;
}

/** What storage rules are about that a file belongs to. */
export interface RuledBy {
  readonly items: readonly string[];
  /** Those that the items are in, and all above them. */
  readonly collections: readonly string[];
  /** Those that have the items. */
  readonly libraries: readonly string[];
  /** Of the shapes. */
  readonly tags: readonly string[];
}

/** How addresses of pictures are told. */
export interface PictureView {
  /** Ahead of `/thumbnail/...`: `https://host/API`. */
  readonly base: string;
  /** With the key that shows the picture without credentials. */
  readonly keyed: boolean;
}

/** Requests that a client may send twice, and that make one thing. */
export interface RequestKeys {
  /** A route that gives a repeated request the answer of the first one. */
  around(route: Route): Route;
  /** The work with the key of its request. Undefined: the request has none, or the work makes no job and no item. */
  keep(work: Work, call: Call): Work | undefined;
}

/** How long administrators want to keep what grows with use. Undefined: they do not say. */
export interface Retention {
  readonly auditDays?: number | undefined;
  readonly jobDays?: number | undefined;
}

/** What one room does for all others. Each office is held by one room, which may come later in the list. */
export interface Offices {
  /** The users of the service, for the security pipeline. */
  readonly directory: Directory;
  /** Password hashes take turns: at once they would take every core. */
  readonly passwords: {
    inTurn<T>(line: string, task: () => Promise<T>, longest: number): Promise<T>;
    hash(password: string): Promise<string>;
  };
  /** What the bearer filter is told with each request. */
  oauth2(): Maybe<OAuth2Setup>;
  readonly cors: Cors;
  retention(): Maybe<Retention>;
  /** Whether administrators switched a kind of work off. */
  switchedOff(kind: string): Maybe<boolean>;
  /** Is told of each answer. */
  answered(request: Answered): Maybe<void>;
  /** What a caller says about notifications of a job. Throws the refusal of what cannot be. */
  jobNotification(query: Pick<JobQuery, 'notification' | 'notificationData'>): Promise<JobNotification>;
  /** A job as work for the commit that starts it. */
  startJob(order: JobOrder): Work;
  /** The row of a job that ends with the commit in which it begins. */
  recordJob(job: JobState, priority: JobPriority): Work;
  /** Answers of requests with an `Idempotency-Key`, so that a client can ask again. */
  readonly requestKeys: RequestKeys;
  /** For the commit that gives a job what it waits for: it looks at once, and not only when it would have looked anyhow. */
  wakeJobs(waiting: WaitingFor): Work;
  /**
   * How the notifications of a storage want a new file to be called. Undefined: none of them says. `tell`: is told of
   * each that gives no valid name.
   */
  fileName(file: FileName, actor: Actor, tell?: (sentence: string) => void): Promise<string | undefined>;
  /** Throws the refusal of a caller who may not have the bytes of a file. */
  mustHaveBytes(call: Call, fileId: string): Promise<void>;
  /** Throws the refusal of a caller who may not take a file from the components of these items. */
  mayAbandon(call: Call, fileId: string, items: readonly string[]): Promise<void>;
  /** For the commit from which on a file waits for its deletion, or is forgotten: no lock keeps it. */
  fileDeletable(id: string): readonly Statement[];
  /** The items of a library, the oldest first. One that refreshes itself does it first. */
  itemsOfLibrary(id: string): Promise<readonly string[]>;
  /** For the commit in which a library goes that nobody uses: no quota rule is about it, or else this refusal. */
  libraryUncounted(id: string, refusal: ServiceError): Statement;
  /** What rules decide about a file that is in use, or about a new one of an item. */
  ruledBy(reader: Reader, about: { readonly file: string } | { readonly item: string }): Promise<RuledBy>;
  /** Where a file may be on a storage, the best first: as a shape that has it says, or in the folder of its item. */
  wantedPaths(
    reader: Reader,
    file: { readonly fileId: string; readonly storageId: string },
  ): Promise<readonly string[]>;
  /** The addresses of thumbnails or posters of items, of their latest version that has any. */
  pictureUris(
    reader: Reader,
    kind: 'thumbnail' | 'poster',
    ids: readonly string[],
    view: PictureView,
  ): Promise<ReadonlyMap<string, readonly string[]>>;
  /** What the files of a shape hold now, which may still grow. Undefined: they cannot be read. */
  shapeNow(shapeId: string, signal: AbortSignal): Promise<ShapeNow | undefined>;
  /** For the commit from which on bytes are taken for a file: no enforced rule is in the way. */
  roomFor(file: NewBytes): Promise<readonly Statement[]>;
  /** How many deliveries led to a request, one from the other. */
  depthOf(headers: Headers): number;
  /** The headers that tell this depth of a request. */
  depthHeaders(depth: number): Readonly<Record<string, string>>;
  /** Requests that clients want carried out later: a route that keeps them instead of its handler. */
  readonly scheduled: { around(route: Route): Route };
  /** The schema, and in an empty database the roles, the fields and `admin`. */
  prepare(): Promise<Prepared>;
}

type Properties = Readonly<Record<string, unknown>>;

/** What the files of a shape hold, beside what is stored of it. */
export interface ShapeNow {
  readonly mimeType: string;
  /** By the id of a component. */
  readonly filled: ReadonlyMap<string, Properties>;
  /** They have no id: nobody keeps them. `expected`: the component of a placeholder in whose place one is. */
  readonly added: readonly { readonly kind: string; readonly properties: Properties; readonly expected?: string }[];
  readonly removed: ReadonlySet<string>;
}

/** Bytes that are to be kept. */
export interface NewBytes {
  readonly storageId: string;
  /** The file whose bytes they replace. */
  readonly fileId: string | undefined;
  readonly bytes: number;
}

/** What the house lends to each room. `S`: the settings that the room reads. */
export interface House<S = unknown> {
  readonly settings: S;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly store: Store;
  readonly limits: DocumentLimits;
  readonly triggers: Triggers;
  readonly security: RunningSecurity;
  /** Offices are held once all rooms are open: a room asks for them later, with a request. */
  readonly offices: Offices;
  /** By resource, `/group`. Of resources that are missing, no entity exists. */
  readonly entities: EntityKinds;
  /** The properties that rooms listen to. */
  readonly properties: PropertyTable;
  /** What rooms check in a self-test. */
  checks(): readonly Check[];
  /** Every route and document of all rooms: asked for later, with a request. */
  readonly routes: () => readonly Route[];
  readonly documents: readonly Description[];
  /** What all rooms forget with an entity. */
  readonly forget: Forgetters;
  /** Every role and metadata field of this release. */
  readonly roles: readonly string[];
  readonly fields: readonly ReleaseField[];
  /** The types of jobs of all rooms: asked for later, like routes. */
  readonly jobTypes: () => readonly JobType[];
  readonly instanceId: string;
  /** False on an edge: no request may wait for what another one does, and nothing goes on after an answer. */
  readonly sharesWork: boolean;
  readonly secretKey: Secret | undefined;
  /** What the host found out about itself. */
  readonly notices: readonly string[];
  readonly scrypt: Host['scrypt'];
  digest(text: string): string;
  fingerprint(text: string): string;
  readonly hasher: NewHasher;
  /** Other engines that are fed with the metadata of items and collections. */
  readonly searchIndexes?: readonly SearchIndex[];
  /** Make other forms of media, the preferred one first. None on an edge. */
  transcoders(): readonly Transcoder[];
  /** Call other machines under the address policy. */
  readonly call: Host['call'];
  /** Why no setting lets anybody call an address. */
  readonly uncallable: Outbound['uncallable'];
  readonly stream: Host['stream'];
  /** Opens foreign media. */
  readonly media: MediaHost;
  /** What goes on beside requests. */
  readonly work: { list(): Promise<readonly WorkStatus[]> };
  readonly render: Render;
  /** Sends a request to the service itself, through the pipeline of all requests. */
  carryOut(request: Request, arrival: Arrival): Promise<Response>;
  /** Does a reading in the share of the caller, where it keeps no other request waiting. */
  perform<In, Out>(call: Call, reading: Reading<In, Out>, given: In): Promise<Out>;
  /** Commits in the name of the caller. */
  commit(work: Work, call: Call): Promise<void>;
}

/** One check of the self-test. */
export interface Check {
  readonly name: string;
  readonly description: string;
  run(): Promise<Checked>;
}

export interface Checked {
  readonly status: 'ok' | 'warning' | 'failed';
  readonly message?: readonly string[];
  /** Its parts, each a check of its own. */
  readonly test?: readonly (Checked & { readonly name: string })[];
}

/** A metadata field that the release defines. System fields are written by the service alone. */
export interface ReleaseField {
  readonly name: string;
  readonly type: 'string' | 'string-exact' | 'string-noindex' | 'integer' | 'float' | 'date';
  readonly system: boolean;
}

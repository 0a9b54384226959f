import type { NewHasher } from '../core/lib/bytes.ts';
import type { Clock } from '../core/lib/clock.ts';
import type { Random } from '../core/lib/random.ts';
import type { Secret } from '../core/lib/secret.ts';
import type { StartThread } from '../core/lib/thread-task.ts';
import type { Wire } from '../core/outbound/wire.ts';
import type { Database } from '../core/store/contract.ts';
import type { Scrypt } from '../identity/public.ts';
import type { PageFiles, Processes } from '../room/context.ts';
import type { SampleMaker } from '../room/sample.ts';
import type { MediaHost, Plugin, SearchEngine, Transcoder } from '../spi/index.ts';

/** Services of the runtime. All delays, randomness, time and network access come from here. */
export interface Platform {
  readonly clock: Clock;
  readonly random: Random;
  readonly database: Database;
  readonly scrypt: Scrypt;
  /** Fetch for realms that call other servers. */
  readonly fetch: typeof fetch;
  /** Wire to addresses that have passed the address policy, for every address that callers of the API can set. */
  readonly wire: Wire;
  /** A fast digest under a key that only this process knows. */
  digest(text: string): string;
  /** SHA-256, equal everywhere and synchronous: stored form of tokens and secrets of access keys. */
  fingerprint(text: string): string;
  /** Hash that is fed piece by piece. */
  readonly hasher: NewHasher;
  /**
   * Encryption key for secrets that must be read back: 32 bytes in base64. Undefined: such secrets cannot be stored.
   */
  readonly secretKey?: Secret;
  /**
   * Whether this process is the only one on the database: it holds a lock of the operating system until it ends. Called
   * once by a starting server, never by a command. Undefined: unknown, as with a remote database.
   */
  isOnlyServer?(): boolean;
  /** Backs up the database before a migration. Undefined: the database is backed up elsewhere. */
  beforeMigration?(version: number): Promise<void>;
  /** Starts threads. Undefined: what could run on one blocks the caller's. */
  readonly thread?: StartThread;
  /** Components that need this runtime, such as the files of storages. */
  readonly plugins?: readonly Plugin[];
  /** Transcoders, the preferred one first. Undefined on the edge. */
  readonly transcoders?: readonly Transcoder[];
  /** Search engines of the host. The first one is used, if security.ini names none. */
  readonly searchEngines?: readonly SearchEngine[];
  /**
   * Reads untrusted media in a separate process. Undefined: the service probes in its own process, with a byte budget.
   */
  readonly media?: MediaHost;
  /** Calls to other machines that the current invocation has left. Undefined: nobody counts them. */
  callsLeft?(): number;
  /** Runs work whose calls each ask first: one is not sent if `ask` throws. Undefined: nobody counts calls. */
  asking?<T>(ask: () => void, work: () => T): T;
  /** Prints one line of the log. */
  print(line: string): void;
  /** Processes beside this one. Undefined: none that it knows of. */
  readonly processes?: Processes;
  /** Files of the web page, read for the first request of one. Undefined: there is no page. */
  readonly page?: () => Promise<PageFiles>;
  /** Undefined on the edge, which has no files to make it from. */
  readonly sample?: SampleMaker;
  /** Address of the folder in which storages may lie. Undefined: this platform has none. */
  readonly mediaFolder?: string;
  /** Words before and after a command, as a person types them. Undefined: no command works beside the service. */
  readonly typed?: { readonly program: string; readonly options?: string };
  /** Unpacks Brotli, the only form of the page on an edge, for callers who do not take it. */
  unbrotli?(packed: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
  /** Longest delay of the event loop since the last call, in seconds. Undefined if the host cannot measure it. */
  readonly loopDelay?: () => number;
  /** Findings of the host about its environment, shown by the self-test. */
  readonly notices: readonly string[];
  /**
   * False on the edge: requests must not wait for each other, and nothing runs before the first one. So the first
   * request checks the database.
   */
  readonly sharesWork: boolean;
}

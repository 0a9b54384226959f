import type { Scrypt } from '../identity/passwords/hash.ts';
import type { Clock } from '../lib/clock.ts';
import type { NewHasher } from '../lib/hasher.ts';
import type { Random } from '../lib/random.ts';
import type { Secret } from '../lib/secret.ts';
import type { Wire } from '../outbound/wire.ts';
import type { MediaHost, Plugin, SearchIndex, Transcoder } from '../spi/index.ts';
import type { Database } from '../store/contract.ts';

/** What a runtime lends. Everything that waits, draws randomness, reads the clock or reaches out comes from here. */
export interface Platform {
  readonly clock: Clock;
  readonly random: Random;
  readonly database: Database;
  readonly scrypt: Scrypt;
  /** Reaches other machines, for realms that ask them. */
  readonly fetch: typeof fetch;
  /** Reaches them at addresses that the address policy has passed, for every address that callers of the API can set. */
  readonly wire: Wire;
  /** A fast digest under a key that only this process knows. */
  digest(text: string): string;
  /** SHA-256, the same everywhere and at once: what tokens and the secrets of access keys are kept as. */
  fingerprint(text: string): string;
  /** Of bytes that arrive in pieces. */
  readonly hasher: NewHasher;
  /** Under it secrets are stored that must be read back: 32 bytes in base64. Without one there are no such secrets. */
  readonly secretKey?: Secret;
  /**
   * Whether this process alone serves the database: it holds a lock of the operating system until it ends. Asked once, by
   * a server that starts, and never by a command. Absent: nobody can tell, as with a remote database.
   */
  isOnlyServer?(): boolean;
  /** Keeps a way back from a migration. Absent: the database is backed up where it lives. */
  beforeMigration?(version: number): Promise<void>;
  /** Components that need this runtime, such as the files of storages. */
  readonly plugins?: readonly Plugin[];
  /** Makes other forms of media, the preferred one first. Absent on an edge. */
  readonly transcoders?: readonly Transcoder[];
  /** Other engines that are fed with the metadata of items and collections. The service answers searches without them. */
  readonly searchIndexes?: readonly SearchIndex[];
  /** Opens foreign media beside this process. Absent: the service probes in itself, within a budget of bytes. */
  readonly media?: MediaHost;
  /** Prints one line of the log. */
  print(line: string): void;
  /** Seconds that the longest turn of the event loop lasted since the last call. Absent where the host cannot tell. */
  readonly loopDelay?: () => number;
  /** What the host found out about itself: shown by the self-test. */
  readonly notices: readonly string[];
  /**
   * False on an edge: there no request may wait for another one, and nothing runs before the first one. So the first
   * request checks whether the database fits.
   */
  readonly sharesWork: boolean;
}

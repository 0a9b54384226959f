import type { SecretText } from './credentials.ts';

/** Bytes from `from` up to `end`, without that one. */
export interface ByteRange {
  readonly from: number;
  readonly end: number;
}

/** A file as the storage has it now. */
export interface StoredFile {
  /** Relative to the place of the driver, parts with "/" between them, never with one in front. */
  readonly path: string;
  readonly size: number;
  /** Microseconds since the epoch. Absent where the storage keeps no time. */
  readonly modified?: number;
  /** The same, of its birth. */
  readonly created?: number;
  /** Another text whenever the bytes are others: an ETag, or size and time. */
  readonly version: string;
  /** The same before and after a rename. A hint: a storage may use it again for another file. */
  readonly identity?: string;
}

/** Why a storage did not do what it was asked for. A driver throws an Error with one of these as its `kind`. */
export type StorageErrorKind =
  /** No file has this path. */
  | 'not-found'
  /** A file has this path already. */
  | 'exists'
  /** Nobody can tell what the storage holds: it cannot be reached, or something else is mounted there. */
  | 'offline'
  /** The storage refuses the credentials or the rights of this process. */
  | 'denied'
  | 'no-space'
  /** The storage cannot hold a file with this path, or the path leads out of it. */
  | 'bad-path'
  /** The range lies outside of the file. */
  | 'range'
  /** The file is not the version that was asked for. */
  | 'changed'
  /** By the signal of the caller. */
  | 'aborted'
  /** The driver cannot do this. */
  | 'unsupported'
  /** Anything else. */
  | 'failed';

export interface StorageError extends Error {
  readonly kind: StorageErrorKind;
}

/** What a driver can do with its place. What it cannot is never asked for. */
export interface StorageAbilities {
  readonly list: boolean;
  readonly write: boolean;
  /** Parts of one file come in any order. Without it they are gathered elsewhere first. */
  readonly parts: boolean;
  /** `publish` in the mode `create` is atomic: of two at once one wins. */
  readonly createOnly: boolean;
  readonly sign: boolean;
}

export type HashAlgorithm = 'SHA-1' | 'SHA-256' | 'MD5';

export interface ReadOptions {
  readonly range?: ByteRange;
  /** `changed` unless the file has this version. */
  readonly version?: string;
  readonly signal?: AbortSignal;
}

/** Bytes that nobody sees yet. They wait under their token, also over a restart, until they are published or discarded. */
export interface Staged {
  readonly token: string;
  readonly size: number;
  /** In lower-case hexadecimal, of what came in order and in one go. */
  readonly hashes: Readonly<Partial<Record<HashAlgorithm, string>>>;
}

export interface StageOptions {
  /** How many bytes come, where it is known: fewer or more are `failed`. */
  readonly size?: number;
  readonly hashes?: readonly HashAlgorithm[];
  readonly signal?: AbortSignal;
  /** Called with the bytes so far, now and then. */
  onBytes?(count: number): void;
}

/** A staged file whose bytes come in parts. */
export interface PartSink {
  readonly token: string;
  /**
   * Writes a part at its place, and gives how many bytes of it are written: fewer when the body fails half-way or the
   * signal ends it. Bytes beyond the size are `range`.
   */
  write(offset: number, body: ReadableStream<Uint8Array>, signal?: AbortSignal): Promise<number>;
  /** Bytes as they are staged. A driver without it cannot tell a part that is sent again from one with other bytes. */
  read?(range: ByteRange): ReadableStream<Uint8Array>;
  /** Resolves once all bytes so far survive a power cut. */
  sync(): Promise<void>;
  /** Lets go of the file. The bytes stay staged. */
  close(): Promise<void>;
}

export interface Listing {
  /** In the order of the UTF-8 bytes of their paths. */
  readonly files: readonly StoredFile[];
  /** The path to ask on from. Absent: that was all. */
  readonly next?: string;
  /**
   * Entries that cannot be files of a storage: a name that is not UTF-8, a device, a link that leads out. A path with
   * "/" at its end is a folder that cannot be read: nobody can tell what is below it.
   */
  readonly skipped?: readonly { readonly path: string; readonly reason: string }[];
}

/** What `check` finds out about a place. */
export interface Place {
  readonly capacity?: number;
  readonly free?: number;
  /** Which file system or bucket this is: another text means that another one is mounted there now. */
  readonly identity?: string;
}

/** Callback of a driver for files that another program changes. */
export interface ChangeListener {
  changed(path: string): void;
  /** No more calls come. The reason is for the log. */
  ended(reason: string): void;
}

/** One place that holds files: a folder, a bucket, a web server. Paths are relative to it. */
export interface StorageDriver {
  readonly can: StorageAbilities;
  /** Throws `offline` or `denied` where the place cannot be used. */
  check(signal?: AbortSignal): Promise<Place>;
  stat(path: string, signal?: AbortSignal): Promise<StoredFile | undefined>;
  /** The body opens nothing before it is read, and lets go of everything when it is cancelled. */
  read(
    path: string,
    options?: ReadOptions,
  ): Promise<{ readonly file: StoredFile; readonly body: ReadableStream<Uint8Array> }>;
  list?(options: { readonly after?: string; readonly limit: number; readonly signal?: AbortSignal }): Promise<Listing>;
  /**
   * Writes bytes where nobody sees them, durable when it resolves. Nothing stays when it throws. What the body throws
   * comes out as it is.
   */
  stage?(body: ReadableStream<Uint8Array>, options?: StageOptions): Promise<Staged>;
  /** The same for parts; with a token it goes on with what was staged under it, or throws `not-found`. */
  openParts?(options: { readonly size: number; readonly token?: string }): Promise<PartSink>;
  /**
   * Gives staged bytes their path, all at once and durable when it resolves: `create` throws `exists` where a file has
   * the path, and keeps the staged bytes. Asked again for what it has done already, it gives the file.
   */
  publish?(token: string, path: string, mode: 'create' | 'replace'): Promise<StoredFile>;
  /** Forgets staged bytes; unknown tokens too. */
  discard?(token: string): Promise<void>;
  /** The tokens that wait, with the time of their last byte in milliseconds since the epoch. */
  staged?(): Promise<readonly { readonly token: string; readonly at: number }[]>;
  /** False: there was no such file. */
  remove?(path: string): Promise<boolean>;
  /** An address under which anybody may read or write the file for so many seconds. */
  sign?(path: string, options: { readonly method: 'GET' | 'PUT'; readonly seconds: number }): Promise<string>;
  /**
   * Calls the listener for files that come or change, until the function that it resolves to is called. Throws where the
   * system tells nothing of the place. Paths are hints: some are of no file, and after `ended` none come.
   */
  watch?(listener: ChangeListener): Promise<() => void>;
  /** Where programs of this machine find the file. */
  localPath?(path: string): string | undefined;
  close?(): Promise<void> | void;
}

/** What a storage method says about its place. */
export interface StorageAddress {
  /** Without name and password. */
  readonly uri: string;
  /** The name and the password of the address, or an access key and its secret. */
  readonly user?: string;
  readonly password?: SecretText;
}

/** A folder for exports. */
export interface ExportPlace {
  readonly driver: StorageDriver;
  readonly path: string;
}

/** What a place is opened for. A scheme with folders of this machine may open others for imports. */
export type StorageUse = 'storage' | 'import';

/** A component that opens the places of some URI schemes. */
export interface StorageScheme {
  /** Without the colon: `s3`. */
  readonly schemes: readonly string[];
  /** Where it can work. */
  readonly hosts: readonly ('server' | 'edge')[];
  /** What is wrong with the address of a method, as a sentence without its secret: told to the caller who sets it. */
  defect?(address: StorageAddress): string | undefined;
  /** Why a good address is closed on this server, as such a sentence. Its method is kept, and is OFFLINE. */
  closed?(address: StorageAddress, use?: StorageUse): string | undefined;
  /** Opens nothing yet: a place that cannot be reached shows when it is asked. `use`: a storage, where it is left out. */
  open(address: StorageAddress, use?: StorageUse): StorageDriver;
  /**
   * Where an export may write although no storage is there: the place that the operator has opened for it, and the path
   * in it, with "/" at its end unless it is empty. A defect is a sentence for the caller. Without it: nowhere.
   */
  exportPlace?(folder: string): ExportPlace | { readonly defect: string };
  close?(): Promise<void> | void;
}

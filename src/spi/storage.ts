import type { SecretText } from './credentials.ts';

/** Byte range from `from` to `end`, exclusive. */
export interface ByteRange {
  readonly from: number;
  readonly end: number;
}

/** A file as the storage has it now. */
export interface StoredFile {
  /** Relative to the place of the driver, parts with "/" between them, never with one in front. */
  readonly path: string;
  readonly size: number;
  /** Microseconds since the epoch. Absent if the storage has no time. */
  readonly modified?: number;
  /** Time of creation in microseconds since the epoch. */
  readonly created?: number;
  /** Changes with the bytes: an ETag, or size and time. */
  readonly version: string;
  /** Stays the same after a rename. A hint: storages may reuse it for another file. */
  readonly identity?: string;
  /** Absent: the storage has no archive, or does not tell. */
  readonly archive?: FileArchive;
}

/** Whether the bytes of a file can be read, in a storage that archives files. */
export interface FileArchive {
  /** `archived`: readable some time after `restore`. `restored`: readable until a time. */
  readonly state: 'readable' | 'archived' | 'restoring' | 'restored';
  /** Name of the class of storage, such as `DEEP_ARCHIVE`. */
  readonly storageClass: string;
  /** End of a restored state, in milliseconds since the epoch. */
  readonly until?: number;
}

/** Speed at which archived files come back. */
export interface RestoreTier {
  readonly name: string;
  /** Seconds that a restore takes, as the storage documents them. */
  readonly least: number;
  readonly most: number;
}

/** Reason of a failed storage operation. A driver throws an Error with one of these as its `kind`. */
export type StorageErrorKind =
  /** No file with this path. */
  | 'not-found'
  /** A file with this path exists. */
  | 'exists'
  /** Unreachable storage, or another file system mounted in its place: its content is unknown. */
  | 'offline'
  /** Refused credentials, or missing rights of this process. */
  | 'denied'
  | 'no-space'
  /** Path that the storage cannot hold, or that leads out of it. */
  | 'bad-path'
  /** Range outside of the file. */
  | 'range'
  /** Version of the file differs from the requested one. */
  | 'changed'
  /** By the signal of the caller. */
  | 'aborted'
  /** File of an archive, which must be restored before it is read. */
  | 'archived'
  /** Operation without support in the driver. */
  | 'unsupported'
  /** Any other failure. */
  | 'failed';

export interface StorageError extends Error {
  readonly kind: StorageErrorKind;
}

/** Abilities of a driver. Unsupported operations are never called. */
export interface StorageAbilities {
  readonly list: boolean;
  readonly write: boolean;
  /** Parts of one file in any order. Otherwise they are gathered elsewhere first. */
  readonly parts: boolean;
  /** `publish` in the mode `create` is atomic: of two concurrent calls one succeeds. */
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

export interface PieceOptions {
  readonly range: ByteRange;
  readonly version: string;
}

/**
 * Staged bytes, invisible to readers. They are kept under their token, also over a restart, until they are published or
 * discarded.
 */
export interface Staged {
  readonly token: string;
  readonly size: number;
  /** In lower-case hexadecimal, of what came in order and in one go. */
  readonly hashes: Readonly<Partial<Record<HashAlgorithm, string>>>;
}

export interface StageOptions {
  /** Number of bytes, if known: fewer or more are `failed`. */
  readonly size?: number;
  readonly hashes?: readonly HashAlgorithm[];
  readonly signal?: AbortSignal;
  /** Called with the bytes so far, now and then. */
  onBytes?(count: number): void;
}

export interface HashOptions {
  readonly algorithms: readonly HashAlgorithm[];
  readonly signal?: AbortSignal;
}

/** Hashes of a whole file, whose bytes are all of one version. */
export interface HashedFile {
  readonly file: StoredFile;
  /** In lower-case hexadecimal. */
  readonly hashes: Readonly<Partial<Record<HashAlgorithm, string>>>;
}

/** A staged file whose bytes come in parts. */
export interface PartSink {
  readonly token: string;
  /**
   * Writes a part at its place, and gives how many bytes of it are written: fewer when the body fails half-way or the
   * signal ends it. Bytes beyond the size are `range`.
   */
  write(offset: number, body: ReadableStream<Uint8Array>, signal?: AbortSignal): Promise<number>;
  /** Reads staged bytes. Without it a repeated part cannot be compared with the stored bytes. */
  read?(range: ByteRange): ReadableStream<Uint8Array>;
  /** Resolves once all bytes so far survive a power cut. */
  sync(): Promise<void>;
  /** Lets go of the file. The bytes stay staged. */
  close(): Promise<void>;
}

export interface Listing {
  /** Files in the order of the UTF-8 bytes of their paths. */
  readonly files: readonly StoredFile[];
  /** The path to ask on from. Absent: that was all. */
  readonly next?: string;
  /**
   * Entries that cannot be files of a storage: a name that is not UTF-8, a device, a link that leads out. A path with
   * "/" at its end is an unreadable folder with unknown content.
   */
  readonly skipped?: readonly { readonly path: string; readonly reason: string }[];
}

/** Result of `check`. */
export interface StorageStatus {
  readonly capacity?: number;
  readonly free?: number;
  /** Identity of the file system or bucket. Another text means that another one is mounted now. */
  readonly identity?: string;
}

/** Callback of a driver for files that another program changes. */
export interface ChangeListener {
  changed(path: string): void;
  /** No more calls follow. The reason is for the log. */
  ended(reason: string): void;
}

/** Driver of one storage location: a folder, a bucket, a web server. Paths are relative to it. */
export interface StorageDriver {
  readonly can: StorageAbilities;
  /** Throws `offline` or `denied` if the location cannot be used. */
  check(signal?: AbortSignal): Promise<StorageStatus>;
  stat(path: string, signal?: AbortSignal): Promise<StoredFile | undefined>;
  /** Opens nothing before the body is read. Cancelling the body releases everything. */
  read(
    path: string,
    options?: ReadOptions,
  ): Promise<{ readonly file: StoredFile; readonly body: ReadableStream<Uint8Array> }>;
  /**
   * Reads a short range of one version into memory, in fewer steps than a stream takes. `changed` if the file has
   * another version by the end. Left out: `read` streams short ranges, too.
   */
  readPiece?(path: string, piece: PieceOptions): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Hashes whole files off the serving thread, or returns hashes that the store keeps. Results are in the order of the
   * paths. A missing file, or one that changes while it is read, gives an error in its place. Left out: the service reads
   * the files and hashes their bytes.
   */
  hash?(paths: readonly string[], options: HashOptions): Promise<readonly (HashedFile | StorageError)[]>;
  list?(options: { readonly after?: string; readonly limit: number; readonly signal?: AbortSignal }): Promise<Listing>;
  /**
   * Stages bytes, invisible to readers and durable when it resolves. After an exception nothing is left. Errors of the
   * body are rethrown unchanged.
   */
  stage?(body: ReadableStream<Uint8Array>, options?: StageOptions): Promise<Staged>;
  /** Stages bytes in parts. With a token it continues the staged bytes, or throws `not-found`. */
  openParts?(options: { readonly size: number; readonly token?: string }): Promise<PartSink>;
  /**
   * Moves staged bytes to their path, atomically and durably. `create` throws `exists` if the path is taken, and keeps
   * the staged bytes. A repeated call returns the file.
   */
  publish?(token: string, path: string, mode: 'create' | 'replace'): Promise<StoredFile>;
  /** Deletes staged bytes. Ignores unknown tokens. */
  discard?(token: string): Promise<void>;
  /** Tokens of staged bytes, with the time of their last byte in milliseconds since the epoch. */
  staged?(): Promise<readonly { readonly token: string; readonly at: number }[]>;
  /** False: there was no such file. */
  remove?(path: string): Promise<boolean>;
  /** Speeds for a class of storage, the default first. Left out: the storage has no archive. */
  restoreTiers?(storageClass: string): readonly RestoreTier[];
  /** Asks for an archived file. Returns at once; `stat` tells when it can be read. A repeated call changes nothing. */
  restore?(
    path: string,
    options: { readonly days: number; readonly tier: string; readonly signal?: AbortSignal },
  ): Promise<void>;
  /** Signed address that permits every holder to read or write the file for so many seconds. */
  sign?(path: string, options: { readonly method: 'GET' | 'PUT'; readonly seconds: number }): Promise<string>;
  /**
   * Calls the listener for files that come or change, until the function that it resolves to is called. Throws where the
   * system tells nothing of the place. Paths are hints: some are of no file, and after `ended` none come.
   */
  watch?(listener: ChangeListener): Promise<() => void>;
  /** Path of the file for programs on this machine. */
  localPath?(path: string): string | undefined;
  close?(): Promise<void> | void;
}

/** Address of a storage method. */
export interface StorageAddress {
  /** Address without name and password. */
  readonly uri: string;
  /** User name and password of the address, or an access key and its secret. */
  readonly user?: string;
  readonly password?: SecretText;
}

/** Folder for exports. */
export interface ExportFolder {
  readonly driver: StorageDriver;
  readonly path: string;
}

/** Purpose of opening a location. A scheme for local folders may open further folders for imports. */
export type StorageUse = 'storage' | 'import';

/** Component that opens storage locations of some URI schemes. */
export interface StorageScheme {
  /** Schemes without the colon, such as `s3`. */
  readonly schemes: readonly string[];
  /** Supported kinds of hosts. */
  readonly hosts: readonly ('server' | 'edge')[];
  /** Defect of a method's address, as a sentence without its secret, for the caller who sets it. */
  defect?(address: StorageAddress): string | undefined;
  /** Reason why a valid address is not allowed on this server, without secrets. Its method is kept, and is OFFLINE. */
  closed?(address: StorageAddress, use?: StorageUse): string | undefined;
  /**
   * Makes the folder of a method that is about to be set, where everything above it belongs to the service. What cannot
   * be made shows at the first operation.
   */
  prepare?(address: StorageAddress): Promise<void>;
  /** Addresses that a new storage may have on this server, the best first. */
  proposals?(): readonly string[];
  /**
   * Creates the driver without connecting: an unreachable location shows at the first operation. Default `use`:
   * `storage`.
   */
  open(address: StorageAddress, use?: StorageUse): StorageDriver;
  /**
   * Location where an export may write without a storage: opened by the operator, with the path in it, which is empty
   * or ends with "/". A defect is a sentence for the caller. Undefined: exports need a storage.
   */
  exportPlace?(folder: string): ExportFolder | { readonly defect: string };
  close?(): Promise<void> | void;
}

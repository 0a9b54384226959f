import type { HashAlgorithm, StorageErrorKind } from '../../../spi/index.ts';
import type { Holding } from './held-folder.ts';
import type { FileStats, WalkPage } from './stored-files.ts';

/** Asks for a page of a place. */
export interface PageQuestion {
  readonly root: string;
  readonly holding: Holding;
  readonly after: string;
  readonly limit: number;
}

/** Asks for the hashes of files of a place. */
export interface HashQuestion {
  readonly root: string;
  readonly holding: Holding;
  readonly paths: readonly string[];
  readonly algorithms: readonly HashAlgorithm[];
}

/** Facts about a file and its hashes, in the order of the algorithms. Otherwise, why there are none. */
export type HashAnswer =
  | (FileStats & { readonly hashes: readonly string[] })
  | { readonly kind: StorageErrorKind; readonly message: string };

export type ToFolders = { readonly number: number } & (
  | { readonly page: PageQuestion }
  /** `stop` becomes 1 when the request is aborted. */
  | { readonly hash: HashQuestion; readonly stop: Int32Array }
);

export type FromFolders = { readonly number: number } & (
  | { readonly answer: WalkPage | readonly HashAnswer[] }
  | { readonly code: string | undefined; readonly message: string }
);

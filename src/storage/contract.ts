import type { Actor, CommitPlan } from '../core/store/contract.ts';
import type { Reader } from '../core/store/statement.ts';
import { hook } from '../room/hook.ts';
import type { Caller } from '../security/caller.ts';

/** Preferred paths of a file on a storage, the best first: by its shape, or in the folder of its item. */
export const wantedPathsHook =
  hook<(reader: Reader, file: { readonly fileId: string; readonly storageId: string }) => Promise<readonly string[]>>(
    'placement',
  );

/** The name that the media of a file had when it came. Undefined: it has none that the caller may read. */
export const originalNameHook =
  hook<(call: Caller, file: { readonly id: string; readonly path: string }) => Promise<string | undefined>>('shapes');

/** Throws the refusal of a caller who may not take a file from the components of these items. */
export const abandonHook = hook<(call: Caller, fileId: string, items: readonly string[]) => Promise<void>>('shapes');

/** Imports by uploads in parts. The item begins in the commit in which its file is whole. */
export interface UploadImports {
  /** Validates what the caller asks for, before the bytes come, and gives the file its place. */
  prepare(caller: Caller, parameters: ReadonlyMap<string, string>): Promise<UploadImport>;
  /**
   * Item and job of an uploaded file, in the name of the user who began the upload. What this user may no longer ask for
   * is left out: the bytes become an item all the same. Without the user there is none.
   */
  start(upload: {
    readonly owner: string;
    readonly actor: Actor;
    readonly wish: string;
    readonly fileId: string;
  }): Promise<CommitPlan>;
}

interface UploadImport {
  readonly storageId: string;
  readonly path: string;
  readonly fileId: string;
  /** JSON to be kept with the upload. */
  readonly wish: string;
}

export const uploadImportsHook = hook<UploadImports>('ingest');

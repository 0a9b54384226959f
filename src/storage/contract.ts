import type { FileName } from '../core/events/payloads.ts';
import type { ServiceError } from '../core/lib/errors.ts';
import type { Actor, CommitPlan, Statement } from '../core/store/contract.ts';
import type { Reader } from '../core/store/statement.ts';
import { hook } from '../room/hook.ts';
import type { MediaUse } from '../room/media.ts';
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

/** Throws the refusal of a caller who may not have the bytes of a file. */
export const bytesAllowedHook = hook<(call: Caller, fileId: string) => Promise<void>>('shapes');

/** Throws where terms of use close a file to a caller. Undefined: a caller of whom only an address is known. */
export const useOfFileHook = hook<(call: Caller | undefined, fileId: string) => Promise<MediaUse>>('usage');

/** Terms of use of many files at once: their uses, or the refusals where terms close them. */
export const usesOfFilesHook =
  hook<(call: Caller | undefined, fileIds: readonly string[]) => Promise<ReadonlyMap<string, MediaUse | ServiceError>>>(
    'usage',
  );

/** For the commit from which on a file waits for its deletion, or is forgotten: no lock keeps it. */
export const fileDeletableHook = hook<(id: string, items?: readonly string[]) => readonly Statement[]>('items');

/** Subjects of storage rules that apply to a file. */
export interface RuleSubjects {
  readonly items: readonly string[];
  /** Collections that contain the items, with all their parents. */
  readonly collections: readonly string[];
  /** Libraries that contain the items. */
  readonly libraries: readonly string[];
  /** Tags of the shapes. */
  readonly tags: readonly string[];
}

/** Rule subjects of a file in use, or of a new file of an item. */
export const ruledByHook =
  hook<(reader: Reader, about: { readonly file: string } | { readonly item: string }) => Promise<RuleSubjects>>(
    'placement',
  );

/** Bytes to be stored. `for`: the item that gets the file, or the user who will own the new one. Undefined: no item. */
export interface NewBytes {
  readonly storageId: string;
  /** The file whose bytes are replaced. Undefined: a new file. */
  readonly fileId: string | undefined;
  readonly bytes: number;
  readonly for?: { readonly item: string } | { readonly user: string } | undefined;
}

/** Guards for the commit that accepts bytes: no enforced quota is exceeded. `ahead` starts their reads. */
export const bytesQuotaHook = hook<{ guards(file: NewBytes): Promise<readonly Statement[]>; ahead(): unknown }>(
  'quota',
);

/** Names of new files by the notifications of a storage, if one gives any. */
export const fileNameHook = hook<{
  /** `tell`: called for each invalid name. */
  name(file: FileName, actor: Actor, tell?: (sentence: string) => void): Promise<string | undefined>;
  /** Starts the reads of `name`, for `Store.ahead`. */
  ahead(storageId: string): unknown;
}>('notifications');

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

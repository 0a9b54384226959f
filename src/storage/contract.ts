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

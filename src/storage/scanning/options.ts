import { compilePattern } from '../../core/documents/pattern.ts';
import type { Reader } from '../../core/store/statement.ts';
import { keyValuesOf } from '../../room/entities/key-values/store.ts';
import type { StorageSettings } from '../settings.ts';

/** Scan settings from the metadata of a storage. */
export interface ScanOptions {
  /** Whether the path is left out of scans. */
  excluded(path: string): boolean;
  /** Milliseconds without a change until a file is closed. */
  readonly closeLimit: number;
  /** Whether the files of the storage are hashed. */
  readonly hashes: boolean;
}

const maxLength = 10 * 366 * 86_400;

/**
 * Scan options of a storage. Throws for an invalid `excludefilter`: without the filter, excluded files would become
 * visible.
 */
export async function optionsOf(
  reader: Reader,
  storage: string,
  settings: Pick<StorageSettings, 'closeLimit'>,
): Promise<ScanOptions> {
  const pairs = (await keyValuesOf(reader, 'storage', [storage])).get(storage) ?? [];
  const textOf = (key: string) => pairs.find((pair) => pair.key === key)?.value;
  const filter = textOf('excludefilter');
  const limit = /^\d{1,9}$/.exec(textOf('closeLimit')?.trim() ?? '')?.[0];
  const seconds = limit === undefined ? settings.closeLimit : Math.min(Number(limit), maxLength);
  return {
    excluded: filter ? compilePattern(filter, 'excludefilter') : () => false,
    closeLimit: seconds * 1000,
    hashes: textOf('hashMode')?.toLowerCase() !== 'off',
  };
}

import { readBase64 } from '../../../core/lib/base64.ts';
import { textOfBytes } from '../../../core/lib/random.ts';
import { badParameter } from '../../../http/parameters/index.ts';
import type { FileOrder } from './query.ts';

/** The last file of a page: the next page begins behind it, whatever is made or deleted meanwhile. */
export interface ListPosition {
  /** By what the list is ordered. Null: its size is not known. */
  readonly key: string | number | null;
  readonly serial: number;
}

/** The text with which a list begins that is gone through in pages. */
const start = '*';

export const cursorOf = ({ field, descending }: FileOrder, { key, serial }: ListPosition): string =>
  textOfBytes(new TextEncoder().encode(JSON.stringify([field, descending ? 1 : 0, key, serial])));

/** Undefined: the list begins. */
export function positionOf(cursor: string, order: FileOrder): ListPosition | undefined {
  if (cursor === start) return undefined;
  const [field, descending, key, serial, ...more] = read(cursor);
  const isKey = key === null || typeof key === 'number' || typeof key === 'string';
  const isOurs = isKey && typeof serial === 'number' && Number.isSafeInteger(serial) && more.length === 0;
  if (isOurs && field === order.field && descending === (order.descending ? 1 : 0)) return { key, serial };
  throw badParameter('cursor', 'Expected "*", or "nextCursor" of a list with the same order', cursor);
}

function read(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(readBase64(cursor) ?? new Uint8Array()));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

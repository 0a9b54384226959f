import { serialOf } from '../../core/lib/serial.ts';
import { badParameter, cursorBehind, flag, page, pageOf, type QueryOf, text } from '../../http/parameters/index.ts';
import type { ListPage } from './lists-sql.ts';

/** Query parameters for a page of items or collections. */
export const accessListParameters = (maxPage: number) => ({
  ...page(maxPage, 100),
  cursor: text(
    '"*" starts a list. For the next page: "nextCursor" of the previous answer. A page with fewer entries than asked for is the last one. It replaces "first"',
  ),
  count: flag('Whether the answer has the total number of entries', true),
});

type ListQuery = QueryOf<ReturnType<typeof accessListParameters>>;

/** Page of a list. */
export function listPageOf(query: ListQuery): ListPage {
  const { offset, limit } = pageOf(query);
  const { cursor, count } = query;
  return { offset: cursor === undefined ? offset : 0, limit, below: belowOf(cursor), counts: count };
}

/** Upper bound of the serials behind a cursor, exclusive. */
export function belowOf(cursor: string | undefined): number {
  if (cursor === undefined || cursor === '*') return Number.MAX_SAFE_INTEGER;
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw badParameter('cursor', 'Expected "*", or the "nextCursor" of an answer', cursor);
}

/** Cursor behind an entity of a list. */
export const cursorAt = (id: string): string => String(serialOf(id));

/** Cursor behind a page of such a list. */
export const cursorBehindIds = ({ cursor }: ListQuery, ids: readonly string[]): string | undefined =>
  cursorBehind(cursor, ids, cursorAt);

import { serialOf } from '../../core/lib/serial.ts';
import { badParameter, flag, page, pageOf, type QueryOf, text } from '../../http/parameters/index.ts';
import type { ListPage } from './lists-sql.ts';

/** Query parameters for a page of items or collections. */
export const accessListParameters = (maxPage: number) => ({
  ...page(maxPage, 100),
  cursor: text('"*" starts a list. For the next page: "nextCursor" of the previous answer. It replaces "first"'),
  count: flag('Whether the answer has the total number of entries', true),
});

type ListQuery = QueryOf<ReturnType<typeof accessListParameters>>;

export function listPageOf(query: ListQuery): ListPage {
  const { offset, limit } = pageOf(query);
  const { cursor, count } = query;
  if (cursor === undefined || cursor === '*') {
    return { offset: cursor === undefined ? offset : 0, limit, below: Number.MAX_SAFE_INTEGER, counts: count };
  }
  const below = /^\d{1,15}$/.test(cursor) ? Number(cursor) : undefined;
  if (below === undefined) throw badParameter('cursor', 'Expected "*", or the "nextCursor" of an answer', cursor);
  return { offset: 0, limit, below, counts: count };
}

/** Cursor of the next page, also on the last page. */
export function nextCursorOf({ cursor }: ListQuery, ids: readonly string[]): string | undefined {
  if (cursor === undefined) return undefined;
  const last = ids.at(-1);
  return last === undefined ? cursor : String(serialOf(last));
}

import { serialOf } from '../../core/lib/serial.ts';
import {
  badParameter,
  flag,
  page,
  pageByCursor,
  pageOf,
  type QueryOf,
  text,
  withNext,
} from '../../http/parameters/index.ts';
import type { ListPage } from './lists-sql.ts';

/** Query parameters for a page of items or collections. */
export const accessListParameters = (maxPage: number) => ({
  ...page(maxPage, 100),
  cursor: text(
    '"*" starts a list. For the next page: "nextCursor" of the previous answer, which the last page has not. It replaces "first"',
  ),
  count: flag('Whether the answer has the total number of entries', true),
});

type ListQuery = QueryOf<ReturnType<typeof accessListParameters>>;

/** Page of a list. By a cursor it has one entry more, which tells whether another page follows. */
export function listPageOf(query: ListQuery): ListPage {
  const { offset, limit } = pageOf(query);
  const { cursor, count } = query;
  const below = belowOf(cursor);
  if (cursor === undefined) return { offset, limit, below, counts: count };
  return { offset: 0, limit: withNext(limit), below, counts: count };
}

/** Upper bound of the serials behind a cursor, exclusive. */
export function belowOf(cursor: string | undefined): number {
  if (cursor === undefined || cursor === '*') return Number.MAX_SAFE_INTEGER;
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw badParameter('cursor', 'Expected "*", or the "nextCursor" of an answer', cursor);
}

/** Cursor behind an entity of a list. */
export const cursorAt = (id: string): string => String(serialOf(id));

/** Ids of a page, and the cursor of the next one if there is one. `ids`: by `listPageOf`. */
export function idsOfPage({ cursor, number }: ListQuery, ids: readonly string[]) {
  if (cursor === undefined) return { ids, next: undefined };
  const { page, last } = pageByCursor(ids, number);
  return { ids: page, next: last && cursorAt(last) };
}

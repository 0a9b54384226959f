import { parseDateTime } from '../../../core/documents/index.ts';
import {
  badParameter,
  flag,
  list,
  page,
  pageOf,
  type QueryOf,
  repeated,
  text,
} from '../../../http/parameters/index.ts';

/** Query parameters that filter deletion locks. */
export const lockParameters = (maxPage: number) => ({
  ...page(maxPage, 100),
  onlyEffective: flag('Only the effective lock of each entity', false),
  username: list(text('Only locks of these users')),
  metadata: repeated('Only locks with this metadata: key=value'),
  range: text('Only locks that expire in this range: [d..d], (d..d), (*..d] or [d..*)'),
});

type LockQuery = QueryOf<ReturnType<typeof lockParameters>>;

/** Filter as parameters of the SQL queries. */
export function filterOf(query: LockQuery) {
  const { username, metadata, range } = query;
  const pairs = metadata.map((pair) => {
    const end = pair.indexOf('=');
    if (end < 1) throw badParameter('metadata', 'Expected key=value', pair);
    return [pair.slice(0, end), pair.slice(end + 1)];
  });
  return {
    ...pageOf(query),
    ...rangeOf(range),
    users: username === undefined ? null : JSON.stringify(username),
    pairs,
  };
}

function rangeOf(range: string | undefined): { readonly from: number; readonly to: number } {
  const all = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };
  if (range === undefined) return all;
  const [, opens, first, last, closes] = /^([[(])(.+?)\.\.(.+)([\])])$/.exec(range) ?? [];
  if (first === undefined || last === undefined) throw badRange(range);
  const timeOf = (end: string) => (end === '*' ? undefined : (parseDateTime(end) ?? Number.NaN));
  const [from, to] = [timeOf(first), timeOf(last)];
  if (Number.isNaN(from) || Number.isNaN(to)) throw badRange(range);
  return {
    from: from === undefined ? all.from : from + (opens === '(' ? 1 : 0),
    to: to === undefined ? all.to : to - (closes === ')' ? 1 : 0),
  };
}

const badRange = (range: string) =>
  badParameter('range', 'Expected two times in brackets, such as [2030-01-01T00:00:00Z..*)', range);

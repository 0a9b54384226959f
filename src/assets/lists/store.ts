import type { Value } from '../../store/contract.ts';
import type { Reader } from '../../store/statement.ts';
import { contextWhere, type Viewer } from '../access/viewer.ts';

/** Ids of one page, the newest entity first, and how many there are in all. */
export interface ListedIds {
  readonly hits: number | undefined;
  readonly ids: readonly string[];
}

export interface ListPage {
  readonly offset: number;
  readonly limit: number;
  /** Only entities with a smaller number. */
  readonly below: number;
  readonly counts: boolean;
}

type Listed = 'item' | 'collection';

/** Up to so many readable entities are sorted; of more, the newest are soon found among all. */
const few = 2000;

/** The entities of a kind that a viewer may read. */
export async function listEntities(reader: Reader, viewer: Viewer, type: Listed, page: ListPage): Promise<ListedIds> {
  const { offset, limit, below, counts } = page;
  const { text, values } = contextWhere(viewer, type, type);
  const first = async (sql: string, args: readonly Value[]) => Number((await reader.read(sql, args))[0]![0]);
  const isFew = viewer.administrator
    ? false
    : (await first(`SELECT count(*) FROM (SELECT 1 FROM ${type} WHERE ${text} LIMIT ${few})`, values)) < few;
  // With a plus in front, SQLite does not use the index of the contexts, and takes that of the serials.
  const where = isFew ? text : text.replace(`${type}.context IN`, `+${type}.context IN`);
  const rows = await reader.read(
    `SELECT id FROM ${type} WHERE serial < ? AND ${where} ORDER BY serial DESC LIMIT ? OFFSET ?`,
    [below, ...values, limit, offset],
  );
  const hits = counts ? await first(`SELECT count(*) FROM ${type} WHERE ${text}`, values) : undefined;
  return { hits, ids: rows.map(([id]) => String(id)) };
}

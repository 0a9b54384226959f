import { type SQL, sql } from 'drizzle-orm';
import { prepareSqlQuery, type Reader } from '../../store/statement.ts';
import type { Viewer } from '../access/access.ts';
import { collection, item } from '../tables.ts';

const value = sql.placeholder;

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

const table = { item, collection } as const;

type Listed = keyof typeof table;

/** Up to so many readable entities are sorted; of more, the newest are soon found among all. */
const few = 2000;

const lists = { item: queriesOf('item'), collection: queriesOf('collection') };

function queriesOf(type: Listed) {
  const from = table[type];
  const isReadable = sql`context IN (SELECT value FROM json_each(${value('contexts')}))`;
  // With a plus in front, SQLite does not use the index of the contexts, and takes that of the serials.
  const page = (where: SQL) =>
    prepareSqlQuery(
      sql`SELECT id FROM ${from} WHERE serial < ${value('below')} AND ${where}
        ORDER BY serial DESC LIMIT ${value('limit')} OFFSET ${value('offset')}`,
      { id: sql<string>`` },
    );
  const count = (what: SQL) => prepareSqlQuery(sql`SELECT count(*) FROM ${what}`, { hits: sql<number>`` });
  return {
    pageOfAll: page(sql`TRUE`),
    pageOfFew: page(isReadable),
    pageOfMany: page(sql`+${isReadable}`),
    countAll: count(sql`${from}`),
    count: count(sql`${from} WHERE ${isReadable}`),
    countFew: count(sql`(SELECT 1 FROM ${from} WHERE ${isReadable} LIMIT ${few})`),
  };
}

/** The entities of a kind that a viewer may read. */
export async function listEntities(reader: Reader, viewer: Viewer, type: Listed, page: ListPage): Promise<ListedIds> {
  const { counts, ...range } = page;
  const queries = lists[type];
  const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
  if (viewer.administrator) {
    const ids = idsOf(await queries.pageOfAll(reader, range));
    return { hits: counts ? (await queries.countAll(reader, {}))[0]!.hits : undefined, ids };
  }
  const contexts = viewer.contexts?.having('READ') ?? '[]';
  const isFew = (await queries.countFew(reader, { contexts }))[0]!.hits < few;
  const rows = await (isFew ? queries.pageOfFew : queries.pageOfMany)(reader, { ...range, contexts });
  return { hits: counts ? (await queries.count(reader, { contexts }))[0]!.hits : undefined, ids: idsOf(rows) };
}

import { sql } from 'drizzle-orm';
import { prepareLookup, prepareSqlQuery, type Reader } from '../../store/statement.ts';
import type { Sees } from '../access/access.ts';
import { accessEntry } from '../access/tables.ts';
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

const lists = {
  item: { page: pageOfAll('item'), count: countAll('item') },
  collection: { page: pageOfAll('collection'), count: countAll('collection') },
};

function pageOfAll(type: Listed) {
  return prepareSqlQuery(
    sql`SELECT id FROM ${table[type]} WHERE serial < ${value('below')}
      ORDER BY serial DESC LIMIT ${value('limit')} OFFSET ${value('offset')}`,
    { id: sql<string>`` },
  );
}

function countAll(type: Listed) {
  return prepareLookup((db) => db.select({ hits: sql<number>`count(*)` }).from(table[type]));
}

const pageOfOwned = prepareSqlQuery(
  sql`SELECT entity_id FROM access_entry WHERE user_id = ${value('userId')} AND entity_type = ${value('type')}
      AND entity_serial < ${value('below')} AND permission = 'OWNER'
    ORDER BY entity_serial DESC LIMIT ${value('limit')} OFFSET ${value('offset')}`,
  { id: sql<string>`` },
);

const countOwned = prepareLookup((db) =>
  db
    .select({ hits: sql<number>`count(*)` })
    .from(accessEntry)
    .where(
      sql`${accessEntry.userId} = ${value('userId')} AND ${accessEntry.entityType} = ${value('type')}
        AND ${accessEntry.permission} = 'OWNER'`,
    ),
);

/** The entities of a kind that a caller sees. */
export async function listEntities(reader: Reader, sees: Sees, type: Listed, page: ListPage): Promise<ListedIds> {
  const { counts, ...range } = page;
  const isAll = sees === 'everything';
  const owned = isAll ? undefined : { userId: sees.userId, type };
  const rows = owned ? await pageOfOwned(reader, { ...owned, ...range }) : await lists[type].page(reader, range);
  const count = counts ? await (owned ? countOwned(reader, owned) : lists[type].count(reader, {})) : undefined;
  return { hits: counts ? (count?.hits ?? 0) : undefined, ids: rows.map(({ id }) => id) };
}

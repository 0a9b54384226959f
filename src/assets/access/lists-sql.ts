import type { SqlValue } from '../../core/store/contract.ts';
import type { Reader } from '../../core/store/statement.ts';
import { contextWhere, type Viewer } from './viewer.ts';

/** Page of ids, newest first, with the total. */
interface ListedIds {
  readonly hits: number | undefined;
  readonly ids: readonly string[];
}

export interface ListPage {
  readonly offset: number;
  readonly limit: number;
  /** Upper bound of serials, exclusive. */
  readonly below: number;
  readonly counts: boolean;
}

type Listed = 'item' | 'collection';

/** Number of readable entities up to which they are sorted. With more, scanning the newest is faster. */
const few = 2000;

/** Number of entities that a viewer may read, from counters. */
async function countReadable(reader: Reader, viewer: Viewer, type: Listed): Promise<number> {
  const first = async (text: string, values: readonly SqlValue[]) =>
    Number((await reader.read(text, values, 'one'))[0]![0]);
  if (viewer.administrator) return first('SELECT value FROM counter WHERE name = ?', [`${type}s`]);
  const contexts = viewer.contexts?.having('READ') ?? '[]';
  const ofContexts = `(SELECT COALESCE(sum(entities), 0) FROM access_context
    WHERE kind = ? AND id IN (SELECT value FROM json_each(?)))`;
  const alone = type === 'item' ? viewer.contexts?.alone('READ') : undefined;
  if (!alone) return first(`SELECT ${ofContexts}`, [type, contexts]);
  const those = '(SELECT count(*) FROM json_each(?) AS given CROSS JOIN item ON item.id = given.value';
  return first(`SELECT ${ofContexts} + ${those}) - ${those} AND item.context IN (SELECT value FROM json_each(?)))`, [
    type,
    contexts,
    alone.having,
    alone.all,
    contexts,
  ]);
}

/** Page of entities of a kind that a viewer may read. */
export async function listEntities(reader: Reader, viewer: Viewer, type: Listed, page: ListPage): Promise<ListedIds> {
  const { offset, limit, below, counts } = page;
  const { text, values } = contextWhere(viewer, type, type);
  const counted = counts || !viewer.administrator ? countReadable(reader, viewer, type) : undefined;
  const rowsOf = (where: string) =>
    reader.read(`SELECT id FROM ${type} WHERE serial < ? AND ${where} ORDER BY serial DESC LIMIT ? OFFSET ?`, [
      below,
      ...values,
      limit,
      offset,
    ]);
  if (viewer.administrator) {
    const [hits, rows] = await Promise.all([counted, rowsOf(text)]);
    return { hits, ids: rows.map(([id]) => String(id)) };
  }
  const hits = await counted;
  // The plus makes SQLite use the index of serials instead of contexts.
  const isFew = hits !== undefined && hits < few;
  const where = isFew ? text : text.replace(`${type}.context IN`, `+${type}.context IN`);
  const rows = await rowsOf(where);
  return { hits: counts ? hits : undefined, ids: rows.map(([id]) => String(id)) };
}

const kinds = [
  ['item', 'items'],
  ['collection', 'collections'],
] as const;

const add = (kind: string, by: '+ 1' | '- 1'): string => `
       UPDATE "counter" SET "value" = "value" ${by} WHERE "name" = '${kind}';`;
const move = (row: 'OLD' | 'NEW', by: '+ 1' | '- 1'): string => `
       UPDATE "access_context" SET "entities" = "entities" ${by} WHERE "id" = ${row}."context";`;

/** Counters of items and collections, in total and per context, so that lists need not count rows. */
export const countedSchema: readonly string[] = [
  ...kinds.flatMap(([kind, name]) => [
    `INSERT INTO "counter" ("name", "value") VALUES ('${name}', 0)`,
    `CREATE TRIGGER "counted_${kind}_made" AFTER INSERT ON "${kind}" BEGIN${add(name, '+ 1')}${move('NEW', '+ 1')}
     END`,
    `CREATE TRIGGER "counted_${kind}_gone" AFTER DELETE ON "${kind}" BEGIN${add(name, '- 1')}${move('OLD', '- 1')}
     END`,
    `CREATE TRIGGER "counted_${kind}_moved" AFTER UPDATE OF "context" ON "${kind}"
       WHEN OLD."context" IS NOT NEW."context" BEGIN${move('OLD', '- 1')}${move('NEW', '+ 1')}
     END`,
  ]),
];

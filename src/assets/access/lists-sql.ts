import type { SqlValue } from '../../core/store/contract.ts';
import { lookupReader, type Reader } from '../../core/store/statement.ts';
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

/** Newest entities among which the serving thread looks for a page, and characters of the contexts that it tries. */
const [light, longestLight] = [500, 10_000];

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
  const isLight = sizeOf(values) < longestLight;
  const near = isLight ? lookupReader(reader) : reader;
  const counted = counts || !viewer.administrator ? countReadable(near, viewer, type) : undefined;
  const rowsOf = async (by: Reader, where: string, rows: string = type) => {
    const sql = `SELECT id FROM ${rows} WHERE serial < ?1 AND ${where} ORDER BY serial DESC LIMIT ? OFFSET ?`;
    return (await by.read(sql, [below, ...values, limit, offset])).map(([id]) => String(id));
  };
  if (viewer.administrator) {
    const by = offset < few ? near : reader;
    const [hits, ids] = await Promise.all([counted, rowsOf(by, text)]);
    return { hits, ids };
  }
  const hits = (await counted)!;
  const shown = counts ? hits : undefined;
  if (hits < few) return { hits: shown, ids: await rowsOf(near, text) };
  // The plus makes SQLite use the index of serials instead of contexts.
  const where = text.replace(`${type}.context IN`, `+${type}.context IN`);
  if (isLight && reader.lookups) {
    const newest = `(SELECT id, serial, context FROM ${type} WHERE serial < ?1 ORDER BY serial DESC LIMIT ${light})`;
    const ids = await rowsOf(near, where, `${newest} AS ${type}`);
    if (ids.length === limit) return { hits: shown, ids };
  }
  return { hits: shown, ids: await rowsOf(reader, where) };
}

const sizeOf = (values: readonly SqlValue[]): number =>
  values.reduce<number>((size, value) => size + (typeof value === 'string' ? value.length : 8), 0);

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

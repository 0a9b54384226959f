import { type SQL, sql } from 'drizzle-orm';
import { isFileHash } from '../../../core/store/schema.ts';
import { eachOf, query, type Reader, value, valuesOf } from '../../../core/store/statement.ts';
import { idsOfPage, preparePageCheck, prepareWeights } from '../../../room/entities/key-values/store.ts';
import { lotsOf } from '../../../room/entities/page-weight.ts';
import { file, fileUsage, storage } from '../../tables.ts';
import { hashKey } from '../rules.ts';
import type { FileOrder, FileQuery, ListPosition, ListScopePath } from './query.ts';

/** Index that finds the files of a list. `storages`: all files of a storage, in the order of the list. */
export type ListSource = 'ids' | 'hashes' | 'paths' | 'states' | 'storages';

export interface Slice {
  readonly after: ListPosition | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** A file of a page, with what it is ordered by. */
export interface ListedFile extends ListPosition {
  readonly id: string;
}

export const filesWith = query((db) =>
  db
    .select()
    .from(file)
    .where(sql`${file.id} IN ${valuesOf('ids')}`),
);

/** Each method gives each file an address. */
const addresses = sql`SELECT given.value, octet_length(file.path) + octet_length(uri) FROM ${idsOfPage}
  CROSS JOIN file CROSS JOIN storage_method
  WHERE file.id = given.value AND storage_method.storage_id = file.storage_id AND read = 1`;
const uses = sql`SELECT given.value, 100 FROM ${idsOfPage} CROSS JOIN file_use WHERE file_id = given.value`;

/** Refuse pages whose files have more to tell than is written in one turn. */
export const checkPage = preparePageCheck('file', addresses);
export const checkPageWithUses = preparePageCheck('file', sql`${addresses} UNION ALL ${uses}`);

const fileWeights = prepareWeights('file', sql`${addresses} UNION ALL ${uses}`);

/** Files in lots, for lists that are no pages. */
export async function fileLots<T extends { readonly id: string }>(
  reader: Reader,
  files: readonly T[],
): Promise<readonly (readonly T[])[]> {
  if (files.length <= 1) return [files];
  const weightOf = await fileWeights(
    reader,
    files.map(({ id }) => id),
  );
  return lotsOf(files, ({ id }) => weightOf(id), Number.POSITIVE_INFINITY);
}

const sorting = {
  fileId: { column: 'serial', index: 'file_storage' },
  size: { column: 'size', index: 'file_size' },
  state: { column: 'state', index: 'file_state' },
  timestamp: { column: 'timestamp', index: 'file_timestamp' },
  filename: { column: 'name', index: 'file_name' },
  extension: { column: 'extension', index: 'file_extension' },
} as const;

const keyOf = ({ field }: FileOrder): SQL => sql.raw(`file.${sorting[field].column}`);
const among = (list: readonly string[]): SQL => sql`IN (SELECT value FROM json_each(${JSON.stringify(list)}))`;
const every = (conditions: readonly SQL[]): SQL => sql.join([sql`TRUE`, ...conditions], sql` AND `);
const some = (conditions: readonly SQL[]): SQL => sql`(${sql.join([...conditions], sql` OR `)})`;
const isLive = sql`file.state <> 'TO_BE_DELETED'`;
const isQueued = sql`EXISTS (SELECT 1 FROM file_job WHERE file_id = file.id AND rest_until IS NULL)`;
const isUsed = sql`EXISTS (SELECT 1 FROM file_use WHERE file_id = file.id)`;

/** Condition that one index resolves within a storage. */
interface Seek {
  readonly index: SQL;
  readonly where: SQL;
}

const seek = (index: string, where = sql`TRUE`): Seek => ({ index: sql.raw(index), where });

function seeksOf(source: ListSource, { places, states = [], order }: FileQuery): readonly Seek[] {
  if (source === 'states') return states.map((state) => seek('file_state', sql`file.state = ${state}`));
  if (source !== 'paths') return [seek(sorting[order.field].index)];
  return (places.within ?? []).map((within) =>
    seek(withinIndexes[within.kind], sql`${isLive} AND ${isWithin(within)}`),
  );
}

const withinIndexes = { path: 'file_path', folder: 'file_folder', range: 'file_path', names: 'file_name' } as const;

/** A text is less than any blob: that ends a range that has no other end. */
function isWithin(within: ListScopePath): SQL {
  if (within.kind === 'path') return sql`file.path = ${within.text}`;
  if (within.kind === 'folder') return sql`file.folder = ${within.text}`;
  const column = sql.raw(within.kind === 'names' ? 'file.name' : 'file.path');
  return sql`${column} >= ${within.from} AND ${column} < COALESCE(${within.to}, x'')`;
}

/** Conditions on a file, whatever index finds it. */
function conditionsOf({ ids, states, hashes, used, unqueued, places }: FileQuery): readonly SQL[] {
  const { within, matching, flatAfter } = places;
  const isPlaced = within !== undefined || matching.length > 0;
  return [
    ...(ids ? [sql`file.id ${among(ids)}`] : []),
    ...(states ? [sql`file.state ${among(states)}`] : []),
    // Files that wait for their deletion match no path, unless they are asked for explicitly.
    ...(isPlaced && !states?.includes('TO_BE_DELETED') ? [isLive] : []),
    ...(within ? [some(within.map((each) => sql`(${isWithin(each)})`))] : []),
    ...matching.map(({ column, any }) => some(any.map((each) => sql`${sql.raw(`file.${column}`)} GLOB ${each}`))),
    ...(flatAfter === undefined ? [] : [sql`instr(substr(file.path, ${flatAfter + 1}), '/') = 0`]),
    ...(hashes ? [hasHash(hashes)] : []),
    ...(used === undefined ? [] : [used ? isUsed : sql`NOT ${isUsed}`]),
    ...(unqueued ? [sql`NOT ${isQueued}`] : []),
  ];
}

/** A SHA-256 stands behind the SHA-1 of the same bytes. */
function hasHash({ algorithm, values }: NonNullable<FileQuery['hashes']>): SQL {
  if (algorithm === 'SHA-1') return sql`file.hash IS NOT NULL AND file.hash ${among(values)}`;
  const isSet = sql`file.id IN (SELECT entity_id FROM key_value INDEXED BY key_value_hash WHERE ${sql.raw(isFileHash)}
    AND key = ${hashKey(algorithm)} AND value ${among(values)})`;
  if (algorithm !== 'SHA-256') return isSet;
  const listed = sql`json_each(${JSON.stringify(values)})`;
  return sql`(${isSet} OR file.digest IN (SELECT file.hash || ':' || value FROM ${listed}))`;
}

/** The files of a source that fit, a part behind the other: a query for each of its seeks. */
function parts(storages: readonly string[], source: ListSource, filter: FileQuery, selected: SQL): SQL {
  const fits = every(conditionsOf(filter));
  if (source === 'ids' || source === 'hashes') {
    const index = source === 'hashes' ? sql`INDEXED BY file_hash` : sql``;
    return sql`SELECT ${selected} FROM file ${index} WHERE ${fits} AND file.storage_id ${among(storages)}`;
  }
  const each = seeksOf(source, filter).map(
    ({ index, where }) => sql`SELECT ${selected}
      FROM (SELECT value AS given FROM json_each(${JSON.stringify(storages)})) CROSS JOIN file INDEXED BY ${index}
      WHERE file.storage_id = given AND ${where} AND ${fits}`,
  );
  return sql.join(each, sql` UNION ALL `);
}

const counted = { files: sql<number>``, bytes: sql<number>`` };

/** Number of matching files of a source, and the bytes of their paths, up to a limit. */
export async function countIn(
  reader: Reader,
  storages: readonly string[],
  source: ListSource,
  filter: FileQuery,
  max = Number.MAX_SAFE_INTEGER,
): Promise<{ readonly files: number; readonly bytes: number }> {
  const length = filter.places.matching.length > 0 ? sql`octet_length(file.path)` : sql`0`;
  const fitting = parts(storages, source, filter, sql`${length} AS bytes`);
  const count = query(sql`SELECT COUNT(*), TOTAL(bytes) FROM (${fitting} LIMIT ${max})`, counted);
  return (await count(reader, {}))[0]!;
}

const pageColumns = { id: file.id, key: sql<string | number | null>``, serial: file.serial };

/** Reads all matching files of a small source, and returns one page. */
export async function gather(
  reader: Reader,
  storages: readonly string[],
  source: ListSource,
  filter: FileQuery,
  { after, offset, limit }: Slice,
): Promise<{ readonly hits: number; readonly page: readonly ListedFile[] }> {
  const { order } = filter;
  const fitting = parts(storages, source, filter, sql`file.id, ${keyOf(order)} AS key, file.serial`);
  const behind = after ? some(behindOf(order, after, sql`key`, sql`serial`)) : sql`TRUE`;
  const page = query(
    sql`WITH fitting AS MATERIALIZED (${fitting})
      SELECT (SELECT COUNT(*) FROM fitting), page.id, page.key, page.serial FROM (SELECT 1) LEFT JOIN (
        SELECT id, key, serial FROM fitting WHERE ${behind}
        ORDER BY key ${direction(order)}, serial ${direction(order)} LIMIT ${limit} OFFSET ${offset}
      ) AS page ON TRUE`,
    { hits: sql<number>``, id: sql<string | null>``, key: pageColumns.key, serial: sql<number>`` },
  );
  const rows = await page(reader, {});
  // Past the last one there is a row that has the number and nothing else.
  return { hits: rows[0]?.hits ?? 0, page: rows.flatMap(({ id, ...rest }) => (id === null ? [] : [{ id, ...rest }])) };
}

const direction = ({ descending }: FileOrder): SQL => (descending ? sql`DESC` : sql`ASC`);

/** Conditions for the rows after a position, one for each index range. Unknown sizes sort first. */
function behindOf(
  { field, descending }: FileOrder,
  { key, serial }: ListPosition,
  keySql: SQL,
  serialSql: SQL,
): readonly SQL[] {
  const sign = descending ? sql`<` : sql`>`;
  if (field === 'fileId') return [sql`${serialSql} ${sign} ${serial}`];
  if (key === null) {
    const same = sql`${keySql} IS NULL AND ${serialSql} ${sign} ${serial}`;
    return descending ? [same] : [same, sql`${keySql} IS NOT NULL`];
  }
  const behind = sql`(${keySql}, ${serialSql}) ${sign} (${key}, ${serial})`;
  return descending && field === 'size' ? [behind, sql`${keySql} IS NULL`] : [behind];
}

/**
 * Walks through files in their order and stops when the page is full. Each storage, and each part of a source, is walked
 * by its own index; the database merges them.
 */
export async function walkFiles(
  reader: Reader,
  storages: readonly string[],
  source: 'paths' | 'states' | 'storages',
  filter: FileQuery,
  { after, offset, limit }: Slice,
): Promise<readonly ListedFile[]> {
  const { order } = filter;
  const behind = after ? behindOf(order, after, keyOf(order), sql`file.serial`) : [sql`TRUE`];
  const fits = every(conditionsOf(filter));
  const walks = storages.flatMap((storage) =>
    seeksOf(source, filter).flatMap(({ index, where }) =>
      behind.map(
        (position) => sql`SELECT file.id, ${keyOf(order)} AS key, file.serial FROM file INDEXED BY ${index}
          WHERE file.storage_id = ${storage} AND ${where} AND ${position} AND ${fits}`,
      ),
    ),
  );
  return merged(reader, walks, order, { offset, limit });
}

/** Walks all storages at once, in the order of the files' serials. */
export function walkById(
  reader: Reader,
  storages: readonly string[],
  filter: FileQuery,
  { after, offset, limit }: Slice,
): Promise<readonly ListedFile[]> {
  const { order } = filter;
  const behind = after ? behindOf(order, after, keyOf(order), sql`file.serial`) : [];
  const walked = sql`SELECT file.id, file.serial AS key, file.serial FROM file INDEXED BY file_serial
    WHERE ${every(behind)} AND file.storage_id ${among(storages)} AND ${every(conditionsOf(filter))}`;
  return merged(reader, [walked], order, { offset, limit });
}

async function merged(
  reader: Reader,
  walks: readonly SQL[],
  order: FileOrder,
  { offset, limit }: Pick<Slice, 'offset' | 'limit'>,
): Promise<readonly ListedFile[]> {
  if (walks.length === 0 || limit === 0) return [];
  const by = order.field === 'fileId' ? sql`3 ${direction(order)}` : sql`2 ${direction(order)}, 3 ${direction(order)}`;
  const page = query(
    sql`${sql.join([...walks], sql` UNION ALL `)} ORDER BY ${by} LIMIT ${limit} OFFSET ${offset}`,
    pageColumns,
  );
  return page(reader, {});
}

const usage = { storageId: storage.id, state: sql<string | null>``, files: sql<number | null>`` };
const isWanted = sql`deleted_at IS NULL AND show_importables >= ${value('importables')}
  AND (${value('groups')} IS NULL OR EXISTS (SELECT 1 FROM storage_group_member
    WHERE storage_id = storage.id AND group_name IN ${valuesOf('groups')}))`;

/** Number of files by state, for storages that are not deleted. Counted by triggers. */
export const usageOfAll = query(
  sql`SELECT storage.id, ${fileUsage.state}, ${fileUsage.files}
    FROM storage LEFT JOIN file_usage ON file_usage.storage_id = storage.id WHERE ${isWanted}`,
  usage,
);

/** Usage rows of the given storages. */
export const usageOfSome = query(
  sql`SELECT storage.id, ${fileUsage.state}, ${fileUsage.files} FROM ${eachOf('ids')} AS given
    CROSS JOIN storage ON storage.id = given.value LEFT JOIN file_usage ON file_usage.storage_id = storage.id
    WHERE ${isWanted}`,
  usage,
);

export type UsageRow = Awaited<ReturnType<typeof usageOfAll>>[number];

/** The least folder of these storages from one text up to another. The index gives it without a look at the others. */
const least = sql`(SELECT MIN((SELECT MIN(folder) FROM file
  WHERE storage_id = given.value AND folder >= ${sql.raw('lower_bound')} AND state <> 'TO_BE_DELETED'))
  FROM ${eachOf('ids')} AS given)`;

/** The names behind `below` up to the next slash, and what follows all that such a folder holds. */
const child = sql`${value('below')} || substr(folder, length(${value('below')}) + 1,
  instr(substr(folder, length(${value('below')}) + 1), '/') - 1)`;

/**
 * The folders at the next level below one: each step jumps over all that the folder before holds. `below` ends with a
 * slash, or is empty.
 */
export const foldersBelow = query(
  sql`WITH RECURSIVE found (folder) AS (
      SELECT ${least} FROM (SELECT ${value('below')} || char(1) AS lower_bound)
      UNION ALL
      SELECT (SELECT ${least} FROM (SELECT ${child} || '0' AS lower_bound)) FROM found
        WHERE substr(folder, 1, length(${value('below')})) = ${value('below')}
      LIMIT ${value('max')}
    )
    SELECT ${child} || '/' FROM found
    WHERE substr(folder, 1, length(${value('below')})) = ${value('below')}
    LIMIT ${value('limit')} OFFSET ${value('offset')}`,
  { folder: sql<string>`` },
);

import { sql } from 'drizzle-orm';
import { query, type Reader, value, valuesOf } from '../../core/store/statement.ts';
import type { Page } from '../../http/parameters/index.ts';
import { idsOfPage, preparePageCheck } from '../../room/entities/key-values/store.ts';
import type { ListFilter, NumberRange } from './list-filter.ts';
import { fileCount, freeBytes, usedBytes } from './store.ts';

interface StorageFilter {
  readonly size: NumberRange | undefined;
  readonly freebytes: NumberRange | undefined;
  readonly usedbytes: NumberRange | undefined;
  /** Percent of the capacity. */
  readonly freeamount: NumberRange | undefined;
  readonly files: NumberRange | undefined;
  readonly storagegroup: readonly ListFilter[];
  readonly status: readonly ListFilter[];
  /** `*` and `?` are wildcards. */
  readonly url: string | undefined;
}

const within = (name: string, number: ReturnType<typeof sql>, unit = sql`1`) =>
  sql`(${value(`${name}From`)} IS NULL OR ${number} >= ${value(`${name}From`)} * ${unit})
    AND (${value(`${name}To`)} IS NULL OR ${number} <= ${value(`${name}To`)} * ${unit})`;

const memberOf = (name: string) =>
  sql`EXISTS (SELECT 1 FROM storage_group_member WHERE storage_id = storage.id AND group_name IN ${valuesOf(name)})`;

const select = query(
  sql`WITH fitting AS MATERIALIZED (
      SELECT id, serial FROM storage WHERE deleted_at IS NULL
        AND ${within('size', sql`capacity`)}
        AND ${within('freebytes', freeBytes)}
        AND ${within('usedbytes', usedBytes)}
        AND ${within('freeamount', sql`${freeBytes} * 100`, sql`capacity`)}
        AND ${within('files', fileCount)}
        AND (json_array_length(${value('groups')}) = 0 OR ${memberOf('groups')})
        AND (json_array_length(${value('notGroups')}) = 0 OR NOT ${memberOf('notGroups')})
        AND (json_array_length(${value('states')}) = 0 OR state IN ${valuesOf('states')})
        AND state NOT IN ${valuesOf('notStates')}
        AND (${value('url')} IS NULL
          OR EXISTS (SELECT 1 FROM storage_method WHERE storage_id = storage.id AND uri GLOB ${value('url')}))
    )
    SELECT (SELECT COUNT(*) FROM fitting), page.id FROM (SELECT 1) LEFT JOIN (
      SELECT id FROM fitting ORDER BY serial LIMIT ${value('limit')} OFFSET ${value('offset')}
    ) AS page ON TRUE`,
  { hits: sql<number>``, id: sql<string | null>`` },
);

/** The ids of one page in the order in which the storages were made, and how many storages fit in all. */
export async function listStorages(
  reader: Reader,
  { size, freebytes, usedbytes, freeamount, files, storagegroup, status, url }: StorageFilter,
  page: Page,
): Promise<{ readonly hits: number; readonly ids: readonly string[] }> {
  const ranges = { size, freebytes, usedbytes, freeamount, files };
  const ends = Object.entries(ranges).flatMap(([name, range]) => [
    [`${name}From`, range?.from ?? null],
    [`${name}To`, range?.to ?? null],
  ]);
  const rows = await select(reader, {
    ...Object.fromEntries(ends),
    groups: named(storagegroup, false),
    notGroups: named(storagegroup, true),
    states: named(status, false),
    notStates: named(status, true),
    // The matcher of the database knows brackets, too.
    url: url?.replaceAll('[', '[[]') ?? null,
    ...page,
  });
  return { hits: rows[0]?.hits ?? 0, ids: rows.flatMap(({ id }) => (id === null ? [] : [id])) };
}

const named = (list: readonly ListFilter[], not: boolean): string =>
  JSON.stringify(list.filter((each) => each.not === not).map((each) => each.value));

/** Bytes that count for one method: its document has about ten values. */
const methodWeight = 2000;

/** Methods and their metadata count, too. */
export const checkStoragePage = preparePageCheck(
  'storage',
  sql`SELECT given.value, ${sql.raw(String(methodWeight))} FROM ${idsOfPage} CROSS JOIN storage_method WHERE storage_id = given.value
    UNION ALL
    SELECT given.value, octet_length(key_value.value) FROM ${idsOfPage} CROSS JOIN storage_method CROSS JOIN key_value
      WHERE storage_id = given.value AND entity_type = 'storage-method' AND entity_id = storage_method.id`,
);

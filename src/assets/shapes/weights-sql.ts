import { type SQL, sql } from 'drizzle-orm';
import { eachOf, query, type Reader } from '../../core/store/statement.ts';
import { bytesOfOne, lotsOf } from '../../room/entities/page-weight.ts';

const givenIds = sql`${eachOf('ids')} AS given`;
const keyValues = (owner: string, id: SQL): SQL =>
  sql`CROSS JOIN key_value ON entity_type = ${owner} AND entity_id = ${id}`;

/** Bytes per unit for components: their known properties are written faster than values of callers. */
const bytesOfComponent = 5 * bytesOfOne;

/**
 * Prepares a query for the weights of shape documents: components, files, and key-value metadata. `shown`: shapes of a
 * page, with the id that they count for.
 */
function prepareWeights(shown: SQL): (reader: Reader, ids: readonly string[]) => Promise<(id: string) => number> {
  const weigh = query(
    sql`WITH shown (id, shape) AS (${shown}),
      part (id, component, bytes) AS (SELECT shown.id, component.id, octet_length(document)
        FROM shown CROSS JOIN component ON component.shape_id = shown.shape),
      used (id, file) AS (SELECT part.id, file_use.file_id
        FROM part CROSS JOIN file_use ON file_use.component_id = part.component),
      weight (id, weight) AS (
        SELECT id, 1 + bytes / ${bytesOfComponent} FROM part
        UNION ALL SELECT shown.id, 1 + octet_length(value) / ${bytesOfOne} FROM shown ${keyValues('shape', sql`shown.shape`)}
        UNION ALL SELECT part.id, 1 + octet_length(value) / ${bytesOfOne} FROM part ${keyValues('component', sql`part.component`)}
        UNION ALL SELECT used.id, 1 + octet_length(value) / ${bytesOfOne} FROM used ${keyValues('file', sql`used.file`)}
        UNION ALL SELECT used.id, 1 + (octet_length(file.path) + octet_length(uri)) / ${bytesOfOne} FROM used
          CROSS JOIN file ON file.id = used.file
          CROSS JOIN storage_method ON storage_method.storage_id = file.storage_id AND read = 1
      )
      SELECT id, TOTAL(weight) FROM weight GROUP BY id`,
    { id: sql<string>``, weight: sql<number>`` },
  );
  return async (reader, ids) => {
    const rows = await weigh(reader, { ids });
    const weights = new Map(rows.map(({ id, weight }) => [id, weight]));
    return (id) => weights.get(id) ?? 0;
  };
}

const shapeWeights = prepareWeights(sql`SELECT given.value, given.value FROM ${givenIds}`);

/** Batches of shapes by weight, for unpaged lists. */
export async function shapeLots<T extends { readonly id: string }>(
  reader: Reader,
  shapes: readonly T[],
): Promise<readonly (readonly T[])[]> {
  if (shapes.length <= 1) return [shapes];
  const ids = shapes.map(({ id }) => id);
  const weightOf = await shapeWeights(reader, ids);
  return lotsOf(shapes, ({ id }) => weightOf(id), Number.POSITIVE_INFINITY);
}

/** Weights of items: shapes of the latest essence version, as in documents of items. */
export const itemShapeWeights = prepareWeights(
  sql`SELECT item_id, shape.id FROM ${givenIds} CROSS JOIN shape ON item_id = given.value AND essence_version =
    (SELECT max(essence_version) FROM shape AS other WHERE other.item_id = given.value)`,
);

import { expect } from 'vitest';
import type { Database } from '../../../src/core/store/contract.ts';

/** Rows that nothing may leave behind, whenever the process stops: each query finds what is broken. */
const broken: readonly (readonly [says: string, sql: string])[] = [
  ...['item', 'collection'].flatMap((type) => [
    [
      `one OWNER entry of each ${type}`,
      `SELECT id FROM ${type} WHERE 1 <> (SELECT count(*) FROM access_entry
        WHERE entity_type = '${type}' AND entity_id = ${type}.id AND permission = 'OWNER')`,
    ] as const,
    [
      `an event for each ${type}`,
      `SELECT id FROM ${type} WHERE 1 <> (SELECT count(*) FROM event WHERE name = '${type}/create' AND entity_id = ${type}.id)`,
    ] as const,
    [
      `no access entry, metadata or change set without its ${type}`,
      `SELECT entity_id FROM access_entry WHERE entity_type = '${type}' AND entity_id NOT IN (SELECT id FROM ${type})
        UNION ALL SELECT owner_id FROM metadata_state WHERE owner_type = '${type}' AND owner_id NOT IN (SELECT id FROM ${type})
        UNION ALL SELECT owner_id FROM metadata_change_set WHERE owner_type = '${type}' AND owner_id NOT IN (SELECT id FROM ${type})`,
    ] as const,
    [
      `no member that is a deleted ${type}`,
      `SELECT member_id FROM collection_member WHERE member_type = '${type}' AND member_id NOT IN (SELECT id FROM ${type})`,
    ] as const,
  ]),
  ...['item', 'collection'].flatMap((type) => [
    [
      `the number of ${type}s that lists tell`,
      `SELECT value FROM counter WHERE name = '${type}s' AND value <> (SELECT count(*) FROM ${type})`,
    ] as const,
    [
      `the number of ${type}s of each context`,
      `SELECT id FROM access_context WHERE kind = '${type}'
        AND entities <> (SELECT count(*) FROM ${type} WHERE context = access_context.id)`,
    ] as const,
  ]),
  [
    'no member of a deleted collection',
    'SELECT collection_id FROM collection_member WHERE collection_id NOT IN (SELECT id FROM collection)',
  ],
  ['no shape of a deleted item', 'SELECT id FROM shape WHERE item_id NOT IN (SELECT id FROM item)'],
  ['no component of a deleted shape', 'SELECT id FROM component WHERE shape_id NOT IN (SELECT id FROM shape)'],
  [
    'one event for each change set',
    `SELECT id FROM metadata_change_set WHERE owner_type IN ('item', 'collection') AND 1 <> (SELECT count(*) FROM event
      WHERE name IN ('metadata/modify', 'collection/metadata/modify') AND metadata_change_set.id = CASE json_type(payload) WHEN 'array' THEN 'VX-' || (payload ->> 0) ELSE payload ->> 'changeSetId' END)`,
  ],
  [
    // An undone change set may have been a newer one: its number is never given again.
    'each change set in its state',
    `SELECT owner_id FROM metadata_state WHERE newest < (SELECT max(serial) FROM metadata_change_set
      WHERE metadata_change_set.owner_type = metadata_state.owner_type AND metadata_change_set.owner_id = metadata_state.owner_id)`,
  ],
  [
    'the number of members that each collection tells',
    `SELECT id FROM collection WHERE items <> (SELECT count(*) FROM collection_member
      WHERE collection_id = collection.id AND member_type = 'item')`,
  ],
];

export async function expectWholeAssets(database: Pick<Database, 'read'>): Promise<void> {
  for (const [says, sql] of broken) expect((await database.read(sql)).flat(), `Expected ${says}`).toEqual([]);
}

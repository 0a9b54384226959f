import type { Sent, World } from '../../support/matrix.ts';
import type { Rule } from './rule.ts';

/** Ids that no serial reaches, two for each caller. */
const numbers = new Map<string, number>();

export function numberOf(who: string): number {
  const number = numbers.get(who) ?? 700_000 + 2 * numbers.size;
  numbers.set(who, number);
  return number;
}

/** The item, collection, relation and deletion lock of a caller, and an item besides. */
const oneOf = (who: string): string => `VX-${numberOf(who)}`;
const otherOf = (who: string): string => `VX-${numberOf(who) + 1}`;
const nameOf = (who: string): string => `ns-${numberOf(who)}`;
const externalOf = (who: string): string => `tape_${numberOf(who)}`;

const owned = (type: string, more: number): string =>
  `INSERT INTO access_entry (entity_type, entity_id, id, entity_serial, user_id, permission, priority, applies_to)
    SELECT '${type}', 'VX-' || (?1 + ${more}), 'O-' || ?1, ?1, user.id, 'OWNER', 0, '["all"]' FROM user WHERE name = ?2`;

const inserts: readonly string[] = [
  `INSERT INTO item (id, serial, created_at) VALUES ('VX-' || ?1, ?1, 0), ('VX-' || (?1 + 1), ?1 + 1, 0)`,
  `INSERT INTO collection (id, serial, created_at) VALUES ('VX-' || ?1, ?1, 0)`,
  owned('item', 0),
  owned('item', 1),
  owned('collection', 0),
  `INSERT INTO library (id, serial, created_at, update_mode, auto_refresh, used_at)
    VALUES ('VX*' || ?1, ?1, 0, 'MERGE', 0, 0)`,
  owned('library', 0).replace("'VX-' ||", "'VX*' ||"),
  `INSERT INTO library_item (library_id, item_serial, item_id) VALUES ('VX*' || ?1, ?1, 'VX-' || ?1)`,
  `INSERT INTO key_value (entity_type, entity_id, key, position, value) VALUES ('library', 'VX*' || ?1, 'k', 0, 'v')`,
  `INSERT INTO collection_member (collection_id, member_type, member_id, position, reference)
    VALUES ('VX-' || ?1, 'item', 'VX-' || ?1, 1, 'R-' || ?1)`,
  `INSERT INTO item_relation (id, serial, source, target, type)
    VALUES ('VX-' || ?1, ?1, 'VX-' || ?1, 'VX-' || (?1 + 1), 'D')`,
  `INSERT INTO item_lock (item_id, user_id, user, expires_at)
    SELECT 'VX-' || (?1 + 1), user.id, name, 9000000000000 FROM user WHERE name = ?2`,
  ...['item', 'collection'].map(
    (type, more) =>
      `INSERT INTO deletion_lock (id, serial, entity_type, entity_id, user_id, user, expires_at, modified_at)
        SELECT 'VX-' || (?1 + ${more}), ?1 + ${more}, '${type}', 'VX-' || ?1, user.id, name, 1, 0
          FROM user WHERE name = ?2`,
  ),
  `INSERT INTO storage (id, serial, type, state, capacity, auto_detect, low_watermark, high_watermark, scan_interval,
      show_importables, priority, rest, version, created_at)
    VALUES ('VX-' || ?1, ?1, 'LOCAL', 'NONE', 1000, 0, 100, 100, 60, 1, 'MEDIUM', '{}', 1, 0)`,
  `INSERT INTO file (id, serial, storage_id, path, folder, name, extension, state, changed_at, timestamp, version)
    VALUES ('VX-' || ?1, ?1, 'VX-' || ?1, ?1 || '.mov', '', 'a.mov', 'mov', 'CLOSED', 0, 0, 1)`,
  `INSERT INTO deletion_lock (id, serial, entity_type, entity_id, user_id, user, expires_at, modified_at)
    SELECT 'F-' || ?1, ?1 + 100000, 'file', 'VX-' || ?1, user.id, name, 1, 0 FROM user WHERE name = ?2`,
  `INSERT INTO deletion_lock (id, serial, entity_type, entity_id, user_id, user, expires_at, modified_at)
    SELECT 'L-' || ?1, ?1 + 200000, 'library', 'VX*' || ?1, user.id, name, 1, 0 FROM user WHERE name = ?2`,
  `INSERT INTO file_use (file_id, item_id, shape_id, component_id)
    VALUES ('VX-' || ?1, 'VX-' || ?1, 'U-' || ?1, 'U-' || ?1)`,
  ...['item', 'collection'].map(
    (type) => `INSERT INTO usage_term (entity_type, entity_id, usable_until, user_id, user, modified_at)
      VALUES ('${type}', 'VX-' || ?1, 2200000000000, '', '', 0)`,
  ),
  `INSERT INTO key_value (entity_type, entity_id, key, position, value)
    SELECT 'deletion-lock', value, 'k', 0, 'v' FROM json_each(json_array('VX-' || ?1, 'VX-' || (?1 + 1), 'F-' || ?1, 'L-' || ?1))`,
  ...['item', 'collection', 'library'].map(
    (type) =>
      `INSERT INTO external_id (entity_type, external_id, entity_id, namespace)
        VALUES ('${type}', 'tape_' || ?1, 'VX${type === 'library' ? '*' : '-'}' || ?1, 'ns-' || ?1)`,
  ),
];

/** Namespace of one caller. Kept apart from the other rows, because the number of namespaces is limited. */
const namespaceRow = `INSERT INTO external_id_namespace (name, pattern, priority)
  VALUES ('ns-' || ?1, 'tape_' || ?1 || '.*', 0)`;

/** Metadata, which each collection has from its creation on. */
const stateRow = `INSERT INTO metadata_state (owner_type, owner_id, version, newest, changed_at, doc)
  VALUES ('collection', 'VX-' || ?1, 1, 0, 0, '{"c":[],"s":[]}')`;
const moreRows = (path: string): readonly string[] => [
  ...(path.includes('external-id') ? [namespaceRow] : []),
  ...(path === '/collection/:collection' ? [stateRow] : []),
];

/** An item of the caller in a collection, with all that belongs to both. */
export async function assetRowsOf(
  { service: { store } }: World,
  who: string,
  caller = 'admin',
  more: readonly string[] = [],
): Promise<void> {
  const number = numberOf(who);
  const changes = [...inserts, ...more].map((sql) => ({ sql, args: sql.includes('?2') ? [number, caller] : [number] }));
  await store.commit({ changes, events: [] }, { user: 'test' });
}

type Asked = readonly [route: string, query?: string, body?: Sent['body']];

const filled = (path: string, who: string): string =>
  path
    .replace(/:library\b/g, `VX*${numberOf(who)}`)
    .replace('/library/:entity/deletion-lock', `/library/VX*${numberOf(who)}/deletion-lock`)
    .replace(/(\/library\/[^/]+\/deletion-lock)\/:lock/, `$1/L-${numberOf(who)}`)
    .replace('/collection/:entity/deletion-lock/:lock', `/collection/${oneOf(who)}/deletion-lock/${otherOf(who)}`)
    .replace('file/:entity/deletion-lock/:lock', `file/${oneOf(who)}/deletion-lock/F-${numberOf(who)}`)
    .replace(/:(?:item|collection|member|relation|entity|lock)\b/g, oneOf(who))
    .replace(':other', otherOf(who))
    .replace(/:key\{\.\+\}/, 'k')
    .replace(':namespace', nameOf(who))
    .replace(':externalId', externalOf(who))
    .replace(':access', `A-${numberOf(who)}`)
    .replace(':profile', oneOf(who))
    .replace(':group', `group-${numberOf(who)}`)
    .replace('owner/:user', 'owner/admin');

export const rowsFor = (needs: Rule['needs'], asked: readonly Asked[]): readonly Rule[] =>
  asked.map(([route, query = '', body]) => {
    const [method, path] = route.split(' ') as [string, string];
    return {
      route,
      needs,
      rows: (world, of, caller) => assetRowsOf(world, of, caller, moreRows(path)),
      request: (who) => {
        // A lock of the caller is on the other item: one of somebody else would be in the way.
        const isLocked = path.endsWith('/lock') && (method === 'GET' || method === 'DELETE');
        const at = isLocked ? path.replace(':item', otherOf(who)) : path;
        return { request: `${method} /API${filled(at, who)}${filled(query, who)}`, body };
      },
    };
  });

const lock = { expiryTime: '2030-01-01T00:00:00Z' };
const terms = { usableUntil: '2040-01-01T00:00:00Z' };
const namespace = { pattern: 'x' };
const externalIds = (path: string): readonly Asked[] => [
  [`DELETE ${path}/external-id`],
  [`PUT ${path}/external-id/:externalId`],
  [`DELETE ${path}/external-id/:externalId`],
];
const oneLock = (path: string): { readonly reads: readonly Asked[]; readonly writes: readonly Asked[] } => ({
  reads: [[`GET ${path}/:lock`], [`GET ${path}/:lock/metadata`], [`GET ${path}/:lock/metadata/:key{.+}`]],
  writes: [
    [`PUT ${path}/:lock`, '', lock],
    [`DELETE ${path}/:lock`],
    [`PUT ${path}/:lock/metadata`, '', {}],
    [`DELETE ${path}/:lock/metadata`],
    [`PUT ${path}/:lock/metadata/:key{.+}`],
    [`DELETE ${path}/:lock/metadata/:key{.+}`],
  ],
});
const locks = (path: string): { readonly reads: readonly Asked[]; readonly writes: readonly Asked[] } => ({
  reads: [[`GET ${path}/:entity/deletion-lock`], ...oneLock(`${path}/:entity/deletion-lock`).reads],
  writes: [[`POST ${path}/:entity/deletion-lock`, '', lock], ...oneLock(`${path}/:entity/deletion-lock`).writes],
});

export const assetRules: readonly Rule[] = [
  ...rowsFor('_item_read', [
    ['GET /item/:item'],
    ['GET /item/:item/collections'],
    ['GET /item/:item/library'],
    ['GET /item/:item/lock'],
    ['GET /item/:item/relation'],
    ['GET /item/:item/external-id'],
    ['GET /item/:item/usage'],
    ['GET /item/:item/restore'],
    ['GET /relation/:relation'],
  ]),
  ...rowsFor('_item_uri', [['GET /item/:item/uri']]),
  ...rowsFor('_item_write', [
    ['DELETE /item', '?id=:item'],
    ['DELETE /item/:item'],
    ['POST /item/:item/lock'],
    ['POST /item/:item/restore', '?expirationInDays=1'],
    ['PUT /item/:item/restore', '?expirationInDays=1'],
    ['PUT /item/:item/lock'],
    ['DELETE /item/:item/lock'],
    ['POST /item/:item/relation/:other', '?direction=S'],
    ['DELETE /item/:item/relation/:other'],
    ['DELETE /item/:item/relation'],
    ['PUT /relation/:relation'],
    ['DELETE /relation/:relation'],
    ...externalIds('/item/:item'),
    ['DELETE /item/:item/:externalId'],
  ]),
  ...rowsFor('_collection_read', [
    ['GET /collection/:collection'],
    ['GET /collection/:collection/ancestor'],
    ['GET /collection/:collection/external-id'],
    ['GET /collection/:collection/usage'],
  ]),
  ...rowsFor(
    '_usage_write',
    ['/item/:item', '/collection/:collection'].flatMap((path): readonly Asked[] => [
      [`PUT ${path}/usage`, '', terms],
      [`DELETE ${path}/usage`],
    ]),
  ),
  ...rowsFor('_collection_write', [
    ['DELETE /collection', '?id=:collection'],
    ['PUT /collection/:collection', '', {}],
    ['DELETE /collection/:collection'],
    ['POST /collection/:collection/order', '', {}],
    ['POST /collection/:collection/version', '', {}],
    ['PUT /collection/:collection/rename', '?name=a'],
    ['PUT /collection/:collection/map-to-folder'],
    ['DELETE /collection/:collection/map-to-folder'],
    ['PUT /collection/:collection/folder-name', '?name=a'],
    ['PUT /collection/:collection/:member'],
    ['DELETE /collection/:collection/:member'],
    ...externalIds('/collection/:collection'),
  ]),
  ...rowsFor('_library_read', [
    ['GET /library/:library'],
    ['GET /library/:library/settings'],
    ['GET /library/:library/metadata'],
    ['GET /library/:library/metadata/:key{.+}'],
    ['GET /library/:library/external-id'],
  ]),
  ...rowsFor('_library_write', [
    ['DELETE /library', '?id=:library'],
    ['PUT /library/:library', '', {}],
    ['DELETE /library/:library'],
    ['PUT /library/:library/:item'],
    ['DELETE /library/:library/:item'],
    ['PUT /library/:library/settings', '', {}],
    ['PUT /library/:library/item-metadata', '', {}],
    ['PUT /library/:library/metadata', '', {}],
    ['DELETE /library/:library/metadata'],
    ['PUT /library/:library/metadata/:key{.+}'],
    ['DELETE /library/:library/metadata/:key{.+}'],
    ...externalIds('/library/:library'),
  ]),
  ...rowsFor('_deletion_lock_read', [
    ...oneLock('/deletion-lock').reads,
    ...locks('/item').reads,
    ...locks('/collection').reads,
    ...locks('/library').reads,
    ...locks('/file').reads,
    ...locks('/storage/file').reads,
  ]),
  ...rowsFor('_deletion_lock_write', [
    ...oneLock('/deletion-lock').writes,
    ...locks('/item').writes,
    ...locks('/collection').writes,
    ...locks('/library').writes,
    ...locks('/file').writes,
    ...locks('/storage/file').writes,
  ]),
  ...rowsFor('_administrator', [
    ['GET /external-id/:namespace'],
    ['PUT /external-id/:namespace', '', namespace],
    ['DELETE /external-id/:namespace'],
    ['DELETE /external-id/id/:externalId'],
  ]),
];

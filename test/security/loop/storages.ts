import type { Statement } from '../../../src/core/store/contract.ts';
import { fullMetadata, jsonList } from './bodies.ts';
import { fresh, get, hostileTo, json, type Load } from './load.ts';

const none: readonly Load[] = [];
const one = '/storage/:storage';
const group = '/storage/storage-group';
const rule = '/shape-tag/storage-rule';

/** A thousand pairs of metadata, in the room that a body leaves. */
const metadata = fullMetadata(999, 800);
const methods = (place: string) => jsonList('[', (index) => `{"uri":"ftp://host/${place}/${index}/"}`, ']', 49);
const storage = (place: string) => `{"method":${methods(place)},"metadata":${metadata}}`;
const names = (from: number, count = 1000) => jsonList('[', (index) => `"L-${from + index}"`, ']', count);
const rules = `{"storage":${names(1)},"not":{"storage":${names(1001)}},"pool":{"storage":${names(2001)}}}`;
const filters = jsonList('[', (index) => `{"pattern":"(a|b|${index}){1,40}.*[a-z]+"}`, ']');
/** As many as an address names. */
const many = (prefix: string) => Array.from({ length: 500 }, (_, index) => `${prefix}${index}`).join();

const ofKeyValues = (path: string, rich: string): Readonly<Record<string, readonly Load[]>> => ({
  [`GET ${path}/metadata`]: [get(`${rich}/metadata`)],
  [`PUT ${path}/metadata`]: [
    ...hostileTo(`PUT /API${rich}/metadata`, 'SimpleMetadataDocument'),
    { title: 'as many pairs as there may be', request: () => json(`PUT /API${rich}/metadata`, metadata) },
  ],
  [`DELETE ${path}/metadata`]: none,
  [`GET ${path}/metadata/:key{.+}`]: [get(`${rich}/metadata/key-1/part`)],
  [`PUT ${path}/metadata/:key{.+}`]: none,
  [`DELETE ${path}/metadata/:key{.+}`]: none,
});

/** By route, what is costlier than long parameters. */
export const storageLoads: Readonly<Record<string, readonly Load[]>> = {
  'GET /storage': [
    get('/storage'),
    get('/storage?first=4000'),
    get('/storage?freebytes=1-&usedbytes=-1TB&freeamount=1-100&files=-5&status=-READY'),
    get(`/storage?url=${'*a?'.repeat(84)}`, 'a pattern that almost fits'),
    get(`/storage?storagegroup=${many('-group-')}`, 'as many groups as an address names'),
  ],
  'POST /storage': [
    ...hostileTo('POST /API/storage', 'StorageDocument', 'every'),
    { title: 'full lists', status: 200, request: (run) => json('POST /API/storage', storage(fresh('made', run))) },
  ],
  [`GET ${one}`]: [get('/storage/L-1')],
  [`PUT ${one}`]: [
    ...hostileTo('PUT /API/storage/L-2', 'StorageDocument'),
    {
      title: 'full lists',
      status: 200,
      request: (run) => json(`PUT /API/storage/L-${100 + run}`, storage(fresh('put', run))),
    },
  ],
  [`DELETE ${one}`]: [
    {
      title: 'of many files',
      status: 204,
      request: (run) => ({ request: `DELETE /API/storage/L-${4000 + run}?safe=true` }),
    },
  ],
  [`PUT ${one}/type/:type`]: none,
  [`GET ${one}/status`]: none,
  [`GET ${one}/freespace`]: [get('/storage/L-1/freespace')],
  [`GET ${one}/usedspace`]: [get('/storage/L-1/usedspace')],
  'POST /storage/rescan': none,
  [`POST ${one}/rescan`]: none,
  [`PUT ${one}/evacuate`]: none,
  [`DELETE ${one}/evacuate`]: none,
  [`GET ${one}/method`]: [get('/storage/L-1/method')],
  [`PUT ${one}/method`]: none,
  [`DELETE ${one}/method`]: none,
  [`GET ${one}/method/:method`]: none,
  [`PUT ${one}/method/:method`]: none,
  [`DELETE ${one}/method/:method`]: none,
  [`GET ${group}`]: [get(group, 'many groups of many storages', 400), get(`${group}?number=20`)],
  [`GET ${group}/:group`]: [get(`${group}/group-0`), get(`${group}/group-0?first=4000`)],
  [`PUT ${group}/:group`]: none,
  [`DELETE ${group}/:group`]: [
    {
      title: 'of many storages',
      status: 200,
      request: (run) => ({ request: `DELETE /API${group}/group-${100 + run}` }),
    },
  ],
  [`PUT ${group}/:group/:storage`]: none,
  [`DELETE ${group}/:group/:storage`]: none,
  [`GET ${one}/export`]: [get('/storage/L-1/export')],
  'POST /storage/import': [
    ...hostileTo('POST /API/storage/import?path=ftp://host/in/', 'StorageImportDocument'),
    {
      title: 'as many files as there may be',
      status: 200,
      request: () =>
        json(
          'POST /API/storage/import?path=ftp://host/in/',
          jsonList('{"file":[', (index) => `{"fileId":"F-${index}","path":"${'p/'.repeat(400)}${index}"}`, ']}'),
        ),
    },
  ],
  ...ofKeyValues(one, '/storage/L-1'),
  ...ofKeyValues(`${one}/method/:method`, '/storage/L-1/method/L-1'),
  ...ofKeyValues(`${group}/:group`, `${group}/group-0`),
  [`GET ${one}/external-id`]: none,
  [`DELETE ${one}/external-id`]: none,
  [`PUT ${one}/external-id/:externalId`]: none,
  [`DELETE ${one}/external-id/:externalId`]: none,
  'GET /storage/auto-import': [get('/storage/auto-import'), get('/storage/auto-import?first=1500')],
  [`GET ${one}/auto-import`]: none,
  [`PUT ${one}/auto-import`]: [
    ...hostileTo('PUT /API/storage/L-1/auto-import', 'AutoImportRuleDocument'),
    {
      title: 'as many patterns as there may be',
      request: () => json('PUT /API/storage/L-1/auto-import', `{"excludeFilter":${filters}}`),
    },
  ],
  [`DELETE ${one}/auto-import`]: none,
  [`PUT ${one}/auto-import/enable`]: none,
  [`PUT ${one}/auto-import/disable`]: none,
  'GET /storage-rule': [
    get('/storage-rule'),
    get('/storage-rule?first=2000'),
    get(`/storage-rule?tag=${many('tag-')}`),
  ],
  [`GET ${rule}`]: [get(rule)],
  [`PUT ${rule}`]: [
    ...hostileTo(`PUT /API${rule}`, 'StorageRuleDocument'),
    { title: 'full lists', status: 200, request: () => json(`PUT /API${rule}/full`, rules) },
  ],
  [`DELETE ${rule}`]: none,
  [`GET ${rule}/:tag`]: none,
  [`PUT ${rule}/:tag`]: none,
  [`POST ${rule}/:tag`]: none,
  [`DELETE ${rule}/:tag`]: none,
  'GET /import/storage': [
    get('/import/storage'),
    get('/import/storage?tag=full'),
    get(`/import/storage?tag=${many('tag-')}`),
    get('/import/storage?item=SH-300'),
  ],
};

const upTo = (count: number, sql: string): Statement => ({
  sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) ${sql}`,
  args: [count],
});

/**
 * The storage `L-1` has as many methods, pairs and files as it can have, and `group-0` has all storages. Rules and groups
 * name many of them.
 */
export const storageState: readonly Statement[] = [
  upTo(
    5000,
    `INSERT INTO storage (id, serial, type, state, capacity, auto_detect, low_watermark, high_watermark, scan_interval,
        show_importables, priority, rest, version, created_at)
      SELECT 'L-' || i, 1000000 + i, 'LOCAL', 'READY', 1000000, 0, 100, 100, 60, 1, 'MEDIUM', '{}', 1, 0 FROM n`,
  ),
  upTo(
    5000,
    `INSERT INTO storage_method (id, serial, storage_id, uri, read, write, browse, bandwidth, type, version)
      SELECT 'L-' || i, 1000000 + i, 'L-' || i, 'ftp://host/' || printf('%.300c', 'a') || i, 1, 1, 1, 0, '', 1 FROM n`,
  ),
  // Folders of these lie within each other.
  upTo(
    300,
    `INSERT INTO storage_method (id, serial, storage_id, uri, read, write, browse, bandwidth, type, version)
      SELECT 'O-' || i, 3000000 + i, 'L-' || (i + 1000), 'ftp://host/overlapping/', 1, 1, 1, 0, '', 1 FROM n`,
  ),
  upTo(
    49,
    `INSERT INTO storage_method (id, serial, storage_id, uri, read, write, browse, bandwidth, type, version)
      SELECT 'M-' || i, 2000000 + i, 'L-1', 'ftp://host/' || printf('%.1900c', 'a') || i, 1, 1, 1, 0, '', 1 FROM n`,
  ),
  ...(
    [
      ['storage', 'L-1', 999, 1000],
      ['storage-method', 'L-1', 499, 200],
      ['storage-group', 'group-0', 999, 1000],
    ] as const
  ).map(([owner, id, pairs, length]) =>
    upTo(
      pairs,
      `INSERT INTO key_value (entity_type, entity_id, key, position, value)
        SELECT '${owner}', '${id}', 'key-' || i || '/part', 0, printf('%.${length}c', '<') FROM n`,
    ),
  ),
  upTo(
    50_000,
    `INSERT INTO file (id, serial, storage_id, path, folder, name, extension, state, size, changed_at, timestamp, version)
      SELECT 'L-' || i, i, CASE WHEN i < 40000 THEN 'L-1' ELSE 'L-4000' END, printf('%.300c', 'p') || i, '', 'n', '', 'CLOSED',
        1, 0, 0, 1 FROM n`,
  ),
  upTo(1200, `INSERT INTO storage_group (name, created_at) SELECT 'group-' || (i - 1), 0 FROM n`),
  upTo(5000, `INSERT INTO storage_group_member (group_name, storage_id) SELECT 'group-0', 'L-' || i FROM n`),
  upTo(
    60_000,
    `INSERT INTO storage_group_member (group_name, storage_id)
      SELECT 'group-' || (100 + i / 1000), 'L-' || (1 + i % 1000) FROM n`,
  ),
  upTo(
    2000,
    `INSERT INTO auto_import_rule (storage_id, enabled, document) SELECT 'L-' || i, 1, '{"tag":["a"]}' FROM n`,
  ),
  upTo(
    3000,
    `INSERT INTO storage_rule (entity_type, entity_id, tag, precedence, document)
      SELECT 'GENERIC', '', 'tag-' || i, 2, '{"storage":["' || printf('%.200c', 's') || '"]}' FROM n`,
  ),
  // The item SH-300 is in many collections, each of which has a rule and is in another one.
  upTo(
    500,
    `INSERT INTO collection_member (collection_id, member_type, member_id, position, reference)
      SELECT 'RC-' || i, 'item', 'SH-300', i, 'r' || i FROM n
      UNION ALL SELECT 'RC-' || (i + 500), 'collection', 'RC-' || i, i, 's' || i FROM n`,
  ),
  upTo(
    1000,
    `INSERT INTO storage_rule (entity_type, entity_id, tag, precedence, document)
      SELECT 'COLLECTION', 'RC-' || i, '', 2, '{"storage":["' || printf('%.200c', 's') || '"]}' FROM n`,
  ),
];

import type { Statement } from '../../../src/core/store/contract.ts';
import { fullMetadata, jsonList } from './bodies.ts';
import { fresh, get, hostileTo, json, type Load } from './load.ts';

const none: readonly Load[] = [];
const one = '/metadata-field/:field';
const groups = '/metadata-field/field-group';
const group = `${groups}/:group`;

const metadata = fullMetadata(999, 800);
const values = jsonList('{"field":[', (index) => `{"key":"key-${index}","value":"${'v'.repeat(800)}"}`, ']}');
const newFields = (name: string) =>
  jsonList(
    '{"field":[',
    (index) =>
      `{"name":"x_${name.replace('-', '_')}_${index}","type":"string","stringRestriction":{"pattern":"(a|b){1,40}"}}`,
    ']}',
  );
const entries = jsonList('{"access":[', () => '{"user":"admin","permission":"READ"}', ']}', 200);
const patterns = Array.from({ length: 300 }, (_, index) => `*a*b*${index}`).join();

const alike = (path: string, rich: string): Readonly<Record<string, readonly Load[]>> => ({
  [`DELETE ${path}`]: none,
  [`GET ${path}/access`]: [get(`${rich}/access`)],
  [`POST ${path}/access`]: none,
  [`GET ${path}/access/:access`]: none,
  [`DELETE ${path}/access/:access`]: none,
  [`GET ${path}/merged-access`]: [get(`${rich}/merged-access?username=rich`)],
  [`GET ${path}/metadata`]: [get(`${rich}/metadata`)],
  [`PUT ${path}/metadata`]: [
    ...hostileTo(`PUT /API${rich}/metadata`, 'SimpleMetadataDocument'),
    { title: 'as many pairs as there may be', request: () => json(`PUT /API${rich}/metadata`, metadata) },
  ],
  [`DELETE ${path}/metadata`]: none,
  [`GET ${path}/metadata/:key{.+}`]: [get(`${rich}/metadata/key-1/part`)],
  [`PUT ${path}/metadata/:key{.+}`]: none,
  [`DELETE ${path}/metadata/:key{.+}`]: none,
  [`GET ${path}/external-id`]: none,
  [`DELETE ${path}/external-id`]: none,
  [`PUT ${path}/external-id/:externalId`]: none,
  [`DELETE ${path}/external-id/:externalId`]: none,
});

/** By route, what is costlier than long parameters. */
export const definitionLoads: Readonly<Record<string, readonly Load[]>> = {
  'GET /metadata-field': [
    get('/metadata-field'),
    get('/metadata-field?first=2000&data=all'),
    get('/metadata-field?data=all&includeValues=true', 'too many values', 400),
    get('/metadata-field?data=all&includeValues=true&number=20'),
    get(`/metadata-field?data=${patterns}`, 'patterns that almost fit', 400),
  ],
  'GET /metadata-field/terse-schema': [get('/metadata-field/terse-schema')],
  'GET /metadata-field/merged-access': [get('/metadata-field/merged-access?username=rich')],
  [`GET ${one}`]: [get('/metadata-field/rich_1?data=all&includeValues=true')],
  [`PUT ${one}`]: [
    ...hostileTo('PUT /API/metadata-field/rich_2', 'MetadataFieldDocument', 'every'),
    { title: 'full lists', request: () => json('PUT /API/metadata-field/rich_2', `{"values":${values}}`) },
  ],
  [`GET ${one}/values`]: [
    get('/metadata-field/rich_1/values'),
    get('/metadata-field/rich_1/values?key-regex=(k|e)*y.*&value-regex=(v|w)*x'),
  ],
  [`PUT ${one}/values`]: [{ title: 'full', request: () => json('PUT /API/metadata-field/rich_2/values', values) }],
  [`GET ${one}/allowed-values`]: [get('/metadata-field/rich_1/allowed-values')],
  [`POST ${one}/allowed-values`]: none,
  ...alike(one, '/metadata-field/rich_1'),
  [`GET ${groups}`]: [
    get(groups),
    get(`${groups}?content=true`, 'too many members', 400),
    get(`${groups}?traverse=true&first=2&number=10&data=rich*`),
    { title: 'many values', request: () => ({ request: `GET /API${groups}?traverse=true&number=1000&data=all` }) },
  ],
  [`GET ${groups}/merged-access`]: [get(`${groups}/merged-access?username=rich&number=10`)],
  [`GET ${group}`]: [
    get(`${groups}/full`),
    get(`${groups}/full?traverse=true`),
    get(`${groups}/full?data=all`, 'too many values', 400),
  ],
  [`PUT ${group}`]: [
    ...hostileTo(`PUT /API${groups}/made`, 'MetadataFieldGroupDocument', 'every'),
    {
      title: 'as many new fields as a list has',
      status: 200,
      request: (run) => json(`PUT /API${groups}/${fresh('made', run)}`, newFields(fresh('m', run))),
    },
    {
      title: 'as many entries as there may be',
      status: 200,
      request: (run) => json(`PUT /API${groups}/${fresh('granted', run)}`, entries),
    },
  ],
  [`PUT ${group}/:field`]: none,
  [`DELETE ${group}/:field`]: none,
  [`PUT ${group}/group/:child`]: none,
  [`DELETE ${group}/group/:child`]: none,
  ...alike(group, `${groups}/full`),
};

const upTo = (count: number, sql: string): Statement => ({
  sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) ${sql}`,
  args: [count],
});

/** The field `rich_1` and the group `full` have as much as they can have; 3000 fields are in each of 300 groups or few. */
export const definitionState: readonly Statement[] = [
  upTo(
    3000,
    `INSERT INTO metadata_field (name, type, system, sort_key, rest)
      SELECT 'rich_' || i, 'string', 0, 'rich' || i, '{"defaultValue":"d","restriction":{"of":"string","maxLength":100}}' FROM n`,
  ),
  upTo(
    300,
    `INSERT INTO metadata_field_values (field, pairs)
      SELECT 'rich_' || i, (SELECT json_group_array(json_array('key' || value, 'value' || value))
        FROM json_each('[' || substr(replace(hex(zeroblob(500)), '00', ',1'), 2) || ']')) FROM n`,
  ),
  ...(
    [
      ['metadata-field', 'rich_1'],
      ['field-group', 'full'],
    ] as const
  ).map(([owner, id]) =>
    upTo(
      999,
      `INSERT INTO key_value (entity_type, entity_id, key, position, value)
        SELECT '${owner}', '${id}', 'key-' || i || '/part', 0, printf('%.1000c', '<') FROM n`,
    ),
  ),
  upTo(
    3000,
    `INSERT INTO key_value (entity_type, entity_id, key, position, value)
      SELECT 'metadata-field', 'rich_' || i, printf('%.200c', 'a') || i, 0, 'v' FROM n`,
  ),
  upTo(300, `INSERT INTO metadata_field_group SELECT 'group-' || i, 'group' || i, '{}', 1 FROM n`),
  upTo(1, `INSERT INTO metadata_field_group SELECT 'full', 'full', '{}', 1 FROM n`),
  upTo(
    30_000,
    `INSERT INTO metadata_field_group_member
      SELECT 'group-' || (1 + i / 100), 'field', 'rich_' || (1 + i % 100), i, '{}' FROM n WHERE i < 29999`,
  ),
  upTo(2000, `INSERT INTO metadata_field_group_member SELECT 'full', 'field', 'rich_' || i, i, '{}' FROM n`),
  ...['field', 'group'].map((kind) =>
    upTo(
      200,
      `INSERT INTO metadata_field_access
        SELECT 'L-${kind}-' || i, i, '${kind}', '${kind === 'field' ? 'rich_1' : 'full'}', NULL, 'L-' || i, 1 FROM n`,
    ),
  ),
];

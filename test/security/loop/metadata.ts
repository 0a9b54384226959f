import type { Statement } from '../../../src/store/contract.ts';
import { jsonList } from './bodies.ts';
import { get, hostileTo, json, type Load } from './load.ts';

const none: readonly Load[] = [];

const fields = jsonList(
  '{"timespan":[{"field":[',
  (index) => `{"name":"title","track":"A${index + 1}","value":["${'v'.repeat(900)}"]}`,
  ']}]}',
);
const spans = jsonList(
  '{"timespan":[',
  (index) => `{"start":"${index}@30000:1001","end":"+INF","field":[{"name":"title","value":["a","b","c"]}]}`,
  ']}',
);

const ofPlace = (path: string, rich: string): Readonly<Record<string, readonly Load[]>> => ({
  [`GET ${path}/metadata`]: [
    get(`${rich}/metadata`),
    get(`${rich}/metadata?field=title&track=A1-999&language=*a*,none&samplerate=NTSC`),
  ],
  [`PUT ${path}/metadata`]: [
    ...hostileTo(`PUT /API${rich}/metadata`, 'MetadataDocument'),
    {
      title: 'as many fields as a list may have',
      status: 200,
      request: () => json(`PUT /API${rich}/metadata`, fields),
    },
    { title: 'as many timespans', status: 200, request: () => json(`PUT /API${rich}/metadata`, spans) },
  ],
  [`PUT ${path}/metadata/move`]: none,
  [`PUT ${path}/metadata/entry`]: none,
  [`PUT ${path}/metadata/entry/:uuid`]: none,
  [`GET ${path}/metadata/changes`]: [get(`${rich}/metadata/changes`)],
  [`PUT ${path}/metadata/changes`]: none,
  [`GET ${path}/metadata/changes/:change`]: none,
  [`PUT ${path}/metadata/changes/:change`]: none,
  [`DELETE ${path}/metadata/changes/:change`]: none,
  [`GET ${path}/metadata/changes/:change/compareTo/previous`]: none,
  [`GET ${path}/metadata/changes/:change/compareTo/:older`]: none,
  [`PUT ${path}/metadata/changes/trim`]: [
    {
      title: 'of many change sets',
      status: 200,
      request: () => ({ request: `PUT /API${rich}/metadata/changes/trim` }),
    },
  ],
  [`PUT ${path}/metadata/changes/:change/trim`]: none,
  [`GET ${path}/metadata-lock`]: none,
  [`POST ${path}/metadata-lock`]: none,
  [`GET ${path}/metadata-lock/:lock`]: none,
  [`PUT ${path}/metadata-lock/:lock`]: none,
  [`DELETE ${path}/metadata-lock/:lock`]: none,
});

/** By route, what is costlier than long parameters. */
export const metadataLoads: Readonly<Record<string, readonly Load[]>> = {
  ...ofPlace('/item/:item', '/item/M-1'),
  ...ofPlace('/collection/:collection', '/collection/M-1'),
  ...ofPlace('', ''),
  'GET /metadata/:uuid': none,
  'DELETE /metadata/:uuid': none,
};

const delta = JSON.stringify({
  spans: [{ start: '-INF', end: '+INF', fields: [{ n: 0, name: 'title', values: [{ n: 1, text: 'a' }] }], groups: [] }],
});

/** The item and the collection `M-1`, and the global metadata, each with a thousand change sets. */
export const metadataState: readonly Statement[] = [
  ...['item', 'collection'].map((kind) => ({
    sql: `INSERT INTO ${kind} (id, serial, created_at) VALUES ('M-1', 999999, 0)`,
    args: [],
  })),
  ...['item', 'collection', 'global'].map((kind, index) => ({
    sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO metadata_change_set (serial, id, owner_type, owner_id, user, at, delta)
      SELECT ?1 + i, 'M-' || (?1 + i), '${kind}', '${kind === 'global' ? 'global' : 'M-1'}', 'ann', 0, ?2 FROM n`,
    args: [5_000_000 + 10_000 * index, delta],
  })),
];

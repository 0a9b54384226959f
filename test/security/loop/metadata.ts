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

const ofPlace = (path: string, rich: string, below = '/metadata'): Readonly<Record<string, readonly Load[]>> => ({
  [`GET ${path}${below}`]: [
    get(`${rich}${below}`),
    get(`${rich}${below}?field=title&track=A1-999&language=*a*,none&samplerate=NTSC`),
  ],
  [`PUT ${path}${below}`]: [
    ...hostileTo(`PUT /API${rich}${below}`, 'MetadataDocument'),
    {
      title: 'as many fields as a list may have',
      status: 200,
      request: () => json(`PUT /API${rich}${below}`, fields),
    },
    { title: 'as many timespans', status: 200, request: () => json(`PUT /API${rich}${below}`, spans) },
  ],
  [`PUT ${path}${below}/move`]: none,
  [`PUT ${path}${below}/entry`]: none,
  [`PUT ${path}${below}/entry/:uuid`]: none,
  [`GET ${path}${below}/changes`]: [get(`${rich}${below}/changes`)],
  [`PUT ${path}${below}/changes`]: none,
  [`GET ${path}${below}/changes/:change`]: none,
  [`PUT ${path}${below}/changes/:change`]: none,
  [`DELETE ${path}${below}/changes/:change`]: none,
  [`GET ${path}${below}/changes/:change/compareTo/previous`]: none,
  [`GET ${path}${below}/changes/:change/compareTo/:older`]: none,
  [`PUT ${path}${below}/changes/trim`]: [
    {
      title: 'of many change sets',
      status: 200,
      request: () => ({ request: `PUT /API${rich}${below}/changes/trim` }),
    },
  ],
  [`PUT ${path}${below}/changes/:change/trim`]: none,
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
  ...ofPlace('/document/:document', '/document/M-1', ''),
  'GET /document': none,
  'DELETE /document/:document': none,
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
  { sql: `INSERT INTO metadata_document (id, created_at) VALUES ('M-1', 0)`, args: [] },
  ...['item', 'collection', 'document', 'global'].map((kind, index) => ({
    sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO metadata_change_set (serial, id, owner_type, owner_id, user, at, delta)
      SELECT ?1 + i, 'M-' || (?1 + i), '${kind}', '${kind === 'global' ? 'global' : 'M-1'}', 'ann', 0, ?2 FROM n`,
    args: [5_000_000 + 10_000 * index, delta],
  })),
];

import type { Statement } from '../../../src/core/store/contract.ts';
import { filled, jsonList } from './bodies.ts';
import { get, hostileTo, json, type Load, sixty } from './load.ts';

const none: readonly Load[] = [];

/** A table, and the job that writes or checks it. */
const table = (title: string, dryRun: boolean, csv: () => string): Load => ({
  title: `${title}, dryRun=${dryRun}`,
  status: 200,
  works: 10_000,
  request: () => ({
    request: `POST /API/import/metadata-table?dryRun=${dryRun}`,
    headers: { 'content-type': 'text/csv' },
    body: csv(),
  }),
});
const tables = [true, false].flatMap((dryRun) => [
  table('one cell of 330,000 values', dryRun, () => filled('itemId,title\nM-1,', () => 'a', '; ', '\n')),
  table('as many rows as fit', dryRun, () => filled('itemId,title\n', (at) => `M-L${1 + (at % 100)},a; b`, '\n', '\n')),
  table(
    'as many columns as fit',
    dryRun,
    () => `${filled('itemId', (at) => `,rich_${at + 1}`, '', '\n', 199)}M-1${',a'.repeat(199)}\n`,
  ),
]);

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
  'POST /import/metadata-table': tables,
  'DELETE /metadata/:uuid': none,
};

/** Spans of a film with subtitles, as many as a file of them may have. */
const spansOfCues = 20_000;

/** A read of each route that goes through all spans of one entity, and a change of it. */
const long = '/item/M-2';
const changeOfCues = 'M-5100000';
export const longDocumentLoads: Readonly<Record<string, readonly Load[]>> = {
  'GET /item/:item': [get(`${long}?content=metadata`), get(`${long}?content=metadata&terse=true`)],
  'GET /item': [
    get(`/item?content=metadata&first=1&number=1`),
    sixty('/item?content=metadata&first=5&number=100'),
    sixty('/item?number=100'),
  ],
  'GET /item/:item/metadata': [
    get(`${long}/metadata`),
    get(`${long}/metadata?field=stl_text&interval=generic`),
    get('/item/M-3/metadata', 'as many values of one field as there may be'),
    get('/item/M-5/metadata?conflict=false', 'as many values in conflict as there may be'),
    get('/item/M-4/metadata', 'more values than there may be, stored before there was a bound'),
  ],
  'PUT /item/:item/metadata': [
    {
      title: 'one field beside 20,000 subtitles',
      status: 200,
      request: (run) =>
        json(
          `PUT /API${long}/metadata`,
          JSON.stringify({ timespan: [{ field: [{ name: 'title', value: [{ value: `${run}` }] }] }] }),
        ),
    },
    {
      title: 'a value beside as many as there may be',
      status: 200,
      request: (run) =>
        json(
          'PUT /API/item/M-3/metadata',
          JSON.stringify({ timespan: [{ field: [{ name: 'title', mode: 'add', value: [{ value: `v${run}` }] }] }] }),
        ),
    },
  ],
  'GET /item/:item/metadata/changes': [get(`${long}/metadata/changes`)],
  'GET /item/:item/metadata/changes/:change': [get(`${long}/metadata/changes/${changeOfCues}`)],
  'GET /item/:item/metadata/changes/:change/compareTo/previous': [
    get(`${long}/metadata/changes/${changeOfCues}/compareTo/previous`),
  ],
  'PUT /item/:item/metadata/changes/trim': [
    {
      title: 'of 20,000 subtitles',
      status: 200,
      request: () => ({ request: `PUT /API${long}/metadata/changes/trim` }),
    },
  ],
  'GET /item/:item/metadata/graph/dot': [get(`${long}/metadata/graph/dot`)],
  'GET /item/:item/metadata/export/ttml': [get(`${long}/metadata/export/ttml`)],
  'GET /item/:item/metadata/export/scc': [get(`${long}/metadata/export/scc`)],
};

const cues = Array.from({ length: spansOfCues }, (_, at) => ({
  start: `${at * 1500}@1000`,
  end: `${at * 1500 + 1400}@1000`,
  at,
}));
const longState = JSON.stringify({
  c: [[changeOfCues, 'ann', 0]],
  s: cues.map(({ start, end, at }) => [[start, end], [['stl_text', 2 * at, [`a${at}`]]]]),
});
const longDelta = JSON.stringify({
  spans: cues.map(({ start, end, at }) => ({
    start,
    end,
    fields: [{ n: 2 * at, name: 'stl_text', values: [{ n: 2 * at + 1, text: `a${at}` }] }],
    groups: [],
  })),
});

/** Field with almost as many values as an item may have. */
const fullField = JSON.stringify({
  c: [['M-5100001', 'ann', 0]],
  s: [[['-INF', '+INF'], [['title', 0, Array(49_900).fill('a')]]]],
});

/** As a table could bring them to an item before there was a bound. */
const manyValues = JSON.stringify({
  c: [['M-5100001', 'ann', 0]],
  s: [[['-INF', '+INF'], [['title', 0, Array(660_000).fill('a')]]]],
});

const conflicts = JSON.stringify({
  c: [['M-5100001', 'ann', 0]],
  s: [[['-INF', '+INF'], [['title', 0, Array.from({ length: 49_900 }, (_, at) => ['a', at + 1, null, 1])]]]],
});

const listed = JSON.stringify({
  c: [['M-5100001', 'ann', 0]],
  s: [[['-INF', '+INF'], Array.from({ length: 20 }, (_, at) => [`title A${at}`, 2 * at, ['v'.repeat(40)]])]],
});

const delta = JSON.stringify({
  spans: [{ start: '-INF', end: '+INF', fields: [{ n: 0, name: 'title', values: [{ n: 1, text: 'a' }] }], groups: [] }],
});

/** Item `M-3` has the most values of one field, `M-4` more, `M-5` those in conflict, `M-L…` a few. The item and the collection `M-1`, and the global metadata, each with a thousand change sets. `M-2` has subtitles. */
export const metadataState: readonly Statement[] = [
  { sql: `INSERT INTO item (id, serial, created_at) VALUES ('M-2', 999998, 0)`, args: [] },
  {
    sql: `INSERT INTO metadata_state (owner_type, owner_id, version, newest, changed_at, doc)
      VALUES ('item', 'M-2', 1, 5100000, 0, ?1)`,
    args: [longState],
  },
  { sql: `INSERT INTO item (id, serial, created_at) VALUES ('M-3', 999997, 0)`, args: [] },
  {
    sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
      INSERT INTO item (id, serial, created_at) SELECT 'M-L' || i, 998000 + i, 0 FROM n`,
    args: [],
  },
  {
    sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
      INSERT INTO metadata_state (owner_type, owner_id, version, newest, changed_at, doc)
      SELECT 'item', 'M-L' || i, 1, 5100001, 0, ?1 FROM n`,
    args: [listed],
  },
  {
    sql: `INSERT INTO metadata_state (owner_type, owner_id, version, newest, changed_at, doc)
      VALUES ('item', 'M-3', 1, 5100001, 0, ?1)`,
    args: [fullField],
  },
  ...[manyValues, conflicts].flatMap((doc, at) => [
    { sql: `INSERT INTO item (id, serial, created_at) VALUES ('M-' || ?1, 990000 - ?1, 0)`, args: [4 + at] },
    {
      sql: `INSERT INTO metadata_state (owner_type, owner_id, version, newest, changed_at, doc)
        VALUES ('item', 'M-' || ?1, 1, 5100001, 0, ?2)`,
      args: [4 + at, doc],
    },
  ]),
  {
    sql: `INSERT INTO metadata_change_set (serial, id, owner_type, owner_id, user, at, delta)
      VALUES (5100000, '${changeOfCues}', 'item', 'M-2', 'ann', 0, ?1)`,
    args: [longDelta],
  },
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

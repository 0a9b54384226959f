import type { Statement } from '../../../src/core/store/contract.ts';
import { jsonList } from './bodies.ts';
import { get, json, type Load } from './load.ts';

const bulky = '/item/SH-1/metadata/bulky';
/** As many segments as are written, with the longest path: each of its characters is another one in the answer. */
const written = (type: string): Load => ({
  title: `as many segments and as long a path as there may be, as ${type}`,
  status: 200,
  request: () =>
    json(
      `POST /API/sequence/export?type=${type}`,
      jsonList(
        `{"item":[{"id":"SH-1","path":"${'\\n&'.repeat(2048)}"}],"sequence":{"track":[{"segment":[`,
        (at) =>
          `{"item":"SH-1","sourceTrack":1,"in":{"samples":${at},"timeBase":{"numerator":1,"denominator":25}},"out":{"samples":${at + 1},"timeBase":{"numerator":1,"denominator":25}}}`,
        ']}]}}',
        999,
      ),
    ),
});
const put = (title: string, target: string, text: string): Load => ({
  title,
  status: 200,
  request: () => json(`PUT /API${target}`, text),
});

/** By route, what is costlier than long parameters and hostile documents. */
export const attachmentLoads: Readonly<Record<string, readonly Load[]>> = {
  'GET /item/:item/metadata/bulky': [get(bulky)],
  'GET /item/:item/metadata/bulky/:bulky': [get(`${bulky}/rich`)],
  'GET /item/:item/metadata/bulky/:bulky/as-file': [get(`${bulky}/rich/as-file`)],
  'PUT /item/:item/metadata/bulky': [
    put(
      'as many values as fit',
      '/item/SH-5/metadata/bulky',
      jsonList('{"field":[', (at) => `{"key":"k","value":"v","start":"${at}","end":"${at + 1}"}`, ']}', 1000),
    ),
  ],
  'GET /collection/:collection/version/export': [
    get('/collection/SH-V/version/export'),
    get('/collection/SH-V/version/export?type=fcp'),
    get('/collection/SH-V/version/export?type=otio'),
  ],
  'POST /sequence/export': [written('edl'), written('fcp'), written('otio')],
  'PUT /item/:item/sequence/:format': [
    put(
      'as many segments as there may be',
      '/item/SH-6/sequence/vidispine',
      jsonList('{"track":[{"segment":[', () => '{"item":"SH-1","sourceTrack":1}', ']}]}', 1000),
    ),
  ],
};

const at = (samples: number) => ({ samples, timeBase: { numerator: 1, denominator: 25 } });
/** As many as a version has, with as many segments as are written. */
const sequences = Array.from({ length: 50 }, (_, number) => ({
  id: `sequence-${number}`,
  track: [
    {
      segment: Array.from({ length: 20 }, (_each, index) => ({
        item: `SH-${number * 20 + index + 1}`,
        sourceTrack: 1,
        in: at(index),
        out: at(index + 1),
      })),
    },
  ],
}));

/** The item SH-1 has as many values as one may have, half of them of one key, and SH-V is a version of a project. */
export const attachmentState: readonly Statement[] = [
  {
    sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
      INSERT INTO bulky_value (owner_type, owner_id, key, start, end, stream, channel, track, start_seconds, end_seconds, value)
      SELECT 'item', 'SH-1', CASE WHEN i % 2 = 0 THEN 'rich' ELSE 'key-' || i END, i, i + 1, -1, -1, '', i, i + 1,
        '{"value":"of one moment"}' FROM n`,
    args: [],
  },
  { sql: `INSERT INTO collection (id, serial, created_at) VALUES ('SH-V', 990001, 0)`, args: [] },
  {
    sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9900)
      INSERT INTO collection_member (collection_id, member_type, member_id, position, reference)
      SELECT 'SH-V', 'item', 'SH-' || i, i, 'v' || i FROM n`,
    args: [],
  },
  {
    sql: `INSERT INTO attachment (owner_type, owner_id, kind, name, media_type, content, changed_at)
      VALUES ('collection', 'SH-V', 'version-sequences', 'vidispine', 'application/json', CAST(? AS BLOB), 0)`,
    args: [JSON.stringify({ sequence: sequences })],
  },
];

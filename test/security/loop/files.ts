import type { Statement } from '../../../src/core/store/contract.ts';
import { fullMetadata, jsonList } from './bodies.ts';
import { fresh, get, json, type Load } from './load.ts';

const file = '/file/:file';

/** As many as an address names. */
const ids = Array.from({ length: 500 }, (_, index) => `F-${index * 100}`).join();
/** Pattern that almost fits each path, at each place. */
const pattern = `*${'a'.repeat(200)}b*`;

const queries = [
  '',
  'number=1000&includeItem=true',
  'first=49000&number=1000',
  'sort=size%20desc&number=1000',
  'path=folder-1&sort=filename&number=1000',
  'path=folder-1&recursive=false&prefix=true&prefixNumber=1000',
  'prefix=true&prefixFirst=10000&prefixNumber=1000',
  'filter=noitem&sort=timestamp&first=10000',
  'filter=item&number=1000',
  'state=LOST,CLOSED&sort=state%20desc&first=10000',
  `wildcard=true&path=${pattern}`,
  `wildcard=true&ignorecase=true&path=${pattern}`,
  'wildcard=true&path=*c*a*7.mov&number=1000',
  'hash=da39a3ee5e6b4b0d3255bfef95601890afd80709&number=1000',
  'hash=00000000000000000000000000000000&algorithm=MD5',
  `id=${ids}`,
] as const;

const listed = (path: string): readonly Load[] =>
  queries.map((query) => ({
    title: query.slice(0, 60),
    // Some of them are refused, because they would cost too much.
    request: () => ({ request: `GET /API${path}?${query}` }),
  }));

const search = (document: string, title: string): Load => ({
  title,
  request: () => json('PUT /API/search/file', document),
});

/** By route, what is costlier than long parameters and hostile documents. */
export const fileLoads: Readonly<Record<string, readonly Load[]>> = {
  'GET /storage/file': listed('/storage/file'),
  'GET /storage/:storage/file': listed('/storage/F-1/file'),
  'GET /storage/importable': listed('/storage/importable'),
  'GET /search/file': [
    get('/search/file?number=1000&includeItem=true', 'a refused page', 400),
    get('/search/file?number=20&includeItem=true'),
  ],
  'PUT /search/file': [
    search(
      jsonList('{"field":[{"name":"path","value":[', (index) => `"*${'a'.repeat(200)}${index}*"`, ']}]}', 100),
      'values',
    ),
    search(
      jsonList('{"text":[', (index) => `"${'a'.repeat(200)}${index}"`, ']}', 20),
      'texts',
    ),
    search('{"field":[{"name":"filename","value":["file-*"]}],"sort":[{"field":"size"}]}', 'many names'),
  ],
  'POST /storage/:storage/file': [
    {
      title: 'as much metadata as there may be',
      status: 200,
      request: (run) =>
        json('POST /API/storage/F-1/file', `{"path":"${fresh('made', run)}","metadata":${fullMetadata(900)}}`),
    },
  ],
  [`GET ${file}`]: [get('/file/F-1?includeItem=true')],
  [`GET ${file}/shape`]: [get('/file/F-1/shape')],
  [`POST ${file}/path`]: [
    {
      title: 'with much metadata and many uses',
      status: 200,
      request: (run) => ({ request: `POST /API/file/F-1/path?duplicate=true&path=${fresh('moved', run)}` }),
    },
  ],
  [`GET ${file}/metadata`]: [get('/file/F-1/metadata')],
  [`GET ${file}/metadata/:key{.+}`]: [get('/file/F-1/metadata/key-1/part')],
};

const upTo = (count: number, sql: string): Statement => ({
  sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) ${sql}`,
  args: [count],
});

/** The storage `F-1` has fifty thousand files with long paths; `F-1` among them has as much metadata and many uses. */
export const fileState: readonly Statement[] = [
  upTo(
    1,
    `INSERT INTO storage (id, serial, type, state, capacity, auto_detect, low_watermark, high_watermark, scan_interval,
        show_importables, priority, rest, version, created_at)
      SELECT 'F-' || i, 700000 + i, 'LOCAL', 'READY', 1000000, 0, 100, 100, 60, 1, 'MEDIUM', '{}', 1, 0 FROM n`,
  ),
  upTo(
    10,
    `INSERT INTO storage_method (id, serial, storage_id, uri, read, write, browse, bandwidth, type, version)
      SELECT 'F-' || i, 700000 + i, 'F-1', 'ftp://host/' || printf('%.200c', 'a') || i, 1, 1, 1, 0, '', 1 FROM n`,
  ),
  upTo(
    50_000,
    `INSERT INTO file (id, serial, storage_id, path, folder, name, extension, state, size, hash, changed_at, timestamp, version)
      SELECT 'F-' || i, 700000 + i, 'F-1', printf('folder-%d/%.300c/file-%d.mov', i / 1000, 'a', i),
        printf('folder-%d/%.300c/', i / 1000, 'a'), printf('file-%d.mov', i), 'mov',
        CASE WHEN i % 100 = 0 THEN 'LOST' ELSE 'CLOSED' END, i * 7919 % 50021,
        'da39a3ee5e6b4b0d3255bfef95601890afd80709', 0, i * 104729 % 50021, 1 FROM n`,
  ),
  upTo(
    20_000,
    `INSERT INTO file_use (file_id, item_id, shape_id, component_id) SELECT 'F-' || i, 'VX-' || i, 'VX-' || i, 'VX-' || i FROM n`,
  ),
  upTo(
    2_000,
    `INSERT INTO file_use (file_id, item_id, shape_id, component_id) SELECT 'F-1', 'VX-1', 'VX-' || (i / 10), 'U-' || i FROM n`,
  ),
  upTo(
    999,
    `INSERT INTO key_value (entity_type, entity_id, key, position, value)
      SELECT 'file', 'F-1', 'key-' || i || '/part', 0, printf('%.1000c', '<') FROM n`,
  ),
];

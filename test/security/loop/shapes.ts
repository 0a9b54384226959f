import type { Statement } from '../../../src/core/store/contract.ts';
import { fullMetadata, jsonList } from './bodies.ts';
import { get, json, type Load } from './load.ts';

const all = '/item/:item/shape';
const one = `${all}/:shape`;
const part = `${one}/component/:component`;
const rich = '/item/SH-1/shape';
const richShape = `${rich}/SH-1`;

const changing = (title: string, request: string, status = 200): Load => ({
  title,
  status,
  request: () => ({ request }),
});

/** Runs change different items of the same form. */
const itemOf = (run: number): string => `SH-${10 + run}`;

/** By route, what is costlier than long parameters and hostile documents. */
export const shapeLoads: Readonly<Record<string, readonly Load[]>> = {
  [`GET ${all}`]: [
    get(`${rich}?version=all&placeholder=all&url=true`),
    get(`${rich}?version=latest-per-shapetag`),
    get(`${rich}?tag=${Array.from({ length: 500 }, (_, index) => `t-${index}`).join()}`, 'as many tags as fit'),
  ],
  [`GET ${one}`]: [
    get(`${richShape}?includePlaceholder=true`),
    get(`${richShape}?transient=true`),
    get(`/item/SH-2/shape/SH-2000`),
  ],
  [`GET ${one}/file`]: [get(`${richShape}/file?includeItem=true&closedFiles=false`)],
  [`GET ${one}/component`]: [get(`${richShape}/component`)],
  [`GET ${part}`]: [get(`${richShape}/component/SH-1`), get(`${richShape}/component/SH-1?full=true`)],
  [`GET ${all}/version`]: [get(`${rich}/version`)],
  [`GET ${all}/version/:version`]: [get(`${rich}/version/0`), get('/item/SH-2/shape/version/0')],
  // Only the list of what is left out: requests of the run give files to the items, and have no bytes for them.
  'GET /export/zip': [
    {
      title: 'a collection of ten thousand items',
      status: 206,
      request: () => ({ request: 'GET /API/export/zip?collection=SH-V', headers: { range: 'bytes=0-99999' } }),
    },
  ],
  [`POST ${all}/create`]: [
    {
      title: 'as many components as there may be',
      status: 200,
      request: (run) => {
        const components = jsonList('[', () => '{"codec":"h264","metadata":[{"key":"k","value":"v"}]}', ']', 1000);
        return json(`POST /API/item/${itemOf(run)}/shape/create`, `{"videoComponent":${components}}`);
      },
    },
    {
      title: 'as many bytes as there may be',
      status: 200,
      request: (run) => {
        const entries = jsonList('[', () => '{"start":1,"length":2,"mediaRate":1}', ']', 1000);
        const components = jsonList('[', () => `{"edl":{"entry":${entries}}}`, ']', 5);
        const body = `{"videoComponent":${components},"metadata":${fullMetadata(700)}}`;
        return json(`POST /API/item/${itemOf(100 + run)}/shape/create`, body);
      },
    },
  ],
  [`POST ${all}/placeholder`]: [
    {
      title: 'as many components as there may be',
      status: 200,
      request: (run) => ({
        request: `POST /API/item/${itemOf(200 + run)}/shape/placeholder?video=1000`,
        headers: { accept: 'text/plain' },
      }),
    },
  ],
  [`POST ${one}/version`]: [changing('of many components', `POST /API${richShape}/version`, 400)],
  [`PUT ${one}/tag/:tag`]: [changing('of many shapes', `PUT /API${richShape}/tag/original`)],
  [`DELETE ${all}`]: [
    {
      title: 'of many files',
      status: 204,
      request: (run) => ({ request: `DELETE /API/item/${itemOf(300 + run)}/shape` }),
    },
  ],
  'GET /shape-tag': [get('/shape-tag'), get('/shape-tag?first=4000&url=true')],
  'GET /shape-tag/:tag': [get('/shape-tag/t-1')],
};

const upTo = (count: number, sql: string): Statement => ({
  sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) ${sql}`,
  args: [count],
});

const shapes = (count: number, id: string, item: string, tags = '') =>
  upTo(
    count,
    `INSERT INTO shape (id, serial, item_id, essence_version, placeholder, mime_types, created_at, version)
      SELECT ${id}, 700000 + i, ${item}, 0, 0, '["video/mp4"]', 0, 1 FROM n ${tags}`,
  );

/**
 * The items SH-1 and SH-2 have as many shapes, components, files and bytes as one may have: SH-1 most of it in one
 * shape, SH-2 the same spread over its shapes. SH-10 and those behind it are empty, and from SH-310 on have many files.
 */
export const shapeState: readonly Statement[] = [
  upTo(400, `INSERT INTO item (id, serial, created_at) SELECT 'SH-' || i, 700000 + i, 0 FROM n`),
  upTo(5000, `INSERT INTO shape_tag (name, form, document) SELECT 't-' || i, 'json', '{"format":"mp4"}' FROM n`),
  shapes(1000, `'SH-' || i`, `'SH-1'`),
  shapes(1000, `'SH-' || (i + 1000)`, `'SH-2'`),
  shapes(50, `'SH-' || (i + 3000)`, `'SH-' || (i + 309)`),
  upTo(
    2000,
    `INSERT INTO shape_tagged (shape_id, tag, item_id, essence_version, position)
      SELECT 'SH-' || i, 't-' || i, CASE WHEN i <= 1000 THEN 'SH-1' ELSE 'SH-2' END, 0, 0 FROM n`,
  ),
  upTo(
    1000,
    `INSERT INTO component (id, shape_id, kind, position, expected, document)
      SELECT 'SH-' || i, 'SH-1', 'video', i, i % 2, '{"codec":"' || printf('%.500c', 'c') || '","itemTrack":"V' || i || '"}' FROM n`,
  ),
  upTo(
    1000,
    `INSERT INTO component (id, shape_id, kind, position, expected, document)
      SELECT 'SH-' || (i + 1000), 'SH-' || (i + 1000), 'video', 0, 0,
        '{"codec":"' || printf('%.500c', 'c') || '","itemTrack":"V1"}' FROM n`,
  ),
  upTo(
    2000,
    `INSERT INTO key_value (entity_type, entity_id, key, position, value)
      SELECT 'component', 'SH-' || i, 'key', 0, printf('%.400c', '<') FROM n`,
  ),
  upTo(
    2000,
    `INSERT INTO file_use (file_id, item_id, shape_id, component_id)
      SELECT 'F-' || (10000 + i), CASE WHEN i % 2000 < 1000 THEN 'SH-1' ELSE 'SH-2' END,
        CASE WHEN i % 2000 < 1000 THEN 'SH-1' ELSE 'SH-' || (i % 2000 + 1) END, 'SH-' || (i % 2000 + 1) FROM n`,
  ),
  upTo(
    50,
    `INSERT INTO component (id, shape_id, kind, position, expected, document)
      SELECT 'SH-' || (i + 3000), 'SH-' || (i + 3000), 'video', 0, 0, '{}' FROM n`,
  ),
  upTo(
    25_000,
    `INSERT INTO file_use (file_id, item_id, shape_id, component_id)
      SELECT 'F-' || (20000 + i), 'SH-' || (i % 50 + 310), 'SH-' || (i % 50 + 3001), 'SH-' || (i % 50 + 3001) FROM n`,
  ),
];

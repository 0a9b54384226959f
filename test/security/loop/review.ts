import type { Statement } from '../../../src/core/store/contract.ts';
import { filled, jsonList } from './bodies.ts';
import { get, json, type Load } from './load.ts';

const path = '/item/SH-2/annotation';
/** The longest drawing of an annotation. */
export const drawing = `<svg><path d="M${' 1.25'.repeat(3200)}"/></svg>`;
const members = JSON.stringify({ target: 'http://a.example/', 'ex:a': 'x'.repeat(16_000), 'ex:b': drawing });
const jsonLd = 'application/ld+json';

/** The item SH-2 has as many annotations as one may have, and those of the first page are as long as may be. */
export const reviewState: readonly Statement[] = [
  {
    sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9990)
      INSERT INTO annotation (id, serial, item_id, start, text, drawing, members, state, user_id, user, created_at, changed_at, version)
      SELECT 'SH-A' || i, 100000 + i, 'SH-2', i || '@PAL', 'Too dark', iif(i <= 100, ?, NULL), iif(i <= 100, ?, NULL), 'open', '', 'x', 0, 0, 1 FROM n`,
    args: [drawing, members],
  },
  {
    sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO annotation (id, serial, item_id, start, "end", text, state, user_id, user, created_at, changed_at, version)
      SELECT 'SH-M' || i, 200000 + i, 'SH-4', i || '@PAL', (i + 5) || '.5', ?, 'open', '', 'x', 0, 0, 1 FROM n`,
    args: ['<&>'.repeat(1333)],
  },
];

const oneOf = (at: number) => ({
  id: `x:${at}`,
  type: 'Annotation',
  target: { source: 'x:', selector: { type: 'SvgSelector', value: drawing } },
});
const maxPageLength = JSON.stringify({
  type: 'AnnotationPage',
  items: Array.from({ length: 60 }, (_, at) => oneOf(at)),
});
const deepPage = `{"type":"AnnotationPage","items":[{"id":"x:1","target":${'['.repeat(500_000)}${']'.repeat(500_000)}}]}`;

const one = '"id":"x:1","type":"Annotation"';
/** A page with one annotation, and one alone, that are as long as a page may be. */
const filledAnnotation = (title: string, begin: string, part: (at: number) => string, end: string): readonly Load[] =>
  [`{"type":"AnnotationPage","items":[{${one},`, `{"@context":"http://www.w3.org/ns/anno.jsonld",${one},`].map(
    (start, at) => ({
      title: `${title}, ${at === 0 ? 'in a page' : 'alone'}`,
      status: 400,
      request: () => ({
        request: `POST /API${path}`,
        headers: { 'content-type': jsonLd },
        body: filled(`${start}${begin}`, part, ',', at === 0 ? `${end}}]}` : `${end}}`),
      }),
    }),
  );

const longest = { start: '1', text: '@x '.repeat(1333), drawing };

const stack = '{"OTIO_SCHEMA":"Stack.1","children":[';
const range = (from: number) =>
  `{"OTIO_SCHEMA":"TimeRange.1","start_time":{"OTIO_SCHEMA":"RationalTime.1","rate":25,"value":${from}},"duration":{"OTIO_SCHEMA":"RationalTime.1","rate":25,"value":2}}`;
const markersOf = (count: number): string =>
  jsonList(
    `${stack}{"OTIO_SCHEMA":"Clip.2","source_range":${range(0)},"markers":[`,
    (at) => `{"OTIO_SCHEMA":"Marker.2","comment":"${'@x '.repeat(200)}","marked_range":${range(at)}}`,
    ']}]}',
    count,
  );

/** By route, what is costlier than long parameters and hostile documents. */
export const reviewLoads: Readonly<Record<string, readonly Load[]>> = {
  'GET /item/:item/annotation': [
    get(path),
    get(`${path}?state=done&assignedTo=nobody&version=7`),
    {
      title: 'the longest page as JSON-LD',
      status: 200,
      request: () => ({ request: `GET /API${path}`, headers: { accept: jsonLd } }),
    },
  ],
  'GET /item/:item/annotation/markers': [
    get('/item/SH-4/annotation/markers?format=csv'),
    get('/item/SH-4/annotation/markers?format=fcpxml'),
    get('/item/SH-4/annotation/markers?format=vtt'),
  ],
  'POST /item/:item/annotation/markers': [
    {
      title: 'as many markers as a file may have',
      status: 200,
      request: (run) => json(`POST /API/item/SH-${run + 30}/annotation/markers`, markersOf(1000)),
    },
    {
      title: 'as many tracks as fit',
      status: 400,
      request: () =>
        json(
          `POST /API${path}/markers`,
          filled(stack, () => '{"OTIO_SCHEMA":"Track.1"}', ',', ']}'),
        ),
    },
  ],
  'POST /item/:item/annotation': [
    {
      title: 'the longest drawing, and a text of mentions',
      status: 200,
      request: (run) => json(`POST /API/item/SH-${run + 3}/annotation`, JSON.stringify(longest)),
    },
    {
      title: 'the longest page of Web Annotations',
      status: 200,
      request: (run) => ({
        request: `POST /API/item/SH-${run + 3}/annotation`,
        headers: { 'content-type': jsonLd, accept: jsonLd },
        body: maxPageLength,
      }),
    },
    {
      title: 'as many values in values as fit a page',
      status: 400,
      request: () => ({ request: `POST /API${path}`, headers: { 'content-type': jsonLd }, body: deepPage }),
    },
    ...filledAnnotation('selectors', '"target":{"source":"x","selector":[', () => '1', ']}'),
    ...filledAnnotation(
      'selectors that refine each other',
      '"target":{"source":"x","selector":[',
      () => '{"refinedBy":[1,2]}',
      ']}',
    ),
    ...filledAnnotation('targets', '"target":[', () => '"x"', ']'),
    ...filledAnnotation('members', '"target":"x",', (at) => `"${at}":0`, ''),
    ...filledAnnotation('types', '"target":"x","type":[', () => '0', ']'),
    {
      title: 'as many values in values as fit',
      status: 400,
      request: () => ({
        request: `POST /API${path}`,
        headers: { 'content-type': jsonLd },
        body: `{"@context":"http://www.w3.org/ns/anno.jsonld","type":"Annotation","target":${'['.repeat(16_000)}${']'.repeat(16_000)}}`,
      }),
    },
  ],
};

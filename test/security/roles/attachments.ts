import type { Sent, World } from '../../support/matrix.ts';
import { assetRowsOf, numberOf } from './assets.ts';
import { fileOf } from './files.ts';
import type { Rule } from './rule.ts';
import { shapeOf, shapeRowsOf, tagOf } from './shapes.ts';

const collectionOf = (who: string): string => `VX-${numberOf(who)}`;

const kept = (type: string, kind: string, content: string, name = 'edl'): string =>
  `INSERT INTO attachment (owner_type, owner_id, kind, name, media_type, content, changed_at)
    VALUES ('${type}', ?1, '${kind}', '${name}', 'text/plain', CAST('${content}' AS BLOB), 0)`;
const bulky = (type: string): string =>
  `INSERT INTO bulky_value (owner_type, owner_id, key, start, end, stream, channel, track, start_seconds, end_seconds, value)
    VALUES ('${type}', ?1, 'k', '-INF', '+INF', -1, -1, '', -1e300, 1e300, '{"value":"v"}')`;

const ofItem = [
  kept('item', 'sequence', 'TITLE: A'),
  kept('item', 'sequence', '{}', 'vidispine'),
  kept('item', 'timeline', 'TITLE: A'),
  kept('item', 'timeline', '{"timeline":{}}', 'cut'),
  ...['item', 'shape', 'component'].map(bulky),
];
const ofCollection = [
  kept('collection', 'definition', 'TITLE: A'),
  kept('collection', 'definition-extradata', 'more'),
  kept('collection', 'definition-asset', '{}'),
  kept('collection', 'version-sequences', '{"sequence":[{}]}', 'vidispine'),
];

/** Inserts attachments of clients on an item, its shape and component, and on a collection of the caller. */
export async function attachmentRowsOf(world: World, who: string, caller = 'admin'): Promise<void> {
  await shapeRowsOf(world, who, caller);
  await assetRowsOf(world, who, caller);
  const changes = [
    ...ofItem.map((sql) => ({ sql, args: [fileOf(who)] })),
    ...ofCollection.map((sql) => ({ sql, args: [collectionOf(who)] })),
  ];
  await world.service.store.commit({ changes, events: [] }, { user: 'test' });
}

/** The same, where the item keeps a sequence and a timeline of itself, and its tag has a preset. */
export async function renderRowsOf(world: World, who: string, caller?: string): Promise<void> {
  await attachmentRowsOf(world, who, caller);
  const kept = `UPDATE attachment SET content = CAST(? AS BLOB) WHERE owner_id = ? AND name = ?`;
  const preset = `UPDATE shape_tag SET document = '{"format":"mp4"}' WHERE name = ?`;
  const changes = [
    { sql: kept, args: [JSON.stringify(sequenceOf(who)), fileOf(who), 'vidispine'] },
    { sql: kept, args: [JSON.stringify(conformOf(fileOf(who)).conform), fileOf(who), 'cut'] },
    { sql: preset, args: [tagOf(who)] },
  ];
  await world.service.store.commit({ changes, events: [] }, { user: 'test' });
}

const at = (samples: number) => ({ samples, timeBase: { numerator: 1, denominator: 25 } });
const sequenceOf = (who: string) => ({
  track: [{ segment: [{ item: fileOf(who), sourceTrack: 1, in: at(0), out: at(1) }] }],
});
/** Request for the first picture of an item. */
export const conformOf = (id: string) => ({
  conform: { timeline: { segment: [{ source: { id, interval: { start: at(0), end: at(1) } } }] } },
});

interface Rendering extends Pick<Rule, 'also'> {
  readonly query?: string;
  readonly body?: (who: string) => object;
}

const rendering = (path: string, { also, query = '', body }: Rendering): Rule => ({
  route: `POST ${path}`,
  needs: '_item_shape_write',
  also,
  rows: renderRowsOf,
  request: (who) => ({
    request: `POST /API${filled(path, who)}?tag=${tagOf(who)}&destinationItem=${fileOf(who)}${query}`,
    ...(body && { body: body(who) }),
  }),
});

type Row = readonly [route: string, body?: Sent['body']];

const filled = (path: string, who: string): string =>
  path
    .replace('/item/:item/shape/:shape', shapeOf(who))
    .replace(/:(?:item|component)\b/g, fileOf(who))
    .replace(':collection', collectionOf(who))
    .replace(':format', 'edl')
    .replace(':bulky', 'k');

const ruleOf =
  (needs: Rule['needs']) =>
  ([route, body]: Row): Rule => {
    const [method, path] = route.split(' ') as [string, string];
    return {
      route,
      needs,
      rows: attachmentRowsOf,
      request: (who) => ({ request: `${method} /API${filled(path, who)}`, ...(body !== undefined && { body }) }),
    };
  };

const shape = '/item/:item/shape/:shape';
const parts = [
  [`${shape}/highlight-render`, `${shape}/highlighter-edl`, 'interval=0-1'],
  [`${shape}/smartcrop-render`, `${shape}/smartcrop-edl`, 'width=2&height=2&interval=0-1'],
] as const;
const sequence = '/item/:item/sequence';
const timeline = '/item/:item/timeline';
const definition = '/collection/:collection/definition';
const bulkyPaths = ['/item/:item', '/item/:item/shape/:shape', '/item/:item/shape/:shape/component/:component'].map(
  (path) => `${path}/metadata/bulky`,
);
const writesOf = (path: string): readonly Row[] => [[`PUT ${path}`, 'text'], [`DELETE ${path}`]];

export const attachmentRules: readonly Rule[] = [
  {
    route: `POST ${timeline}/:format/conform`,
    needs: '_item_shape_write',
    rows: renderRowsOf,
    request: (who) => ({ request: `POST /API/item/${fileOf(who)}/timeline/cut/conform?tag=${tagOf(who)}` }),
  },
  rendering(`${sequence}/render`, { also: '_sequence_read' }),
  ...parts.flatMap(([render, list, query]): Rule[] => [
    rendering(render, { query: `&${query}` }),
    {
      route: `GET ${list}`,
      needs: '_item_shape_read',
      rows: renderRowsOf,
      request: (who) => ({ request: `GET /API${filled(list, who)}?${query}`, headers: { accept: 'text/plain' } }),
    },
  ]),
  rendering('/sequence/render', { body: (who) => ({ sequence: sequenceOf(who) }) }),
  ruleOf('_metadata_write')([`POST ${sequence}/conform-metadata`]),
  ...(
    [[`GET ${sequence}/export`], [`POST ${sequence}/export`], ['POST /sequence/export', { sequence: {} }]] as const
  ).map(ruleOf('_sequence_read')),
  ...(
    [[`GET ${sequence}`], [`GET ${sequence}/:format`], [`GET ${timeline}`], [`GET ${timeline}/:format`]] as const
  ).map(ruleOf('_sequence_read')),
  ...[...writesOf(`${sequence}/:format`), ...writesOf(`${timeline}/:format`), [`DELETE ${timeline}`] as const].map(
    ruleOf('_sequence_write'),
  ),
  ...(
    [
      ['GET /collection/:collection/sequence-document'],
      ['GET /collection/:collection/version/export'],
      ['POST /collection/:collection/version/export'],
      [`GET ${definition}`],
      [`GET ${definition}/:format`],
      [`GET ${definition}/:format/asset`],
      [`GET ${definition}/:format/extradata`],
    ] as const
  ).map(ruleOf('_collection_read')),
  ...[
    ...writesOf(`${definition}/:format`),
    ...writesOf(`${definition}/:format/extradata`),
    [`PUT ${definition}/:format/asset`, {}] as const,
    [`DELETE ${definition}/:format/asset`] as const,
  ].map(ruleOf('_collection_write')),
  ...bulkyPaths
    .flatMap((path): Row[] => [[`GET ${path}`], [`GET ${path}/:bulky`], [`GET ${path}/:bulky/as-file`]])
    .map(ruleOf('_metadata_read')),
  ...bulkyPaths
    .flatMap((path): Row[] => [[`PUT ${path}`, { field: [] }], [`DELETE ${path}`], ...writesOf(`${path}/:bulky`)])
    .map(ruleOf('_metadata_write')),
];

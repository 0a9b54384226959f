import type { Sent, World } from '../../support/matrix.ts';
import { prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { storageRows } from '../../support/world.ts';
import { assetRowsOf, numberOf } from '../roles/assets.ts';
import { conformOf, renderRowsOf } from '../roles/attachments.ts';
import { fileOf } from '../roles/files.ts';
import { importRowsOf } from '../roles/imports.ts';
import { entryOf, metadataRowsOf, ownerOf } from '../roles/metadata.ts';
import { shapeOf, shapeRowsOf, tagOf } from '../roles/shapes.ts';
import { pictureRowsOf } from '../roles/transcoding.ts';
import type { Guarded, Level, Named, Narrow } from './case.ts';
import { change, inOrder, library, one, other, type Rows } from './rows.ts';

/** A request that names entities in its query or body, or in its path in another way than its row of the roles. */
export interface More {
  readonly route: string;
  /** Description of what is named: a route has several such rows. */
  readonly names: string;
  readonly rows: Rows;
  readonly request: (who: string) => Omit<Sent, 'as'>;
  readonly named: (who: string) => readonly Named[];
  readonly narrow?: ((who: string) => Narrow) | undefined;
}

const onItem = (id: string, level: Level): Named => ({ type: 'item', id, level });
const on = (type: Guarded, id: string, level: Level): Named => ({ type, id, level });

/** The version that the collection of a caller has, which is a project. */
const versions = new Map<string, string>();

/** A second one of what the caller has: another collection, and an item with a shape. */
const second = (who: string): string => `${who}-second`;

const ofSecond =
  (rows: Rows): Rows =>
  (world, who, caller) =>
    rows(world, second(who), caller);
const twoOfEach = inOrder(assetRowsOf, ofSecond(assetRowsOf));
const twoShapes = inOrder(shapeRowsOf, ofSecond(shapeRowsOf));

const groupOrdinal = 2;
/** No right in a field speaks for the group. */
const withGroup = inOrder(
  metadataRowsOf,
  change(
    `UPDATE metadata_state SET doc = json_set(doc, '$.s[0][2]', json(?)) WHERE owner_type = 'item' AND owner_id = ?`,
    (who) => JSON.stringify([[ownerOf('item', who).replace('VX', 'main'), groupOrdinal, [], []]]),
    (who) => ownerOf('item', who),
  ),
);

/** A collection of the caller, and a file of an editing program. */
async function withProject(world: World, who: string, caller?: string): Promise<void> {
  await assetRowsOf(world, who, caller);
  const storage = await storageRows(world, {
    id: `VX-${numberOf(who) + 5_000_000}`,
    uri: `memory:///projects-${numberOf(who)}/`,
  });
  await prepare(world, [
    {
      as: admin,
      request: `POST /API/storage/${storage}/file/data?path=cut.xml`,
      headers: { 'content-type': 'application/octet-stream' },
      body: '<xmeml><sequence id="one"><rate><timebase>25</timebase></rate></sequence></xmeml>',
    },
  ]);
}

const row = (
  [route, names]: readonly [route: string, names: string],
  rows: Rows,
  named: (who: string) => readonly Named[],
  request: (who: string) => readonly [target: string, body?: object | string | undefined],
  narrow?: (who: string) => Narrow,
): More => ({
  narrow,
  route,
  names,
  rows,
  named,
  request: (who) => {
    const [target, body] = request(who);
    return { request: `${route.split(' ')[0]} /API${target}`, ...(body !== undefined && { body }) };
  },
});

const closedTag = (who: string): Narrow => ({ operation: 'SHAPE', extradata: tagOf(who), level: 'NONE' });
const readTag = (who: string): Narrow => ({ ...closedTag(who), level: 'READ' });
const placeholder = (who: string): string => `VX-${Number(fileOf(who).slice(3)) + 100_000}`;
const tagPlaceholder = change(
  `INSERT INTO shape_tagged (shape_id, tag, item_id, essence_version, position) VALUES (?, ?, ?, 0, 0)`,
  placeholder,
  tagOf,
  fileOf,
);

/** Makes the stored sequence of the item show the other item, which is open. */
const sequenceOfOther = change(
  `UPDATE attachment SET content = CAST(? AS BLOB) WHERE owner_id = ? AND name = 'vidispine'`,
  (who) => JSON.stringify(sequence(fileOf(second(who)))),
  fileOf,
);

const at = (samples: number) => ({ samples, timeBase: { numerator: 1, denominator: 25 } });
const sequence = (item: string) => ({
  track: [{ segment: [{ item, sourceTrack: 1, in: at(0), out: at(1) }] }],
});
const itemAt = (who: string): string => `/item/${fileOf(who)}`;
const shapeAt = (who: string): string => `${itemAt(who)}/shape/${fileOf(who)}`;
const twoToTranscode = inOrder(
  twoShapes,
  change(`UPDATE shape_tag SET document = '{"format":"mp4"}' WHERE name IN (?, ?)`, tagOf, (who) => tagOf(second(who))),
);

type BodyOf = (who: string) => object;

/** Requests of an item that give a tag, or change shapes that have it. */
const readTagWays: readonly (readonly [route: string, request: string, rows?: Rows, body?: BodyOf])[] = [
  ['POST /item/:item/shape/create', '/shape/create?tag={tag}', shapeRowsOf, () => ({})],
  ['POST /item/:item/shape', '/shape?uri=memory:///nowhere/a.mov&tag={tag}'],
  ['POST /item/:item/shape/version', '/shape/version'],
  ['DELETE /item/:item/shape', '/shape'],
  ['PUT /item/:item/shape/:shape/tag/:tag', '/shape/{placeholder}/tag/{tag}'],
  ['PUT /item/:item/shape/:shape/placeholder', '/shape/{placeholder}/placeholder?video=2&tag={tag}'],
  ['POST /item/:item/transcode', '/transcode?tag={tag}', twoToTranscode],
  ['POST /item/:item/sequence/render', '/sequence/render?tag={tag}', renderRowsOf],
  ['POST /item/:item/conform', '/conform?tag={tag}', twoToTranscode, (who) => conformOf(fileOf(who))],
];
/** Requests that give out what the original shape shows, which has the closed tag. */
const fromSource = [
  ['POST /item/:item/transcode', (who: string) => `/transcode?tag=${tagOf(second(who))}`],
  ['POST /item/:item/thumbnail', () => '/thumbnail?createThumbnails=true'],
] as const;

export const more: readonly More[] = [
  ...(['item', 'collection', 'library'] as const).map((type) => {
    const id = type === 'library' ? library : one;
    return row(
      [`DELETE /${type}`, `a ${type} in the query`],
      assetRowsOf,
      (who) => [on(type, id(who), 'ALL')],
      (who) => [`/${type}?id=${id(who)}`],
    );
  }),
  row(
    ['POST /relation', 'both items in the body'],
    assetRowsOf,
    (who) => [onItem(one(who), 'WRITE'), onItem(other(who), 'READ')],
    (who) => [
      '/relation',
      {
        relation: [
          { direction: { source: one(who), target: other(who), type: 'D' }, value: [{ key: 'a', value: 'b' }] },
        ],
      },
    ],
  ),
  row(
    ['PUT /collection/:collection', 'members in the body'],
    twoOfEach,
    (who) => [on('collection', one(who), 'WRITE'), onItem(one(second(who)), 'READ')],
    (who) => [`/collection/${one(who)}`, { content: [{ id: one(second(who)), type: 'item' }] }],
  ),
  row(
    ['POST /collection', 'members in the body'],
    assetRowsOf,
    (who) => [onItem(one(who), 'READ')],
    (who) => ['/collection', { content: [{ id: one(who), type: 'item' }] }],
  ),
  ...(['collection', 'library'] as const).map((type) =>
    row(
      ['PUT /collection/:collection/:member', `a ${type} as member`],
      twoOfEach,
      (who) => [
        on('collection', one(who), 'WRITE'),
        on(type, type === 'library' ? library(second(who)) : one(second(who)), 'READ'),
      ],
      (who) => [`/collection/${one(who)}/${type === 'library' ? library(second(who)) : one(second(who))}?type=${type}`],
    ),
  ),
  row(
    ['PUT /collection/:collection/:member', 'a library whose items become members'],
    twoOfEach,
    (who) => [on('collection', one(who), 'WRITE'), on('library', library(second(who)), 'READ')],
    (who) => [`/collection/${one(who)}/${library(second(who))}?type=library&addItems=true`],
  ),
  row(
    ['POST /library', 'items in the body'],
    assetRowsOf,
    (who) => [onItem(one(who), 'READ')],
    (who) => ['/library', { item: [{ id: one(who) }] }],
  ),
  row(
    ['POST /share', 'items in the body'],
    assetRowsOf,
    (who) => [onItem(one(who), 'READ')],
    (who) => ['/share', { selection: [one(who)] }],
  ),
  row(
    ['PUT /library/:library', 'items in the body'],
    twoOfEach,
    (who) => [on('library', library(who), 'WRITE'), onItem(one(second(who)), 'READ')],
    (who) => [`/library/${library(who)}`, { item: [{ id: one(second(who)) }] }],
  ),
  row(
    ['GET /item', 'the library to look in'],
    assetRowsOf,
    (who) => [on('library', library(who), 'READ')],
    (who) => [`/item?library=${encodeURIComponent(library(who))}`],
  ),
  row(
    ['PUT /item', 'the library to look in'],
    assetRowsOf,
    (who) => [on('library', library(who), 'READ')],
    (who) => [`/item?library=${encodeURIComponent(library(who))}`, {}],
  ),
  row(
    ['PUT /item', 'the library that keeps what is found'],
    assetRowsOf,
    (who) => [on('library', library(who), 'WRITE')],
    (who) => [`/item?result=library&libraryId=${encodeURIComponent(library(who))}`, {}],
  ),
  ...['', '?item='].map((query) =>
    row(
      ['PUT /file/:file/abandon', query ? 'an item that uses the file' : 'the items that use the file'],
      shapeRowsOf,
      (who) => [onItem(fileOf(who), 'WRITE')],
      (who) => [`/file/${fileOf(who)}/abandon${query && `${query}${fileOf(who)}`}`],
    ),
  ),
  row(
    ['GET /import/storage', 'the item of a new shape'],
    twoShapes,
    (who) => [onItem(fileOf(who), 'READ')],
    (who) => [`/import/storage?item=${fileOf(who)}&tag=${tagOf(who)}`],
  ),
  ...(['copy', 'move'] as const).map((word) =>
    row(
      [`POST /item/:item/shape/:shape/component/:component/${word}/item/:toItem/shape/:toShape`, 'another item'],
      twoShapes,
      (who) => [onItem(fileOf(who), word === 'copy' ? 'READ' : 'WRITE'), onItem(fileOf(second(who)), 'WRITE')],
      (who) => [`${shapeAt(who)}/component/${fileOf(who)}/${word}${shapeAt(second(who))}`],
    ),
  ),
  row(
    ['POST /item/:item/transcode', 'the item that gets the shapes'],
    twoToTranscode,
    (who) => [onItem(fileOf(who), 'WRITE'), onItem(fileOf(second(who)), 'WRITE')],
    (who) => [`${itemAt(who)}/transcode?tag=${tagOf(who)}&destinationItem=${fileOf(second(who))}`],
  ),
  row(
    ['POST /conform', 'an item of the timeline, and the one that gets the shape'],
    twoToTranscode,
    (who) => [onItem(fileOf(who), 'READ'), onItem(fileOf(second(who)), 'WRITE')],
    (who) => [`/conform?tag=${tagOf(who)}&destinationItem=${fileOf(second(who))}`, conformOf(fileOf(who))],
  ),
  row(
    ['PUT /item/:item/conform', 'an item of the timeline'],
    twoToTranscode,
    (who) => [onItem(fileOf(second(who)), 'WRITE'), onItem(fileOf(who), 'READ')],
    (who) => [`${itemAt(second(who))}/conform?tag=${tagOf(who)}`, conformOf(fileOf(who))],
  ),
  row(
    ['POST /sequence/render', 'an item of the sequence, and the one that gets the shapes'],
    twoToTranscode,
    (who) => [onItem(fileOf(who), 'READ'), onItem(fileOf(second(who)), 'WRITE')],
    (who) => [
      `/sequence/render?tag=${tagOf(who)}&destinationItem=${fileOf(second(who))}`,
      { sequence: sequence(fileOf(who)) },
    ],
  ),
  row(
    ['POST /item/archive', 'items in the body'],
    assetRowsOf,
    (who) => [onItem(one(who), 'READ')],
    (who) => ['/item/archive', { item: [one(who)] }],
  ),
  row(
    ['POST /item/archive', 'collections in the body'],
    assetRowsOf,
    (who) => [on('collection', one(who), 'READ')],
    (who) => ['/item/archive', { collection: [one(who)] }],
  ),
  row(
    ['GET /export/zip', 'items in the query'],
    assetRowsOf,
    (who) => [onItem(one(who), 'READ')],
    (who) => [`/export/zip?id=${one(who)}`],
  ),
  row(
    ['GET /export/zip', 'collections in the query'],
    assetRowsOf,
    (who) => [on('collection', one(who), 'READ')],
    (who) => [`/export/zip?collection=${one(who)}`],
  ),
  row(
    ['POST /sequence/export', 'an item of the sequence'],
    assetRowsOf,
    (who) => [onItem(one(who), 'READ')],
    (who) => ['/sequence/export', { sequence: sequence(one(who)) }],
  ),
  row(
    ['POST /collection/:collection/version', 'an item of the version'],
    twoOfEach,
    (who) => [on('collection', one(who), 'WRITE'), onItem(one(second(who)), 'READ')],
    (who) => [`/collection/${one(who)}/version`, { item: [{ id: one(second(who)) }] }],
  ),
  row(
    ['POST /import/project', 'the project that gets a version'],
    withProject,
    (who) => [on('collection', one(who), 'WRITE')],
    (who) => [`/import/project?uri=memory:///projects-${numberOf(who)}/cut.xml&collectionId=${one(who)}`],
  ),
  ...(['GET', 'DELETE'] as const).map((method) =>
    row(
      [`${method} /metadata/:uuid`, 'a group without fields'],
      withGroup,
      (who) => [onItem(ownerOf('item', who), method === 'GET' ? 'READ' : 'WRITE')],
      (who) => [`/metadata/${entryOf('item', who, groupOrdinal)}`],
    ),
  ),
  row(
    ['PUT /item/:item/metadata', 'a field, also one that is closed'],
    metadataRowsOf,
    (who) => [onItem(ownerOf('item', who), 'WRITE')],
    (who) => [
      `/item/${ownerOf('item', who)}/metadata`,
      { timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'originalUri', value: [{ value: 'a' }] }] }] },
    ],
    () => ({ operation: 'METADATA', extradata: 'originalUri', level: 'READ' }),
  ),
  ...readTagWays.map(([route, request, rows = shapeRowsOf, bodyOf]) =>
    row(
      [route, 'a tag that may be read alone'],
      rows,
      (who) => [onItem(fileOf(who), 'WRITE')],
      (who) => [
        `${itemAt(who)}${request.replace('{tag}', tagOf(who)).replace('{placeholder}', placeholder(who))}`,
        bodyOf?.(who),
      ],
      readTag,
    ),
  ),
  ...fromSource.map(([route, target]) =>
    row(
      [route, 'a source that is closed'],
      twoToTranscode,
      (who) => [onItem(fileOf(who), 'WRITE')],
      (who) => [`${itemAt(who)}${target(who)}`],
      closedTag,
    ),
  ),
  ...['of the placeholder', 'to transcode to'].map((what, number) =>
    row(
      ['POST /import/placeholder/:item/:component', `a tag ${what} that may be read alone`],
      number === 0 ? inOrder(importRowsOf, tagPlaceholder) : importRowsOf,
      (who) => [onItem(fileOf(who), 'WRITE')],
      (who) => {
        const query = `uri=memory:///nowhere/a.mov&shapeId=${placeholder(who)}${number === 0 ? '' : `&tag=${tagOf(who)}`}`;
        return [`/import/placeholder/${fileOf(who)}/video?${query}`];
      },
      readTag,
    ),
  ),
  ...['sequence/render', 'timeline/cut/conform'].map((path) =>
    row(
      [`POST /item/:item/${path.replace('/cut/', '/:format/')}`, 'another item that gets the shapes'],
      inOrder(renderRowsOf, ofSecond(shapeRowsOf), sequenceOfOther),
      (who) => [onItem(fileOf(who), 'READ'), onItem(fileOf(second(who)), 'WRITE')],
      (who) => [`${itemAt(who)}/${path}?tag=${tagOf(who)}&destinationItem=${fileOf(second(who))}`],
    ),
  ),
  ...['highlight-render', 'smartcrop-render'].map((path) =>
    row(
      [`POST /item/:item/shape/:shape/${path}`, 'another item that gets the shapes'],
      inOrder(renderRowsOf, ofSecond(shapeRowsOf)),
      (who) => [onItem(fileOf(who), 'READ'), onItem(fileOf(second(who)), 'WRITE')],
      (who) => {
        const query = 'interval=0-1&width=2&height=2';
        return [`${shapeOf(who)}/${path}?tag=${tagOf(who)}&destinationItem=${fileOf(second(who))}&${query}`];
      },
    ),
  ),
  row(
    ['DELETE /collection/:collection/:member', 'an external id of the collection'],
    async (world, who, caller) => {
      const reel = `INSERT INTO external_id (entity_type, external_id, entity_id)
        VALUES ('collection', 'reel_' || ?1, 'VX-' || ?1)`;
      await assetRowsOf(world, who, caller, [reel]);
    },
    (who) => [on('collection', one(who), 'ALL')],
    (who) => [`/collection/${one(who)}/reel_${numberOf(who)}`],
  ),
  row(
    ['GET /collection/:collection/version/export', 'the newest version of the project'],
    async (world, who, caller = '') => {
      await assetRowsOf(world, who, caller);
      const body = { sequence: [{ track: [] }] };
      const headers = { accept: 'text/plain' };
      const made = await world.send({
        as: [caller, 'p'],
        request: `POST /API/collection/${one(who)}/version`,
        headers,
        body,
      });
      versions.set(who, made.body.trim());
    },
    (who) => [on('collection', one(who), 'READ'), on('collection', versions.get(who) ?? 'VX-1', 'READ')],
    (who) => [`/collection/${one(who)}/version/export`],
  ),
  row(
    ['GET /item/:item/waveform/values', 'a shape that is closed'],
    pictureRowsOf,
    (who) => [onItem(fileOf(who), 'READ')],
    (who) => [`${itemAt(who)}/waveform/values?shape=${fileOf(who)}`],
    closedTag,
  ),
  row(
    ['GET /item/:item/stream', 'a shape that is closed'],
    pictureRowsOf,
    (who) => [onItem(fileOf(who), 'READ')],
    (who) => [`${itemAt(who)}/stream?shape=${fileOf(who)}`],
    closedTag,
  ),
  row(
    ['PUT /item/:item/loudness', 'a shape that is closed'],
    pictureRowsOf,
    (who) => [onItem(fileOf(who), 'READ')],
    (who) => [`${itemAt(who)}/loudness`, { shape: fileOf(who) }],
    closedTag,
  ),
];

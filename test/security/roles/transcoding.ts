import { hash } from 'node:crypto';
import type { SegmentIndex } from '../../../src/production/transcoding/streams/segment-index.ts';
import { png } from '../../production/checking/samples.ts';
import type { World } from '../../support/matrix.ts';
import { admin } from '../../support/service.ts';
import { fileOf } from './files.ts';
import type { Rule } from './rule.ts';
import { shapeOf, shapeRowsOf, tagOf } from './shapes.ts';

const numberOf = (who: string): number => Number(fileOf(who).slice(3));
export const picture = png(1, 1) as Uint8Array<ArrayBuffer>;

const segments: SegmentIndex = {
  ...{ codecs: 'mp4a.40.2', channels: 2, timescale: 1000 },
  ...{ head: 10, index: [10, 20], start: 20, segments: [[100, 6000]] },
};

const inserts: readonly string[] = [
  `INSERT INTO resource (id, serial, type, document, created_at) VALUES ('VX-' || ?1, ?1, 'thumbnail', '{"path":[]}', 0)`,
  `INSERT INTO shape_tag_script (tag, script) VALUES ('tag-' || ?1, 'preset.name = 1')`,
  `INSERT INTO picture (item_id, essence_version, kind, instant, time, type, key, size, created_at, bytes)
    VALUES ('VX-' || ?1, 0, 'thumbnail', 0, '0', ?2, 'key', 1, 0, x'89'),
      ('VX-' || ?1, 0, 'poster', 0, '0', ?2, 'key', 1, 0, x'89')`,
  `INSERT INTO sound (shape_id, file_id, measured_at, seconds, mix) VALUES ('VX-' || ?1, 'VX-' || ?1, 0, 1, '[]')`,
  `INSERT INTO sound_level (shape_id, stream, channel, bucket, levels, energies) VALUES ('VX-' || ?1, 0, 0, 1, x'0001', x'')`,
  `INSERT INTO stream_rendition (shape_id, position, name, kind, component, segments)
    VALUES ('VX-' || ?1, 0, 'audio', 'audio', 0, '${JSON.stringify(segments)}')`,
  `UPDATE shape_tag SET document = '{"format":"mp4"}' WHERE name = 'tag-' || ?1`,
];

/** The same as for shapes, with a script, pictures, a stream, and a resource. */
export async function pictureRowsOf(world: World, who: string, caller = ''): Promise<void> {
  await shapeRowsOf(world, who, caller);
  // A picture is answered in its own form: callers whose name says one ask for that.
  const type = who.includes('imagejpeg') ? 'image/jpeg' : 'image/png';
  const changes = inserts.map((sql) => ({ sql, args: sql.includes('?2') ? [numberOf(who), type] : [numberOf(who)] }));
  await world.service.store.commit({ changes, events: [] }, { user: 'test' });
}

/** Paths of playlists, without the origin. */
const playlists = new Map<string, string>();

async function streamRowsOf(world: World, who: string, caller = ''): Promise<void> {
  await pictureRowsOf(world, who, caller);
  const { body } = await world.send({ as: admin, request: `GET /API/item/${fileOf(who)}/stream?shape=${fileOf(who)}` });
  playlists.set(who, /^https?:\/\/[^/]+(.+)$/m.exec(body)![1]!);
}

type Row = readonly [
  route: string,
  needs: Rule['needs'],
  request: (who: string) => string,
  body?: string | object | Uint8Array<ArrayBuffer>,
];

const item = '/item/:item';
const itemAt = (who: string) => `/item/${fileOf(who)}`;
const sheet = `${item}/thumbnail/spritesheet`;
const script = '/shape-tag/:tag/script';
const scriptAt = (who: string) => `/shape-tag/${tagOf(who)}/script`;
const thumbnails = { thumbnail: { path: ['file:///srv/thumbs/'] } };

const ofPictures = (kind: 'thumbnail' | 'poster'): readonly Row[] => {
  const onItem = `/${kind}/:place/:item`;
  const at = (who: string) => `/${kind}/${fileOf(who)}/${fileOf(who)}`;
  return [
    [`GET ${item}/${kind}resource`, '_thumbnail_read', (who) => `${itemAt(who)}/${kind}resource`],
    [`PUT ${item}/${kind}resource`, '_thumbnail_write', (who) => `${itemAt(who)}/${kind}resource`],
    [`GET ${onItem}`, '_thumbnail_read', at],
    [`DELETE ${onItem}`, '_thumbnail_write', at],
    [`GET ${onItem}/:time`, '_thumbnail_read', (who) => `${at(who)}/0`],
    [`GET /APInoauth${onItem}/:time`, 'nothing', (who) => `${at(who)}/0?hash=key`],
    [`PUT ${onItem}/:time`, '_thumbnail_write', (who) => `${at(who)}/7`, picture],
    [`DELETE ${onItem}/:time`, '_thumbnail_write', (who) => `${at(who)}/0`],
    [`POST ${onItem}/:time/export`, '_export', (who) => `${at(who)}/0/export?uri=file%3A%2F%2F%2Fsrv%2Fexports%2F`],
    [`GET ${onItem}/:time/export`, '_export', (who) => `${at(who)}/0/export?uri=file%3A%2F%2F%2Fsrv%2Fexports%2F`],
  ];
};

const table: readonly Row[] = [
  ...[item, `${item}/shape/:shape`].flatMap((path): readonly Row[] => {
    const at = path === item ? itemAt : shapeOf;
    return [
      [`POST ${path}/transcode`, '_item_shape_write', (who) => `${at(who)}/transcode?tag=${tagOf(who)}`],
      [`POST ${path}/thumbnail`, '_item_shape_write', (who) => `${at(who)}/thumbnail?createThumbnails=true`],
      [`POST ${path}/analyze`, '_job_write', (who) => `${at(who)}/analyze`, {}],
    ];
  }),
  [
    `POST ${item}/shape/:shape/component/:component/analyze`,
    '_job_write',
    (who) => `${shapeOf(who)}/component/${fileOf(who)}/analyze`,
    {},
  ],
  ['POST /file/:file/analyze', '_job_write', (who) => `/file/${fileOf(who)}/analyze`, {}],
  ...['waveform/values', 'waveform/image', 'waveform/imageURI', 'waveform/alltracks', 'loudness'].map(
    (rest): Row => [`GET ${item}/${rest}`, '_item_shape_read', (who) => `${itemAt(who)}/${rest}?shape=${fileOf(who)}`],
  ),
  [`GET ${item}/stream`, '_item_shape_read', (who) => `${itemAt(who)}/stream?shape=${fileOf(who)}`],
  [`GET ${script}`, '_shape_tag_read', scriptAt],
  [`PUT ${script}`, '_shape_tag_write', scriptAt, 'preset.name = 2'],
  [`DELETE ${script}`, '_shape_tag_write', scriptAt],
  [
    'GET /shape-tag/:tag/item/:item/shape/:shape',
    '_shape_tag_read',
    (who) => `/shape-tag/${tagOf(who)}${shapeOf(who)}`,
  ],
  ...ofPictures('thumbnail'),
  ...ofPictures('poster'),
  [`GET ${sheet}`, '_thumbnail_read', (who) => `${itemAt(who)}/thumbnail/spritesheet`],
  [`GET ${sheet}/image`, '_thumbnail_read', (who) => `${itemAt(who)}/thumbnail/spritesheet/image`],
  [
    `GET /APInoauth${sheet}/image`,
    'nothing',
    (who) =>
      `${itemAt(who)}/thumbnail/spritesheet/image?hash=${hash('sha256', 'key', 'buffer').subarray(0, 16).toString('base64url')}`,
  ],
  [
    'GET /APInoauth/stitch',
    'nothing',
    (who) => `/stitch?geometry=8x8&uri=${encodeURIComponent(`/APInoauth/thumbnail/VX-1/${fileOf(who)}/0?hash=key`)}`,
  ],
  ['GET /resource/:type', '_resource_read', () => '/resource/thumbnail'],
  ['POST /resource/:type', '_resource_write', () => '/resource/thumbnail', thumbnails],
  ['GET /resource/:type/:resource', '_resource_read', (who) => `/resource/thumbnail/${fileOf(who)}`],
  ['PUT /resource/:type/:resource', '_resource_write', (who) => `/resource/thumbnail/${fileOf(who)}`, thumbnails],
  ['DELETE /resource/:type/:resource', '_resource_write', (who) => `/resource/thumbnail/${fileOf(who)}`],
  ['POST /resource/:type/:resource/sync', '_resource_write', (who) => `/resource/thumbnail/${fileOf(who)}/sync`],
  ['GET /resource/:type/:resource/status', '_resource_read', (who) => `/resource/thumbnail/${fileOf(who)}/status`],
];

export const transcodingRules: readonly Rule[] = [
  {
    route: 'PUT /APIinit/preset-templates',
    needs: 'nothing',
    request: () => ({ request: 'PUT /APIinit/preset-templates' }),
  },
  {
    route: 'PUT /item/:item/loudness',
    needs: '_item_shape_read',
    rows: pictureRowsOf,
    request: (who) => ({ request: `PUT /API${itemAt(who)}/loudness`, body: { shape: fileOf(who) } }),
  },
  {
    route: 'GET /APInoauth/stream/:shape/:part',
    needs: 'nothing',
    rows: streamRowsOf,
    request: (who) => ({ request: `GET ${playlists.get(who)}` }),
  },
  ...table.map(
    ([route, needs, target, body]): Rule => ({
      route,
      needs,
      rows: pictureRowsOf,
      request: (who) => ({
        request: `${route.slice(0, route.indexOf(' '))} ${route.includes('/APInoauth') ? '/APInoauth' : '/API'}${target(who)}`,
        ...(body !== undefined && { body }),
      }),
    }),
  ),
];

import { hash } from 'node:crypto';
import type { Statement } from '../../../src/core/store/contract.ts';
import { jpegOfSegments, jpegOfSteps, jpegOfTables, plainPng } from '../../production/transcoding/hostile-pictures.ts';
import { plainJpeg } from '../../production/transcoding/jpeg-samples.ts';
import { get, type Load } from './load.ts';

const largest = plainJpeg({ width: 4000, height: 4000, components: 3 });

/** Almost as many pixels as a picture of a sheet may have. */
const large = plainJpeg({ width: 2040, height: 2040, components: 3 });

const small = plainJpeg({ width: 8, height: 8, components: 3 });

/** Stored before pictures had bounds. */
const longRow = plainPng({ width: 4_200_000, height: 1, bits: 16 });

const put = (title: string, status: number, body: Uint8Array<ArrayBuffer>): Load => ({
  title,
  status,
  request: (run) => ({ request: `PUT /API/poster/R-1/SH-1/${run}`, body }),
});

/** Each run draws a sheet that is not kept: of another version, or in another box. */
const sheet = (title: string, target: (run: number) => string): Load => ({
  title,
  status: 200,
  request: (run) => ({ request: `GET ${target(run)}` }),
});
const ofItem = '/item/SH-3/thumbnail/spritesheet';
const stitched = encodeURIComponent('/APInoauth/thumbnail/R-1/SH-3;version=0/0?hash=key-0');
const [ofRow, ofWide] = ['row', 'wide'].map((key, at) =>
  encodeURIComponent(`/APInoauth/thumbnail/R-1/SH-4;version=${at}/0?hash=${key}`),
);
const hashOf = (run: number): string =>
  hash('sha256', Array(4).fill(`key-${run}`).join(), 'buffer')
    .subarray(0, 16)
    .toString('base64url');

/** By route, what is costlier than long parameters and hostile documents. */
export const transcodingLoads: Readonly<Record<string, readonly Load[]>> = {
  'GET /thumbnail/:place/:item': [get('/thumbnail/VX-1/SH-1?noauth-url=true')],
  'GET /item/:item/waveform/values': [get('/item/SH-1/waveform/values?shape=SH-1&width=4000&dB=true')],
  'GET /item/:item/waveform/image': [
    get('/item/SH-1/waveform/image?shape=SH-1&width=2000&height=1000&vgridline=0.2&hgridline=0.01', 'a large picture'),
  ],
  'PUT /item/:item/loudness': [
    {
      title: 'the most channels that are kept',
      status: 200,
      request: () => ({
        request: 'PUT /API/item/SH-1/loudness',
        body: JSON.stringify({
          shape: 'SH-1',
          mix: Array.from({ length: 8 }, (_, sourceStream) => ({ sourceStream })),
        }),
      }),
    },
  ],
  'PUT /poster/:place/:item/:time': [
    put('a JPEG of sixteen megapixels', 200, largest),
    put('a PNG of the widest rows', 200, plainPng({ width: 16_384, height: 256, bits: 16 })),
    put(
      'a PNG of as many chunks as there may be',
      200,
      plainPng({ width: 8, height: 8, filler: 'IDAT', count: 4_990 }),
    ),
    put('a PNG of one row of 4,200,000 pixels', 400, longRow),
    put('a PNG of 5 MB of chunks without data', 400, plainPng({ width: 8, height: 8, filler: 'IDAT' })),
    put('a PNG of 5 MB of chunks of text', 400, plainPng({ width: 8, height: 8, filler: 'tEXt' })),
    put('a JPEG of 5 MB of segments without data', 400, jpegOfSegments(small)),
    put('a JPEG of 5 MB of tables of codes', 400, jpegOfTables(small)),
    put('a JPEG of 5 MB of tables of steps', 400, jpegOfSteps(small)),
  ],
  'GET /item/:item/thumbnail/spritesheet': [
    get('/item/SH-1/thumbnail/spritesheet', 'a thousand thumbnails'),
    sheet('a large thumbnail', (run) => `/API${ofItem}?version=${run}`),
    sheet('a thumbnail of one row', () => '/API/item/SH-4/thumbnail/spritesheet'),
  ],
  'GET /item/:item/thumbnail/spritesheet/image': [
    sheet('four large thumbnails', (run) => `/API${ofItem}/image?version=${run}`),
  ],
  'GET /APInoauth/item/:item/thumbnail/spritesheet/image': [
    sheet('four large thumbnails', (run) => `/APInoauth${ofItem}/image?version=${run + 20}&hash=${hashOf(run + 20)}`),
  ],
  'GET /APInoauth/stitch': [
    sheet('a PNG of a large picture', (run) => `/APInoauth/stitch?geometry=${1900 + run}x1900&uri=${stitched}`),
    sheet('a large picture in a box of a pixel', (run) => `/APInoauth/stitch?geometry=1x${1 + run}&uri=${stitched}`),
    sheet('a picture of one row', (run) => `/APInoauth/stitch?geometry=${1900 + run}x1&uri=${ofRow}`),
    sheet('a picture of the widest rows', (run) => `/APInoauth/stitch?geometry=${1900 + run}x30&uri=${ofWide}`),
    sheet(
      'boxes of the largest of two',
      (run) => `/APInoauth/stitch?tile=1x2&format=jpeg&geometry=1400x${1300 + run}&uri=${stitched}&uri=${stitched}`,
    ),
  ],
  'GET /item/:item/stream': [get('/item/SH-1/stream?shape=SH-1', 'the most segments of seven renditions')],
  'GET /resource/:type': [get('/resource/thumbnail?number=1000')],
};

/** The item `SH-3` has 40 versions of four large thumbnails. `SH-1` has the most thumbnails of a version, sixteen channels of 45 minutes, and a stream of half a day. There are a thousand resources of them. */
export const transcodingState: readonly Statement[] = [
  {
    sql: `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 6)
      INSERT INTO stream_rendition (shape_id, position, name, kind, component, segments)
        SELECT 'SH-1', i, 'r' || i, 'video', i, ?1 FROM n`,
    args: [
      JSON.stringify({
        ...{ codecs: 'avc1.640028', size: { width: 64, height: 48 }, timescale: 12_800 },
        ...{ head: 1000, index: [1000, 2000], start: 2000, segments: Array(7_200).fill([1_234_567, 76_800]) },
      }),
    ],
  },
  {
    sql: `INSERT INTO sound (shape_id, file_id, measured_at, seconds, mix) VALUES ('SH-1', 'F-1', 0, 2700, '[]')`,
    args: [],
  },
  {
    sql: `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 15)
      INSERT INTO sound_level (shape_id, stream, channel, bucket, levels, energies)
        SELECT 'SH-1', i / 2, i % 2, 0.01, CAST(randomblob(60000) AS BLOB), CAST(randomblob(54000) AS BLOB) FROM n`,
    args: [],
  },
  {
    sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO picture (item_id, essence_version, kind, instant, time, type, key, size, created_at, bytes)
        SELECT 'SH-1', 0, 'thumbnail', i * 1000000, printf('%d@30000:1001', i), 'image/png', 'key', 1, 0, x'89' FROM n`,
    args: [],
  },
  {
    sql: `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 159)
      INSERT INTO picture (item_id, essence_version, kind, instant, time, type, key, size, created_at, bytes)
        SELECT 'SH-3', i / 4, 'thumbnail', i % 4 * 1000000, i % 4, 'image/jpeg', 'key-' || (i / 4), ?1, 0, ?2 FROM n`,
    args: [large.byteLength, large],
  },
  ...[longRow, plainPng({ width: 16_384, height: 256, bits: 16 })].map((bytes, version) => ({
    sql: `INSERT INTO picture (item_id, essence_version, kind, instant, time, type, key, size, created_at, bytes)
      VALUES ('SH-4', ?1, 'thumbnail', 0, '0', 'image/png', ?2, ?3, 0, ?4)`,
    args: [version, version === 0 ? 'row' : 'wide', bytes.byteLength, bytes],
  })),
  {
    sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO resource (id, serial, type, document, created_at)
        SELECT 'R-' || i, i, 'thumbnail', json_object('path', json_array(printf('%.900c', '<'))), 0 FROM n`,
    args: [],
  },
];

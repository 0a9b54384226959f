import type { Statement } from '../../../src/store/contract.ts';
import { get, type Load } from './load.ts';

/** By route, what is costlier than long parameters and hostile documents. */
export const transcodingLoads: Readonly<Record<string, readonly Load[]>> = {
  'GET /thumbnail/:place/:item': [get('/thumbnail/VX-1/SH-1?noauth-url=true')],
  'GET /item/:item/waveform/values': [get('/item/SH-1/waveform/values?shape=SH-1&width=4000&dB=true')],
  'GET /item/:item/waveform/image': [
    get('/item/SH-1/waveform/image?shape=SH-1&width=2000&height=1000&vgridline=0.2&hgridline=0.01', 'a large picture'),
  ],
  'GET /resource/:type': [get('/resource/thumbnail?number=1000')],
};

/** The item `SH-1` has as many thumbnails as a version can have and sixteen channels of sound, and there are a thousand resources of them. */
export const transcodingState: readonly Statement[] = [
  {
    sql: `INSERT INTO sound (shape_id, file_id, measured_at, seconds, mix) VALUES ('SH-1', 'F-1', 0, 300, '[]')`,
    args: [],
  },
  {
    sql: `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 15)
      INSERT INTO sound_level (shape_id, stream, channel, bucket, levels)
        SELECT 'SH-1', i / 2, i % 2, 0.01, CAST(randomblob(60000) AS BLOB) FROM n`,
    args: [],
  },
  {
    sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO picture (item_id, essence_version, kind, instant, time, type, key, size, created_at, bytes)
        SELECT 'SH-1', 0, 'thumbnail', i * 1000000, printf('%d@30000:1001', i), 'image/png', 'key', 1, 0, x'89' FROM n`,
    args: [],
  },
  {
    sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO resource (id, serial, type, document, created_at)
        SELECT 'R-' || i, i, 'thumbnail', json_object('path', json_array(printf('%.900c', '<'))), 0 FROM n`,
    args: [],
  },
];

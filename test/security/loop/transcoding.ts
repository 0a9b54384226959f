import type { Statement } from '../../../src/store/contract.ts';
import { get, type Load } from './load.ts';

/** By route, what is costlier than long parameters and hostile documents. */
export const transcodingLoads: Readonly<Record<string, readonly Load[]>> = {
  'GET /thumbnail/:place/:item': [get('/thumbnail/VX-1/SH-1?noauth-url=true')],
  'GET /resource/:type': [get('/resource/thumbnail?number=1000')],
};

/** The item `SH-1` has as many thumbnails as a version can have, and there are a thousand resources of them. */
export const transcodingState: readonly Statement[] = [
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

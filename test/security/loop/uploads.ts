import type { Statement } from '../../../src/core/store/contract.ts';
import { get, type Load } from './load.ts';

const csv = (path: string, body: string) => ({
  request: `POST /API${path}`,
  headers: { 'content-type': 'text/csv' },
  body,
});
const manyHeads = `itemId,${Array.from({ length: 199 }, (_, at) => `x_unknown_head_of_${at}`).join()}\n`;
const long = `VX-1${',some text of a cell'.repeat(199)}`;

/** By route, what is costlier than long parameters. */
export const uploadLoads: Readonly<Record<string, readonly Load[]>> = {
  'POST /storage/file/data': [
    {
      title: 'an address of as many folders as fit',
      request: () => ({ request: `POST /API/storage/file/data?uri=memory:///${'a/'.repeat(4000)}b`, body: 'x' }),
    },
  ],
  'POST /import/metadata-table': [
    {
      title: 'a table of many short rows',
      status: 200,
      request: (run) => csv('/import/metadata-table?dryRun=true', `itemId,title\n${`VX-${run},a\n`.repeat(200_000)}`),
    },
    {
      title: 'a table of many columns',
      status: 200,
      request: () => csv('/import/metadata-table?dryRun=true', `${manyHeads}${`${long}\n`.repeat(1000)}`),
    },
  ],
  'POST /import/metadata-table/preview': [
    {
      title: 'as many unknown heads as a table has',
      status: 200,
      request: () => csv('/import/metadata-table/preview', `${manyHeads}${`${long}\n`.repeat(200)}`),
    },
    {
      title: 'one long row',
      status: 200,
      request: () => csv('/import/metadata-table/preview', `itemId,title\nVX-1,"${'\\; '.repeat(300_000)}"\n`),
    },
  ],
  'GET /transfer': [get('/transfer'), get('/transfer?first=4000'), get('/transfer?state=ABORTED,TRANSFERRING')],
  'GET /transfer/:transfer': [get('/transfer/as%20many')],
  'POST /upload': [
    {
      title: 'as many keys as fit',
      request: () => ({
        request: 'POST /API/upload',
        headers: {
          'tus-resumable': '1.0.0',
          'upload-length': '1',
          'upload-metadata': Array.from({ length: 2000 }, (_, index) => `k${index} YQ==`).join(),
        },
      }),
    },
  ],
  'GET /upload/:upload': [
    {
      title: 'with as many gaps as there may be',
      status: 200,
      request: () => ({ request: 'GET /API/upload/gaps', headers: { 'tus-resumable': '1.0.0' } }),
    },
  ],
};

const columns = `id, owner, target, name, storage_id, method_id, path, mode, size, ranges, received, token, state, priority,
  rest, version, created_at, touched_at`;

/** Five thousand uploads of one name, and one with as many gaps as an upload may have. */
export const uploadState: readonly Statement[] = [
  {
    sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO transfer (${columns})
      SELECT 'T-' || i, 'rich', 'new L-1 ' || i, 'as many', 'L-1', 'L-1', printf('%.300c', 'p'), 'create', 10, '[]', 0, '',
        'ABORTED', 500, '{}', 1, i, 8000000000000000 FROM n`,
    args: [],
  },
  {
    sql: `INSERT INTO transfer (${columns}) VALUES ('gaps', 'rich', 'new L-1 gaps', 'gaps', 'L-1', 'L-1', 'p', 'create', 1000000,
      ?1, 10000, 'staged', 'TRANSFERRING', 500, '{"state":"CLOSED"}', 1, 0, 8000000000000000)`,
    args: [JSON.stringify(Array.from({ length: 10_000 }, (_, at) => [at * 10, at * 10 + 1]))],
  },
];

import { expect, it } from 'vitest';
import { ServiceError } from '../../src/core/lib/errors.ts';
import { below } from '../../src/http/route-group.ts';
import { insertFile, type NewFile } from '../../src/storage/files/store.ts';
import { fileRoutes } from '../../src/storage/routes.ts';
import { fillFiles } from '../support/many-rows.ts';
import { openRoom } from '../support/room.ts';

const writer = { roles: ['_file_write', '_file_read'], headers: { accept: 'application/json' } } as const;

async function open() {
  const room = await openRoom([], (context) => ({
    routes: [
      below(['storage', 'file', 'APInoauth'], () => fileRoutes({ ...context, places: {}, vault: undefined } as never)),
    ],
  }));
  await fillFiles(room.store, { files: 2, storage: 1 });
  const row = (id: string, path: string): NewFile => ({
    id,
    path,
    storageId: 'VX-1',
    state: 'CLOSED',
    size: null,
    modified: null,
    content: null,
    identity: null,
    hash: null,
    digest: null,
    hashDue: null,
    changedAt: 0,
    timestamp: 0,
    deleteDue: null,
  });
  const run = (sql: string, ...args: string[]) =>
    room.store.commit({ changes: [{ sql, args }], events: [] }, { user: 'test' });
  /** Somebody else registers a file between the read and the commit. */
  const insert = (id: string, path: string) =>
    room.store.commit(
      { changes: [insertFile(row(id, path), new ServiceError('internal'))], events: [] },
      { user: 'test' },
    );
  return { ...room, run, insert };
}

it('of two who register one path the second is told the file of the first', async () => {
  const { send, beforeNextCommit, insert } = await open();
  beforeNextCommit(() => insert('VX-900', 'new.mov'));
  const { status, body } = await send({ ...writer, request: 'POST /API/storage/VX-1/file?path=new.mov' });
  expect([status, JSON.parse(body)]).toMatchObject([409, { fileAlreadyExists: { fileId: 'VX-900', path: 'new.mov' } }]);
});

it('with createOnly=false the second changes the file of the first', async () => {
  const { send, beforeNextCommit, insert } = await open();
  beforeNextCommit(() => insert('VX-900', 'new.mov'));
  const request = 'POST /API/storage/VX-1/file?path=new.mov&state=OPEN&createOnly=false';
  const { status, body } = await send({ ...writer, request });
  expect([status, JSON.parse(body)]).toMatchObject([200, { id: 'VX-900', state: 'OPEN' }]);
});

it('registers nothing on a storage that is deleted meanwhile', async () => {
  const { send, beforeNextCommit, run, store } = await open();
  beforeNextCommit(() => run('UPDATE storage SET deleted_at = 1'));
  expect((await send({ ...writer, request: 'POST /API/storage/VX-1/file?path=new.mov' })).status).toBe(404);
  expect(await store.read(`SELECT id FROM file WHERE path = 'new.mov'`)).toEqual([]);
});

it('decides a state again when the file changes meanwhile', async () => {
  const { send, beforeNextCommit, run, store } = await open();
  beforeNextCommit(() => run(`UPDATE file SET state = 'LOST', version = version + 1 WHERE id = 'VX-1'`));
  expect((await send({ ...writer, request: 'PUT /API/file/VX-1/state/OPEN' })).status).toBe(200);
  expect(await store.read(`SELECT state FROM file WHERE id = 'VX-1'`)).toEqual([['OPEN']]);
});

it('gives back no path that another file takes meanwhile', async () => {
  const { send, beforeNextCommit, run, insert } = await open();
  await run(`UPDATE file SET state = 'TO_BE_DELETED', version = version + 1 WHERE id = 'VX-1'`);
  beforeNextCommit(() => insert('VX-900', 'folder-00/file-1.mov'));
  const { status, body } = await send({ ...writer, request: 'PUT /API/file/VX-1/state/CLOSED' });
  expect([status, JSON.parse(body)]).toMatchObject([409, { fileAlreadyExists: { fileId: 'VX-900' } }]);
});

it('forgets no file that an item begins to use meanwhile', async () => {
  const { send, beforeNextCommit, run, store } = await open();
  beforeNextCommit(() => run(`INSERT INTO file_use VALUES ('VX-1', 'VX-7', 'VX-8', 'VX-9')`));
  expect((await send({ ...writer, request: 'DELETE /API/file/VX-1/entity' })).status).toBe(409);
  expect(await store.read(`SELECT id FROM file WHERE id = 'VX-1'`)).toHaveLength(1);
});

it('relocates to no path that another file takes meanwhile, and leaves the file as it was', async () => {
  const { send, beforeNextCommit, insert, store } = await open();
  beforeNextCommit(() => insert('VX-900', 'b.mov'));
  expect((await send({ ...writer, request: 'POST /API/file/VX-1/path?path=b.mov' })).status).toBe(409);
  expect(await store.read(`SELECT state FROM file WHERE id = 'VX-1'`)).toEqual([['CLOSED']]);
});

import { expect, it } from 'vitest';
import type { ItemsContext } from '../../../src/assets/items/settings.ts';
import { shapeRoutes } from '../../../src/assets/shapes/routes.ts';
import { below } from '../../../src/http/route-group.ts';
import { fillFiles } from '../../support/many-rows.ts';
import { openRoom } from '../../support/room.ts';

const roles = ['_administrator', '_item_shape_read', '_item_shape_write'];
const owner = { roles, headers: { accept: 'application/json' } } as const;

async function open() {
  const room = await openRoom([], (context) => ({
    routes: [
      below('item', () =>
        shapeRoutes({ ...context, settings: { ...context.settings, deleteGraceHours: 0 } } as ItemsContext),
      ),
    ],
  }));
  await fillFiles(room.store, { files: 2, storage: 1 });
  const run = (sql: string) => room.store.commit({ changes: [{ sql, args: [] }], events: [] }, { user: 'test' });
  await run(`INSERT INTO metadata_field (name, type, system) VALUES ('shapeTag', 'string-exact', 1)`);
  await run(`INSERT INTO item (id, serial, created_at) VALUES ('VX-1', 1, 0), ('VX-2', 2, 0)`);
  const ask = async (request: string, body?: object) => {
    const answer = await room.send({ ...owner, request, ...(body && { body }) });
    return { status: answer.status, body: answer.body === '' ? {} : JSON.parse(answer.body) };
  };
  const create = () =>
    ask('POST /API/item/VX-1/shape/create', { containerComponent: { file: [{ id: 'VX-1' }] }, tag: ['original'] });
  const stateOf = async (id: string) => (await room.store.read(`SELECT state FROM file WHERE id = '${id}'`))[0]?.[0];
  return { ...room, run, ask, create, stateOf };
}

it('a file that another component takes meanwhile stays when its shape is deleted', async () => {
  const { ask, create, run, beforeNextCommit, stateOf } = await open();
  await create();
  beforeNextCommit(() => run(`INSERT INTO file_use VALUES ('VX-1', 'VX-2', 'VX-8', 'VX-9')`));
  expect((await ask('DELETE /API/item/VX-1/shape/VX-1')).status).toBe(200);
  expect(await stateOf('VX-1')).toBe('CLOSED');
});

it('a file whose other component goes meanwhile waits for its deletion when its shape is deleted', async () => {
  const { ask, create, run, beforeNextCommit, stateOf } = await open();
  await create();
  await run(`INSERT INTO file_use VALUES ('VX-1', 'VX-2', 'VX-8', 'VX-9')`);
  beforeNextCommit(() => run(`DELETE FROM file_use WHERE component_id = 'VX-9'`));
  expect((await ask('DELETE /API/item/VX-1/shape/VX-1')).status).toBe(200);
  expect(await stateOf('VX-1')).toBe('TO_BE_DELETED');
});

it('no shape takes a file that another one takes meanwhile, or that goes meanwhile', async () => {
  const { create, run, beforeNextCommit, store } = await open();
  beforeNextCommit(() => run(`INSERT INTO file_use VALUES ('VX-1', 'VX-2', 'VX-8', 'VX-9')`));
  expect((await create()).status).toBe(400);
  await run('DELETE FROM file_use');
  beforeNextCommit(() => run(`UPDATE file SET state = 'TO_BE_DELETED', version = version + 1 WHERE id = 'VX-1'`));
  expect((await create()).status).toBe(404);
  expect(await store.read('SELECT count(*) FROM shape')).toEqual([[0]]);
});

it('no shape is made for an item that goes meanwhile', async () => {
  const { create, run, beforeNextCommit, store } = await open();
  beforeNextCommit(() => run(`DELETE FROM item WHERE id = 'VX-1'`));
  expect((await create()).status).toBe(404);
  expect(await store.read('SELECT count(*) FROM shape')).toEqual([[0]]);
});

it('a shape gets no tag that goes meanwhile', async () => {
  const { ask, create, run, beforeNextCommit } = await open();
  await create();
  await run(`INSERT INTO shape_tag (name, form, document) VALUES ('web', 'json', '{}')`);
  beforeNextCommit(() => run(`DELETE FROM shape_tag WHERE name = 'web'`));
  expect((await ask('PUT /API/item/VX-1/shape/VX-1/tag/web')).status).toBe(404);
});

it('a copied component has no file that its source loses meanwhile', async () => {
  const { ask, create, beforeNextCommit, stateOf } = await open();
  await create();
  await ask('POST /API/item/VX-2/shape/create');
  beforeNextCommit(() => ask('DELETE /API/item/VX-1/shape/VX-1/component/VX-1'));
  const copy = await ask('POST /API/item/VX-1/shape/VX-1/component/VX-1/copy/item/VX-2/shape/VX-2');
  expect([copy.status, await stateOf('VX-1')]).toEqual([404, 'TO_BE_DELETED']);
});

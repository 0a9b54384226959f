import { it } from 'vitest';
import { describeMatrix } from '../../support/matrix.ts';
import { ask } from '../../support/requests.ts';
import { playScenario, prepare } from '../../support/scenario.ts';
import { shaper, worldOf } from '../../support/world.ts';
import { files, made, told } from './support.ts';

const shape = '/API/item/VX-1/shape/VX-1';

describeMatrix('shapes of items that are locked', (entry) => {
  it('while another user has the item locked its shapes stay as they are', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await prepare(world, files(2));
    await made(world, { videoComponent: [{}] });
    await made(world, {}, '', 'VX-2');
    await told(world, 'PUT /API/item/VX-1/lock');
    const move = '/component/VX-1/move/item/VX-2/shape/VX-2';
    const requests = [
      [`PUT ${shape}/tag/lowres`],
      [`DELETE ${shape}`],
      ['POST /API/item/VX-1/shape/create', {}],
      [`PUT ${shape}/metadata`, { field: [{ key: 'a', value: 'b' }] }],
      [`PUT ${shape}/component/VX-1/metadata`, { field: [{ key: 'a', value: 'b' }] }],
      [`PUT ${shape}/component/VX-1/file/VX-1`],
      [`POST ${shape}${move}`],
      [`POST ${shape}/version`],
    ] as const;
    for (const [request, body] of requests) {
      await playScenario(world, { ...ask(request, body, shaper), name: request, status: 409 });
    }
    const read = await world.send(ask(`GET ${shape}`, undefined, shaper));
    if (read.status !== 200) throw new Error(read.body);
    await told(world, `PUT ${shape}/tag/lowres`);
  });

  it('a shape does not go when a deletion lock protects its files, unless they are kept', async () => {
    const world = await worldOf('shapes', {}, entry.open);
    await prepare(world, files(1));
    await made(world, { containerComponent: { file: [{ id: 'VX-1' }] } });
    for (const [type, id] of [
      ['item', 'VX-1'],
      ['file', 'VX-1'],
    ] as const) {
      const sql = `INSERT INTO deletion_lock (id, serial, entity_type, entity_id, user_id, user, expires_at, modified_at)
        VALUES ('VX-1', 1, ?, ?, '', 'admin', 9e15, 0)`;
      await world.service.store.commit({ changes: [{ sql, args: [type, id] }], events: [] }, { user: 'test' });
      for (const request of [`DELETE ${shape}`, `DELETE ${shape}/component/VX-1`, 'DELETE /API/item/VX-1/shape']) {
        await playScenario(world, { ...ask(request), name: `${type}: ${request}`, status: 409 });
      }
      const end = { sql: 'DELETE FROM deletion_lock', args: [] };
      await world.service.store.commit({ changes: [end], events: [] }, { user: 'test' });
    }
    await told(world, `DELETE ${shape}?keepFiles=true`);
  });
});

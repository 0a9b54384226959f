import { expect, it } from 'vitest';
import { ended } from '../../support/files.ts';
import { asking, rowsOf } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { start } from '../../support/transfers.ts';
import { importer, worldOf } from '../../support/world.ts';

const ask = asking(importer);

const json = { accept: 'application/json', 'content-type': 'application/json' };

it('an import takes the room that an enforced quota rule leaves, and no more', async () => {
  const world = await worldOf('imports');
  const rule = JSON.stringify({ enforce: true, storage: 'VX-2', resource: [{ name: 'storage', limit: 8 }] });
  await world.send({ ...ask('POST /API/quota', rule, admin), headers: json });
  world.from.put('a.txt', 'hello');
  const copy = 'POST /API/import?uri=memory:///in/a.txt&storageId=VX-2';
  // The first import takes the file where it lies, so the others are copied.
  for (const [request, status, copies] of [
    ['POST /API/import?uri=memory:///in/a.txt', 'FINISHED', 0],
    [copy, 'FINISHED', 1],
    [copy, 'FAILED_TOTAL', 1],
  ] as const) {
    const job = await start(world, ask(request));
    const end = await ended(world, job.jobId);
    expect([end.status, world.to.files.size, world.to.staged.size], JSON.stringify(end)).toEqual([status, copies, 0]);
    const said = end.log!.task.at(-1)!.errorMessage;
    if (status !== 'FINISHED')
      expect(said).toBe(
        'The storage VX-2 may have 8 bytes, and has 5 bytes. An administrator can change this quota rule: VX-1',
      );
  }
  expect(await rowsOf(world, 'publication')).toEqual([]);
});

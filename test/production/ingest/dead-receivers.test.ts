import { expect, it } from 'vitest';
import { ended } from '../../support/files.ts';
import { receiving, register } from '../../support/receiver.ts';
import { asking, done, textAt } from '../../support/requests.ts';
import { sent, start } from '../../support/transfers.ts';
import { importer, worldOf } from '../../support/world.ts';

const ask = asking(importer);

it.each([
  ['the metadata of items', { metadata: { modify: '' } }, '/item'],
  ['shapes', { shape: { modify: '' } }, '/item'],
])(
  'a receiver that does not answer is named in the log of the job that it stops, without its address, for %s',
  async (_what, trigger, place) => {
    const world = await worldOf('imports', { settings: { outboundAllow: ['127.0.0.1'] } });
    const item = await done<{ id: string }>(world, ask('POST /API/import/placeholder?container=1'));
    const receiver = await receiving();
    receiver.script({ status: 503, body: 'hunter2' });
    const id = await register(world, { url: receiver.address, synchronous: true }, trigger, place);
    await done(world, sent('POST /API/storage/VX-1/file/data?path=a.txt', 'bytes'));
    expect(textAt(world.from, 'a.txt')).toBe('bytes');
    const job = await start(world, ask(`POST /API/import/placeholder/${item.id}/container?fileId=VX-1`));
    const end = await ended(world, job.jobId);
    expect(end.status).toBe('FINISHED');
    const log = JSON.stringify(end.log);
    expect(log).toContain(
      `Expected an answer from the receiver of the notification ${id}, which is asked before the change`,
    );
    expect(log).not.toContain(receiver.address);
    expect(log).not.toContain('hunter2');
  },
);

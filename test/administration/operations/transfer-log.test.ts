import { expect, it } from 'vitest';
import { ended, type JobSeen, upload } from '../../support/files.ts';
import { asking, bodyOf, done } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { librarian, worldOf } from '../../support/world.ts';

const ask = asking(librarian);

interface Log {
  readonly count?: number;
  readonly transferLogEntry?: readonly Readonly<Record<string, unknown>>[];
}

it('the log of transfers tells what was copied and moved, from where to where, and finds it by each of them', async () => {
  const world = await worldOf('transfers');
  await done(world, upload('in/a.mov', 'hello'));
  const { jobId } = await done<JobSeen>(world, ask('POST /API/file/VX-1/storage/VX-2'));
  const read = async (query = '') =>
    bodyOf<Log>(await world.send({ ...ask(`GET /API/log/transfer-log?${query}`), as: admin }));
  expect((await read()).transferLogEntry).toEqual([
    expect.objectContaining({ job: jobId, status: 'NONE', sourceFile: 'VX-1' }),
  ]);
  await ended(world, jobId);
  const all = await read('performCount=true');
  expect(all.count).toBe(1);
  expect(all.transferLogEntry).toEqual([
    {
      ...{ id: expect.any(Number), timestamp: expect.any(String), job: jobId, status: 'FINISHED', method: 'COPY_FILE' },
      ...{ sourceStorage: 'VX-1', sourceFile: 'VX-1', destinationStorage: 'VX-2', destinationFile: 'VX-2' },
    },
  ]);
  const finds = async (query: string) => ((await read(query)).transferLogEntry ?? []).length;
  const found = ['storage=VX-1', 'storage=VX-2', 'file=VX-2', `job=${jobId}`, 'status=FINISHED', 'endtime=2100-01-01'];
  const lost = ['storage=VX-3', 'file=VX-9', 'item=VX-1', 'job=VX-999', 'status=FAILED', 'method=MOVE_FILE', 'first=1'];
  const none = ['starttime=2100-01-01', 'shape=VX-1', 'uri=file:*'];
  expect(await Promise.all(found.map(finds))).toEqual(found.map(() => 1));
  expect(await Promise.all([...lost, ...none].map(finds))).toEqual([...lost, ...none].map(() => 0));
  expect((await world.send(ask('GET /API/log/transfer-log'))).status).toBe(403);
});

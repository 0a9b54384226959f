import { expect, it } from 'vitest';
import type { Database } from '../../src/store/contract.ts';
import { memoryStorage } from '../../src/testing/storage/memory-storage.ts';
import { patience, stopAtPoints } from '../simulation/points.ts';
import { type CallKind, processModel, type Stop } from '../simulation/process.ts';
import { type TestClock, testClock } from '../support/clock.ts';
import { requestOf } from '../support/matrix.ts';
import { storageRows } from '../support/media.ts';
import { memoryPlugin } from '../support/memory-plugin.ts';
import { migratedDatabase } from '../support/migrated.ts';
import { outliving } from '../support/outliving.ts';
import { admin, openService, type TestService } from '../support/service.ts';

interface Stage {
  readonly opened: TestService;
  readonly clock: TestClock;
  readonly database: Database;
}

const settings = { logLevel: 'error' as const, deleteGraceHours: 0 };

async function send(
  { opened }: Pick<Stage, 'opened'>,
  request: string,
  body?: string | object,
): Promise<{ id?: string }> {
  const sent = { as: admin, request, headers: { accept: 'application/json' }, ...(body !== undefined && { body }) };
  const answer = await opened.service.fetch(requestOf('http://portico.test', sent));
  const text = await answer.text();
  expect(answer.status, text).toBeLessThan(300);
  return text === '' ? {} : (JSON.parse(text) as { id?: string });
}

/** An item with one file, and its metadata asked for, too. */
async function prepared(opened: TestService): Promise<string> {
  await storageRows(opened);
  await storageRows(opened, { id: 'VX-2', uri: 'memory:///out/' });
  const file = await send({ opened }, 'POST /API/storage/VX-1/file/data?path=a.mov', 'hello');
  const item = await send({ opened }, 'POST /API/import/placeholder');
  const shape = { containerComponent: { file: [{ id: file.id }] } };
  await send({ opened }, `POST /API/item/${item.id}/shape/create?tag=original`, shape);
  return `POST /API/item/${item.id}/export?uri=${encodeURIComponent('memory:///out/')}&metadata=true`;
}

/** A client that hears nothing looks whether the job is there, and asks again where it is not. */
async function act({ opened, clock, database }: Stage, request: string, rounds: number): Promise<void> {
  if ((await database.read('SELECT 1 FROM job')).length === 0) await send({ opened }, request);
  for (let round = 0; round < rounds; round++) {
    await opened.service.tick();
    await clock.advance(20_000);
  }
}

async function play(stop: Stop): Promise<{ readonly stopped: boolean }> {
  const clock = testClock();
  const database = await migratedDatabase();
  const storage = memoryStorage(() => clock.now());
  const shared = { clock, settings };
  try {
    const before = await openService({ ...shared, database: outliving(database), plugins: [memoryPlugin(storage)] });
    const request = await prepared(before);
    await before.service.close();
    const process = processModel(stop);
    const plugins = [memoryPlugin(process.scheme(storage))];
    const victim = await openService({
      ...shared,
      database: process.database(outliving(database)),
      plugins,
      start: false,
    });
    const acting = (async () => {
      await victim.service.start();
      process.begin();
      await act({ opened: victim, clock, database }, request, 3);
      await victim.service.close();
    })();
    await Promise.race([acting, process.end]);
    await clock.advance(3_700_000);
    const after = await openService({ ...shared, database: outliving(database), plugins: [memoryPlugin(storage)] });
    await act({ opened: after, clock, database }, request, 6);
    // Bytes that nobody names go after an hour.
    await clock.advance(2 * 3_600_000);
    await after.service.tick();
    const { files, staged } = storage.place('memory:///out/');
    expect([...files.keys()].sort()).toEqual(['a.mov', 'a.xml']);
    expect(new TextDecoder().decode(files.get('a.mov')!.bytes)).toBe('hello');
    expect(staged.size, 'temporary files of nobody').toBe(0);
    expect(await database.read('SELECT type, status FROM job')).toEqual([['EXPORT', 'FINISHED']]);
    expect(await database.read('SELECT * FROM export_file')).toEqual([]);
    const stops = await database.read(`SELECT 1 FROM event WHERE name = 'job/stop'`);
    expect(stops).toHaveLength(1);
    await after.service.close();
    return process;
  } finally {
    await database.close();
  }
}

async function callsOfExport(): Promise<readonly CallKind[]> {
  const clock = testClock();
  const database = await migratedDatabase();
  const storage = memoryStorage(() => clock.now());
  const process = processModel();
  const plugins = [memoryPlugin(process.scheme(storage))];
  const opened = await openService({ clock, settings, database: process.database(outliving(database)), plugins });
  const request = await prepared(opened);
  process.begin();
  await act({ opened, clock, database }, request, 3);
  const calls = [...process.calls];
  await opened.service.close();
  await database.close();
  return calls;
}

it(
  'M18 an export: the process may stop at any call; another instance ends it, and no file is there twice',
  async () => {
    await stopAtPoints(0, await callsOfExport(), play);
  },
  patience,
);

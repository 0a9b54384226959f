import { expect, it } from 'vitest';
import type { Database } from '../../../src/core/store/contract.ts';
import { memoryStorage } from '../../../src/kit/testing/storage/memory-storage.ts';
import { failAtPoints, patience, stopAtPoints } from '../../simulation/points.ts';
import type { Point, ProcessModel } from '../../simulation/process.ts';
import { actUntil, jobIn, work } from '../../simulation/victim.ts';
import { type TestClock, testClock } from '../../support/clock.ts';
import { outliving } from '../../support/databases.ts';
import { requestOf } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { admin, memoryPlugin, openService, type TestService } from '../../support/service.ts';
import { storageRows } from '../../support/world.ts';

/** Request that a client sends once, and the files of each storage when all is done. */
interface Plot {
  readonly name: string;
  readonly request: string;
  /** Asked behind it, once the job is there. */
  readonly next?: string;
  readonly ends: string;
  readonly from: Readonly<Record<string, string>>;
  readonly to: Readonly<Record<string, string>>;
  /** Files by id, as they end. */
  readonly files: readonly string[];
}

const plots: readonly Plot[] = [
  {
    name: 'a copy',
    request: 'POST /API/file/VX-1/storage/VX-2',
    ends: 'FINISHED',
    from: { a: 'hello' },
    to: { a: 'hello' },
    files: ['VX-1 CLOSED', 'VX-2 CLOSED'],
  },
  {
    name: 'a move',
    request: 'POST /API/file/VX-1/storage/VX-2?move=true',
    ends: 'FINISHED',
    from: {},
    to: { a: 'hello' },
    files: ['VX-2 CLOSED'],
  },
  {
    name: 'a deletion',
    request: 'DELETE /API/file/VX-1',
    ends: 'FINISHED',
    from: {},
    to: {},
    files: [],
  },
  {
    name: 'a move that is aborted',
    request: 'POST /API/file/VX-1/storage/VX-2?move=true',
    next: 'DELETE /API/job/',
    ends: 'ABORTED',
    from: { a: 'hello' },
    to: {},
    files: ['VX-1 CLOSED'],
  },
];

type Successor = 'the only server' | 'another instance';

interface Stage {
  readonly opened: TestService;
  readonly clock: TestClock;
  readonly database: Database;
}

const texts = (files: ReadonlyMap<string, { readonly bytes: Uint8Array }>) =>
  Object.fromEntries([...files].map(([path, { bytes }]) => [path, new TextDecoder().decode(bytes)]));

async function send({ opened }: Stage, request: string, body?: string): Promise<string> {
  const headers = { accept: 'application/json' };
  const sent = { as: admin, request, headers, ...(body !== undefined && { body }) };
  return (await opened.service.fetch(requestOf('http://portico.test', sent))).text();
}

/** Acts as a client that hears nothing: it looks what is there, and asks again for what is not. */
async function act(stage: Stage, { request, next }: Plot): Promise<void> {
  if (!(await jobIn(stage))) await send(stage, request);
  if (next !== undefined) {
    await stage.opened.service.tick(0);
    const job = (await jobIn(stage))!;
    if (!/^(ABORTED|FINISHED|FAILED)/.test(job.status)) await send(stage, next + job.id);
  }
  await work(stage, 3);
}

async function play(plot: Plot, successor: Successor, point?: Point): Promise<ProcessModel> {
  const clock = testClock();
  const database = await migratedDatabase();
  const outside: Database = { ...outliving(database) };
  const storage = memoryStorage(() => clock.now());
  const [from, to] = [storage.place('memory:///in/'), storage.place('memory:///out/')];
  const shared = { clock, settings: { logLevel: 'error' as const, deleteGraceHours: 0 } };
  try {
    const before = await openService({ ...shared, database: outside, plugins: [memoryPlugin(storage)] });
    await storageRows(before);
    await storageRows(before, { id: 'VX-2', uri: 'memory:///out/' });
    const given: Stage = { opened: before, clock, database };
    await send(given, 'POST /API/storage/VX-1/file/data?path=a', 'hello');
    await before.service.close();

    const { process, next } = await actUntil(point, { outside, storage, shared }, (opened) =>
      act({ opened, clock, database }, plot),
    );
    await checkAlways(database, from, to);

    if (successor === 'another instance') await clock.advance(3_700_000);
    const alone = successor === 'the only server' ? ({ isOnlyServer: true } as const) : {};
    const after = await next(() =>
      openService({ ...shared, ...alone, database: outside, plugins: [memoryPlugin(storage)] }),
    );
    const stage: Stage = { opened: after, clock, database };
    await act(stage, plot);
    await work(stage, 5);
    // Bytes that no row names go after an hour.
    await clock.advance(2 * 3_600_000);
    await after.service.tick();
    await checkAlways(database, from, to);
    const end = (await jobIn(stage))!.status;
    // A caller who aborts may come too late.
    const expected = end === plot.ends ? plot : plots.find(({ name }) => name === 'a move')!;
    expect([plot.ends, 'FINISHED'].slice(0, plot.next === undefined ? 1 : 2)).toContain(end);
    await checkEnd({
      database,
      expected,
      lies: { from: texts(from.files), to: texts(to.files) },
      staged: to.staged.size,
    });
    await after.service.close();
    return process;
  } finally {
    await database.close();
  }
}

type Place = ReturnType<ReturnType<typeof memoryStorage>['place']>;

async function checkAlways(database: Database, from: Place, to: Place): Promise<void> {
  const places: Readonly<Record<string, Place>> = { 'VX-1': from, 'VX-2': to };
  const rows = await database.read(
    `SELECT storage_id, path, state, content FROM file
      WHERE NOT EXISTS (SELECT 1 FROM publication WHERE publication.storage_id = file.storage_id AND publication.path = file.path)`,
  );
  for (const [storage, path, state, content] of rows) {
    if (state === 'CLOSED') expect(places[String(storage)]!.files.get(String(path))?.version).toBe(content);
  }
  const copies = [from, to].filter(({ files }) => files.has('a'));
  const [job] = await database.read("SELECT type FROM job WHERE type = 'DELETE_FILE'");
  if (!job) expect(copies.length, 'the bytes are somewhere').toBeGreaterThan(0);
}

interface End {
  readonly database: Database;
  readonly expected: Plot;
  readonly lies: { readonly from: object; readonly to: object };
  readonly staged: number;
}

async function checkEnd({ database, expected, lies, staged }: End): Promise<void> {
  expect(lies).toEqual({ from: expected.from, to: expected.to });
  const files = await database.read('SELECT id, state FROM file ORDER BY id');
  // An id may have been given out and lost with its process.
  expect(files.map(([, state]) => state)).toEqual(expected.files.map((file) => file.split(' ')[1]));
  for (const table of ['publication', 'file_job']) {
    expect(await database.read(`SELECT * FROM ${table}`), table).toEqual([]);
  }
  expect(staged, 'temporary files of nobody').toBe(0);
  const events = (await database.read('SELECT name, entity_id FROM event')).map((row) => row.join(' '));
  const once = events.filter((event) =>
    /^(file\/(new|close|delete|hash)|job\/(create|stop|finished|fail)) /.test(event),
  );
  expect(once.length, once.join()).toBe(new Set(once).size);
  expect(events.filter((event) => event.startsWith('job/stop'))).toHaveLength(1);
}

const successors: readonly Successor[] = ['the only server', 'another instance'];
const runs = plots.flatMap((plot) => successors.map((successor) => [plot.name, successor, plot] as const));

it.each(runs.map((run, index) => [...run, index] as const))(
  '%s: the process may stop at any call; then %s ends the job, once',
  async (_name, successor, plot, index) => {
    const { calls } = await play(plot, successor);
    await stopAtPoints(index, calls, (stop) => play(plot, successor, stop));
  },
  patience,
);

it.each(plots.map((plot, index) => [plot.name, plot, index] as const))(
  '%s: any call may fail; the same process ends the job, once',
  async (_name, plot, index) => {
    const { calls } = await play(plot, 'another instance');
    await failAtPoints(index, calls, (fail) => play(plot, 'another instance', fail));
  },
  patience,
);

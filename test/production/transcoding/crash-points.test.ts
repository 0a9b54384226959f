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
import { admin, memoryPlugin, openService, type ServiceOptions, type TestService } from '../../support/service.ts';
import { storageRows } from '../../support/world.ts';
import { fakeTranscoder } from './fake-transcoder.ts';

/** Request that a client sends once. */
interface Plot {
  readonly name: string;
  readonly request: string;
  readonly body?: string;
  /** Somebody ends the job as soon as it is there. */
  readonly aborts: boolean;
  /** Renditions of the stream that it makes. Left out: it makes none. */
  readonly renditions?: number;
}

const transcode = 'POST /API/item/VX-100/transcode';
const render = 'POST /API/sequence/render?destinationItem=VX-100';
const at = (samples: number) => ({ samples, timeBase: { numerator: 1, denominator: 25 } });
const segment = { item: 'VX-100', sourceTrack: 1, in: at(10), out: at(35) };
const sequence = JSON.stringify({ sequence: { track: [{ segment: [segment] }] } });

const plots: readonly Plot[] = [
  {
    name: 'a transcoding to two tags',
    request: `${transcode}?tag=lowres,web&storageId=VX-2&createThumbnails=true`,
    aborts: false,
  },
  { name: 'a transcoding that is aborted', request: `${transcode}?tag=lowres&storageId=VX-2`, aborts: true },
  { name: 'a stream', request: `${transcode}?tag=stream&storageId=VX-2`, aborts: false, renditions: 3 },
  { name: 'a rendering to two tags', request: `${render}&tag=lowres,web`, body: sequence, aborts: false },
  { name: 'a rendering that is aborted', request: `${render}&tag=lowres`, body: sequence, aborts: true },
];

interface Stage {
  readonly opened: TestService;
  readonly clock: TestClock;
  readonly database: Database;
}

async function send({ opened }: Pick<Stage, 'opened'>, request: string, body?: string): Promise<void> {
  const headers = { accept: 'application/json' };
  const sent = { as: admin, request, headers, ...(body !== undefined && { body }) };
  const answer = await opened.service.fetch(requestOf('http://portico.test', sent));
  if (answer.status >= 300) throw new Error(`${request}: ${answer.status} ${await answer.text()}`);
}

/** Acts as a client that hears nothing: it looks what is there, and asks again for what is not. */
async function act(stage: Stage, { request, body, aborts }: Plot): Promise<void> {
  if (!(await jobIn(stage))) await send(stage, request, body);
  if (aborts) {
    await stage.opened.service.tick(0);
    const job = (await jobIn(stage))!;
    if (!/^(ABORTED|FINISHED|FAILED)/.test(job.status)) await send(stage, `DELETE /API/job/${job.id}`);
  }
  await work(stage, 3);
}

async function prepared() {
  const clock = testClock();
  const database = await migratedDatabase();
  const storage = memoryStorage(() => clock.now());
  const settings = { logLevel: 'error' as const, deleteGraceHours: 0 };
  const fake = fakeTranscoder();
  const shared: ServiceOptions = { clock, settings, transcoders: [fake] };
  const outside = outliving(database);
  const before = await openService({ ...shared, database: outside, plugins: [memoryPlugin(storage)] });
  await storageRows(before);
  await storageRows(before, { id: 'VX-2', uri: 'memory:///out/' });
  const given = { opened: before, clock, database };
  const item = { sql: `INSERT INTO item (id, serial, created_at) VALUES ('VX-100', 100, 0)`, args: [] };
  await before.service.store.commit({ changes: [item], events: [] }, { user: 'test' });
  await send(given, 'POST /API/storage/VX-1/file/data?path=a', 'hello');
  const file = [{ id: 'VX-1' }];
  const shape = JSON.stringify({
    containerComponent: { file },
    videoComponent: [{ codec: 'h264', resolution: { width: 1280, height: 720 }, file }],
  });
  await send(given, 'POST /API/item/VX-100/shape/create?tag=original', shape);
  for (const tag of ['lowres', 'web']) await send(given, `PUT /API/shape-tag/${tag}`, '{"format":"wav"}');
  await send(given, 'PUT /API/shape-tag/stream', '{"format":"cmaf"}');
  await before.service.close();
  return { clock, database, outside, storage, shared, fake };
}

async function play(plot: Plot, point?: Point): Promise<ProcessModel> {
  const { clock, database, outside, storage, shared, fake } = await prepared();
  try {
    const { process, next } = await actUntil(point, { outside, storage, shared }, (opened) =>
      act({ opened, clock, database }, plot),
    );
    await checkShapes(database);
    await clock.advance(3_700_000);
    const after = await next(() => openService({ ...shared, database: outside, plugins: [memoryPlugin(storage)] }));
    const stage: Stage = { opened: after, clock, database };
    await act(stage, plot);
    await work(stage, 5);
    // Bytes that no row names go after an hour.
    await clock.advance(2 * 3_600_000);
    await after.service.tick();
    await checkEnd(
      plot,
      stage,
      ['memory:///in/', 'memory:///out/'].map((place) => storage.place(place)),
    );
    // A rendition whose file is there is not made again.
    if (plot.renditions) expect(fake.orders.length).toBeLessThanOrEqual(plot.renditions + 1);
    await after.service.close();
    return process;
  } finally {
    await database.close();
  }
}

/** No shape is there without its file. */
async function checkShapes(database: Database): Promise<void> {
  const bare = await database.read(
    `SELECT shape.id FROM shape WHERE NOT EXISTS (SELECT 1 FROM file_use CROSS JOIN file ON file.id = file_id
      WHERE shape_id = shape.id AND state IN ('CLOSED', 'BEING_READ'))`,
  );
  expect(bare, 'shapes without a file').toEqual([]);
}

async function checkEnd(
  { aborts, renditions }: Plot,
  { database }: Stage,
  places: readonly ReturnType<ReturnType<typeof memoryStorage>['place']>[],
): Promise<void> {
  await checkShapes(database);
  const { status } = (await jobIn({ database }))!;
  // A caller who aborts may come too late.
  expect(aborts ? ['ABORTED', 'FINISHED'] : ['FINISHED']).toContain(status);
  const tags = (await database.read('SELECT tag FROM shape_tagged ORDER BY tag')).map(([tag]) => tag);
  if (!aborts) expect(tags).toEqual(renditions ? ['original', 'stream'] : ['lowres', 'original', 'web']);
  expect(await database.read('SELECT name FROM stream_rendition')).toHaveLength(renditions ?? 0);
  expect(new Set(tags).size, 'each tag once').toBe(tags.length);
  const sum = (of: 'files' | 'staged') => places.reduce((all, place) => all + place[of].size, 0);
  expect(sum('files'), 'a file for each shape or rendition').toBe(renditions ? renditions + 1 : tags.length);
  expect(sum('staged'), 'temporary files of nobody').toBe(0);
  const states = (await database.read('SELECT DISTINCT state FROM file')).map(([state]) => state);
  expect(states.filter((state) => state !== 'CLOSED' && state !== 'TO_BE_DELETED')).toEqual([]);
  for (const table of ['publication', 'file_job', 'transcode_output']) {
    expect(await database.read(`SELECT * FROM ${table}`), table).toEqual([]);
  }
  const events = (await database.read('SELECT name, entity_id FROM event')).map((row) => row.join(' '));
  expect(events.filter((event) => event.startsWith('job/stop'))).toHaveLength(1);
}

it.each(plots.map((plot, index) => ({ ...plot, plot, index })))(
  '$name: the process may stop at any call; another instance ends the job, once, and no shape lacks its file',
  async ({ plot, index }) => {
    const { calls } = await play(plot);
    await stopAtPoints(index, calls, (stop) => play(plot, stop));
  },
  patience,
);

it.each(plots.map((plot, index) => ({ ...plot, plot, index })))(
  '$name: any call may fail; the same process ends the job, once, and no shape lacks its file',
  async ({ plot, index }) => {
    const { calls } = await play(plot);
    await failAtPoints(index, calls, (fail) => play(plot, fail));
  },
  patience,
);

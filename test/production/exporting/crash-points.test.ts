import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Database } from '../../../src/core/store/contract.ts';
import { type MemoryStorage, memoryStorage } from '../../../src/kit/testing/storage/memory-storage.ts';
import { failAtPoints, patience, stopAtPoints } from '../../simulation/points.ts';
import type { Point, ProcessModel } from '../../simulation/process.ts';
import { actUntil } from '../../simulation/victim.ts';
import { type TestClock, testClock } from '../../support/clock.ts';
import { outliving } from '../../support/databases.ts';
import { requestOf } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { admin, memoryPlugin, openService, type TestService } from '../../support/service.ts';
import { storageRows } from '../../support/world.ts';

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

/** An item with a title and one file. */
async function itemWith(opened: TestService, name: string, bytes: string): Promise<string> {
  const file = await send({ opened }, `POST /API/storage/VX-1/file/data?path=${name}.mov`, bytes);
  const { id } = await send({ opened }, 'POST /API/import/placeholder');
  const field = [{ name: 'title', value: [{ value: name }] }];
  await send({ opened }, `PUT /API/item/${id}/metadata`, { timespan: [{ start: '-INF', end: '+INF', field }] });
  const shape = { containerComponent: { file: [{ id: file.id }] } };
  await send({ opened }, `POST /API/item/${id}/shape/create?tag=original`, shape);
  return id!;
}

const out = `uri=${encodeURIComponent('memory:///out/')}`;
const sha1 = (text: string | Uint8Array): string => createHash('sha1').update(text).digest('hex');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Plot {
  readonly name: string;
  /** Prepares the service. Answers the request that starts the job. */
  before(opened: TestService): Promise<string>;
  /** The hash of each file at the destination, or what it says. */
  readonly ends: Readonly<Record<string, string | RegExp>>;
}

const plots: readonly Plot[] = [
  {
    name: 'an export with metadata',
    before: async (opened) =>
      `POST /API/item/${await itemWith(opened, 'a', 'hello')}/export?${out}&metadata=true&xmp=sidecar`,
    ends: { 'a.mov': sha1('hello'), 'a.xml': /<value[^>]*>a<\/value>/, 'a.xmp': /"x-default">a<\/rdf:li>/ },
  },
  {
    name: 'a bag',
    before: async (opened) => `POST /API/item/${await itemWith(opened, 'a', 'hello')}/export?${out}&bag=true`,
    ends: {
      'VX-1/bagit.txt': /^BagIt-Version: 1.0/,
      'VX-1/bag-info.txt': /^Payload-Oxum: 5\.1$/m,
      'VX-1/data/VX-1/a.mov': sha1('hello'),
      'VX-1/metadata/VX-1.xml': /<value[^>]*>a<\/value>/,
      'VX-1/manifest-sha256.txt': sha1(`${sha256('hello')}  data/VX-1/a.mov\n`),
      'VX-1/tagmanifest-sha256.txt':
        /^(?:[0-9a-f]{64} {2}(?:bagit|bag-info|manifest-sha256|metadata\/VX-1)\.(?:txt|xml)\n){4}$/,
    },
  },
  {
    name: 'an export by a template, of two items, with texts inside and outside of them, and archives',
    async before(opened) {
      await send({ opened }, 'PUT /API/export-template/web', {
        folder: [
          {
            path: 'delivery',
            item: [
              {
                path: '{{item.metadata("title")}}',
                shape: [{ componentfile: [{ path: 'media.{{file.extension()}}', tag: ['media'] }] }],
                archive: [{ path: 'media.zip', shape: [{ componentfile: [{ path: 'in.mov' }] }] }],
                text: [{ path: 'media.sha1', dependency: ['media'], content: '{{checksum.tag("media")}}' }],
              },
            ],
            text: [{ path: 'all.txt', content: '{{files.map((each) => each.path).join(",")}}' }],
          },
        ],
      });
      const items = [await itemWith(opened, 'a', 'hello'), await itemWith(opened, 'b', 'world')];
      const { id } = await send({ opened }, 'POST /API/collection?name=all');
      for (const item of items) await send({ opened }, `PUT /API/collection/${id}/${item}`);
      return `POST /API/collection/${id}/export?${out}&template=web&metadata=true`;
    },
    ends: {
      'delivery/a/media.mov': sha1('hello'),
      'delivery/a/media.xml': /<value[^>]*>a<\/value>/,
      'delivery/a/media.sha1': sha1(sha1('hello')),
      'delivery/a/media.zip': /^PK\x03\x04.{26}in\.movhello/s,
      'delivery/b/media.mov': sha1('world'),
      'delivery/b/media.xml': /<value[^>]*>b<\/value>/,
      'delivery/b/media.sha1': sha1(sha1('world')),
      'delivery/b/media.zip': /^PK\x03\x04.{26}in\.movworld/s,
      'delivery/all.txt': sha1(
        'delivery/a/media.zip/in.mov,delivery/a/media.mov,delivery/b/media.zip/in.mov,delivery/b/media.mov',
      ),
    },
  },
];

/** The two storages in memory, and what the plot has before. */
async function prepared(plot: Plot, opened: TestService): Promise<string> {
  await storageRows(opened);
  await storageRows(opened, { id: 'VX-2', uri: 'memory:///out/' });
  return plot.before(opened);
}

/** Each file is there once, whole, and nobody else's; the job has ended once. */
async function checkEnd({ ends }: Plot, database: Database, storage: MemoryStorage): Promise<void> {
  const { files, staged } = storage.place('memory:///out/');
  expect([...files.keys()].sort()).toEqual(Object.keys(ends).sort());
  for (const [path, end] of Object.entries(ends)) {
    const { bytes } = files.get(path)!;
    if (typeof end === 'string') expect(sha1(bytes), path).toBe(end);
    else expect(new TextDecoder().decode(bytes), path).toMatch(end);
  }
  expect(staged.size, 'temporary files of nobody').toBe(0);
  expect(await database.read('SELECT type, status FROM job')).toEqual([['EXPORT', 'FINISHED']]);
  expect(await database.read('SELECT * FROM export_file')).toEqual([]);
  for (const name of ['job/stop', 'job/finished']) {
    expect(await database.read(`SELECT 1 FROM event WHERE name = '${name}'`), name).toHaveLength(1);
  }
}

/** A client that hears nothing looks whether the job is there, and asks again where it is not. */
async function act({ opened, clock, database }: Stage, request: string, rounds: number): Promise<void> {
  if ((await database.read('SELECT 1 FROM job')).length === 0) await send({ opened }, request);
  for (let round = 0; round < rounds; round++) {
    await opened.service.tick();
    await clock.advance(20_000);
  }
}

async function play(plot: Plot, point?: Point): Promise<ProcessModel> {
  const clock = testClock();
  const database = await migratedDatabase();
  const storage = memoryStorage(() => clock.now());
  const shared = { clock, settings };
  try {
    const before = await openService({ ...shared, database: outliving(database), plugins: [memoryPlugin(storage)] });
    const request = await prepared(plot, before);
    await before.service.close();
    const outside = outliving(database);
    const { process, next } = await actUntil(point, { outside, storage, shared }, (opened) =>
      act({ opened, clock, database }, request, 3),
    );
    await clock.advance(3_700_000);
    const after = await next(() => openService({ ...shared, database: outside, plugins: [memoryPlugin(storage)] }));
    await act({ opened: after, clock, database }, request, 6);
    // Bytes that nobody names go after an hour.
    await clock.advance(2 * 3_600_000);
    await after.service.tick();
    await checkEnd(plot, database, storage);
    await after.service.close();
    return process;
  } finally {
    await database.close();
  }
}

it.each(plots.map((plot, index) => ({ name: plot.name, plot, index })))(
  '$name: the process may stop at any call; another instance ends it, and no file is there twice',
  async ({ plot, index }) => {
    const { calls } = await play(plot);
    await stopAtPoints(index, calls, (stop) => play(plot, stop));
  },
  patience,
);

it.each(plots.map((plot, index) => ({ name: plot.name, plot, index })))(
  '$name: any call may fail; the same process ends it, and no file is there twice',
  async ({ plot, index }) => {
    const { calls } = await play(plot);
    await failAtPoints(index, calls, (fail) => play(plot, fail));
  },
  patience,
);

import { expect, it } from 'vitest';
import type { Database } from '../../../src/core/store/contract.ts';
import { type MemoryStorage, memoryStorage } from '../../../src/kit/testing/storage/memory-storage.ts';
import { failAtPoints, patience, stopAtPoints } from '../../simulation/points.ts';
import type { Point, ProcessModel } from '../../simulation/process.ts';
import { actUntil, work } from '../../simulation/victim.ts';
import { type TestClock, testClock } from '../../support/clock.ts';
import { outliving } from '../../support/databases.ts';
import { requestOf } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { admin, memoryPlugin, openService } from '../../support/service.ts';
import { storageRows } from '../../support/world.ts';

/** A rule that moves the copy of a component from VX-1 to VX-2 has just been set. */
const given = [
  `INSERT INTO item (id, serial, created_at) VALUES ('VX-100', 100, 0)`,
  `INSERT INTO shape (id, serial, item_id, essence_version, placeholder, mime_types, created_at, version)
    VALUES ('VX-101', 101, 'VX-100', 0, 0, '[]', 0, 1)`,
  `INSERT INTO component (id, shape_id, kind, position, expected, document)
    VALUES ('VX-102', 'VX-101', 'container', 0, 0, '{}')`,
  `INSERT INTO file_use SELECT id, 'VX-100', 'VX-101', 'VX-102' FROM file`,
  `INSERT INTO storage_rule (entity_type, entity_id, tag, precedence, document)
    VALUES ('ITEM', 'VX-100', '', 2, '{"storage":["VX-2"],"not":{"storage":["VX-1"]}}')`,
];

interface Stage {
  readonly clock: TestClock;
  readonly database: Database;
  readonly storage: MemoryStorage;
}

const settings = { logLevel: 'error' as const, deleteGraceHours: 0 };

async function prepared(): Promise<Stage> {
  const clock = testClock();
  const database = await migratedDatabase();
  const storage = memoryStorage(() => clock.now());
  const plugins = [memoryPlugin(storage)];
  const before = await openService({ clock, settings, database: outliving(database), plugins });
  await storageRows(before);
  await storageRows(before, { id: 'VX-2', uri: 'memory:///out/' });
  const sent = { as: admin, request: 'POST /API/storage/VX-1/file/data?path=a', body: 'hello' };
  expect((await before.service.fetch(requestOf('http://portico.test', sent))).status).toBe(200);
  await before.service.store.commit({ changes: given.map((sql) => ({ sql, args: [] })), events: [] }, { user: 'test' });
  await before.service.close();
  return { clock, database, storage };
}

const filesIn = (storage: MemoryStorage, uri: string) => [...storage.place(uri).files.keys()];

async function play(point?: Point): Promise<ProcessModel> {
  const { clock, database, storage } = await prepared();
  try {
    const outside = outliving(database);
    const { process, next } = await actUntil(point, { outside, storage, shared: { clock, settings } }, (victim) =>
      work({ opened: victim, clock }, 4),
    );
    const bytes = [...filesIn(storage, 'memory:///in/'), ...filesIn(storage, 'memory:///out/')];
    expect(bytes.length, 'the bytes are somewhere').toBeGreaterThan(0);

    const plugins = [memoryPlugin(storage)];
    const after = await next(() => openService({ clock, settings, isOnlyServer: true, database: outside, plugins }));
    await work({ opened: after, clock }, 8);
    expect([filesIn(storage, 'memory:///in/'), filesIn(storage, 'memory:///out/')]).toEqual([[], ['a']]);
    const jobs = await database.read('SELECT type, status FROM job ORDER BY type');
    expect(jobs.map((row) => row.join(' '))).toEqual(['COPY_FILE FINISHED', 'DELETE_FILE FINISHED']);
    for (const table of ['placing_due', 'placing_walk', 'placing_copy', 'file_job']) {
      expect(await database.read(`SELECT * FROM ${table}`), table).toEqual([]);
    }
    await after.service.close();
    return process;
  } finally {
    await database.close();
  }
}

it(
  'the process may stop at any call: the next one carries the rule out, and starts nothing twice',
  async () => {
    const { calls } = await play();
    await stopAtPoints(0, calls, (stop) => play(stop));
  },
  patience,
);

it(
  'any call may fail: the same process carries the rule out, and starts nothing twice',
  async () => {
    const { calls } = await play();
    await failAtPoints(0, calls, play);
  },
  patience,
);

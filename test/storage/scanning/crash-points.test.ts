import { expect, it } from 'vitest';
import type { Database } from '../../../src/core/store/contract.ts';
import { type MemoryFolder, memoryStorage } from '../../../src/kit/testing/storage/memory-storage.ts';
import { failAtPoints, patience, stopAtPoints } from '../../simulation/points.ts';
import type { Point } from '../../simulation/process.ts';
import { actUntil } from '../../simulation/victim.ts';
import { testClock } from '../../support/clock.ts';
import { outliving } from '../../support/databases.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { memoryPlugin, openService, type TestService } from '../../support/service.ts';
import { storageRows } from '../../support/world.ts';

/** A scan that finds everything there is to find, and the process that does it stops at each of its calls. */

const due = { sql: `UPDATE storage_scan SET due = 0`, args: [] };
const wanted = {
  sql: `INSERT INTO storage_scan (storage_id, due, instance, lease_until, fence, found) VALUES ('VX-1', 0, '', 0, 0, '{}')`,
  args: [],
};

async function scan({ service }: TestService): Promise<void> {
  await service.store.commit({ changes: [due], events: [] }, { user: 'test' });
  await service.tick();
}

/** A storage without an interval that a scan found OFFLINE waits for somebody who asks again. */
async function askAgain({ service }: TestService): Promise<void> {
  const sql = `${due.sql} WHERE due IS NULL AND EXISTS (SELECT 1 FROM storage WHERE state = 'OFFLINE')`;
  await service.store.commit({ changes: [{ sql, args: [] }], events: [] }, { user: 'test' });
  await service.tick();
}

async function play(successor: 'the only server' | 'another instance', point?: Point) {
  const clock = testClock();
  const database = await migratedDatabase();
  const outside = outliving(database);
  const storage = memoryStorage(() => clock.now());
  const place = storage.place('memory:///in/');
  const shared = { clock, settings: { logLevel: 'error' as const } };
  const open = (more: Parameters<typeof openService>[0] = {}) =>
    openService({ ...shared, database: outside, plugins: [memoryPlugin(storage)], ...more });
  try {
    const before = await open();
    await storageRows(before, { scanInterval: -1 });
    await before.service.store.commit({ changes: [wanted], events: [] }, { user: 'test' });
    for (const path of ['changed', 'gone', 'missing', 'stays', 'back']) place.put(path, 'x');
    await scan(before);
    await clock.advance(20_000);
    await scan(before);
    const back = place.files.get('back')!;
    for (const path of ['missing', 'back']) place.files.delete(path);
    await scan(before);
    await before.service.store.commit({ changes: [due], events: [] }, { user: 'test' });
    await before.service.close();
    place.files.set('back', back);
    place.files.delete('gone');
    place.put('changed', 'xyz');
    place.put('new', 'hello');

    const { process, next } = await actUntil(point, { outside, storage, shared }, ({ service }) => service.tick());

    if (successor === 'another instance') await clock.advance(61_000);
    const after = await next(() => open(successor === 'the only server' ? { isOnlyServer: true } : {}));
    await after.service.tick();
    await askAgain(after);
    await check(outside, place);
    await after.service.close();
    return process;
  } finally {
    await database.close();
  }
}

const rowsOf = async (database: Database, sql: string) => [...(await database.read(sql))];

/** As if nothing had stopped: each file as the scan has to find it, each event once. */
async function check(database: Database, place: MemoryFolder): Promise<void> {
  const files = await rowsOf(database, 'SELECT path, state, size, content FROM file ORDER BY path');
  const states = Object.fromEntries(files.map(([path, state]) => [path, state]));
  expect(states).toEqual({
    back: 'CLOSED',
    changed: 'OPEN',
    // Once missed, however often its scan began again.
    gone: 'MISSING',
    missing: 'LOST',
    // Closed at once where the scan that sees it first comes behind the closing time.
    new: expect.stringMatching(/^(?:OPEN|CLOSED)$/),
    stays: 'CLOSED',
  });
  for (const [path, state, size, content] of files) {
    const kept = place.files.get(String(path));
    if (state === 'CLOSED' || state === 'OPEN')
      expect([size, content]).toEqual([kept!.bytes.byteLength, kept!.version]);
  }
  const events = await rowsOf(
    database,
    `SELECT event.name || ' ' || path FROM event JOIN file ON file.id = entity_id WHERE event.name LIKE 'file/%' ORDER BY sequence`,
  );
  const begun = ['back', 'changed', 'gone', 'missing', 'stays'];
  const expected = [
    ...begun.flatMap((path) => [`file/new ${path}`, `file/close ${path}`, `file/hash ${path}`]),
    'file/change back',
    'file/change changed',
    'file/change missing',
    'file/new new',
    ...(states['new'] === 'CLOSED' ? ['file/close new', 'file/hash new'] : []),
  ];
  expect(events.map(([text]) => text).toSorted()).toEqual(expected.toSorted());
  const scans = await rowsOf(database, 'SELECT lease_until, problem FROM storage_scan');
  expect(scans).toEqual([[0, null]]);
}

const successors = ['the only server', 'another instance'] as const;

it.each(successors.map((successor, plot) => [successor, plot] as const))(
  'a scan may stop at any call: then comes %s, and nothing is told twice',
  async (successor, plot) => {
    const { calls, stopped } = await play(successor);
    expect(stopped).toBe(false);
    await stopAtPoints(plot, calls, (stop) => play(successor, stop));
  },
  patience,
);

it(
  'any call of a scan may fail: the same process ends it, and nothing is told twice',
  async () => {
    const { calls } = await play('another instance');
    await failAtPoints(2, calls, (fail) => play('another instance', fail));
  },
  patience,
);

import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { createMatching } from '../../src/notifications/matching/participant.ts';
import { claimLanes } from '../../src/notifications/outbox/store.ts';
import { create } from '../../src/notifications/registration/rules.ts';
import { firstMigrations } from '../../src/store/migrations/index.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { fakeNet, within } from '../notifications/delivery/world.ts';
import { notification } from '../notifications/support.ts';
import { type TestClock, testClock } from '../support/clock.ts';
import { happened, triggers } from '../support/events.ts';
import { openService } from '../support/service.ts';
import { migrations, nobody, temporaryDirectory } from '../support/store.ts';

const lease = 10_000;

/** A store as the program of the first four migrations opens it. */
async function openOlder(url: string, clock: TestClock): Promise<Store> {
  const database = await openDatabase(url);
  const store = openStore(database, { clock, site: 'VX', migrations: firstMigrations });
  const log = { write: () => undefined, writes: () => false };
  const settings = { maxParked: 10, maxNotificationDepth: 8 };
  store.join([createMatching({ reader: store, log, triggers, settings, committed: () => undefined })]);
  return store;
}

it('a database of the first four migrations opens, with a delivery that waits in a lane that is held, and goes on', async () => {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory.remove());
  const url = `file:${join(directory.path, 'portico.db')}`;
  const clock = testClock();
  const older = await openOlder(url, clock);
  await older.migrate();
  const place = { resource: '/group', entity: '' };
  const action = '<http><url>https://hooks.example/old</url><contentType>application/json</contentType></http>';
  const sent = { notification: notification('<group><create/></group>', action), sealed: null, lane: 'lane' };
  const now = clock.now();
  await older.commit(
    create(triggers, { ...sent, id: 'VX-9', place, user: 'u', now, most: 9, entityThere: [] }),
    nobody,
  );
  await older.commit({ changes: [], events: [happened('group/create', 'crew', { group: 'crew' })] }, nobody);
  expect(await claimLanes(older, { now, until: now + lease, owner: 'killed', most: 9 }, nobody)).toHaveLength(1);

  const net = fakeNet(clock);
  const newer = await openService({ clock, wire: net.wire, database: await openDatabase(url) });
  onTestFinished(() => newer.close());
  expect(await newer.service.store.schemaVersion()).toBe(migrations.length);
  await within(newer, 2 * lease);
  expect(net.sent.map(({ url: to }) => String(to))).toEqual(['https://hooks.example/old']);

  const late = older.commit({ changes: [], events: [happened('group/create', 'late', { group: 'late' })] }, nobody);
  await expect(late).rejects.toMatchObject({ code: 'store-unavailable' });
  await older.close();
  const again = await openOlder(url, clock);
  await expect(again.migrate()).rejects.toThrow(`version ${migrations.length}, this program knows only 4`);
  await again.close();
});

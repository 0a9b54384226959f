import { describe, expect, it, onTestFinished } from 'vitest';
import { createMatching } from '../../../src/administration/notifications/matching/participant.ts';
import { claimLanes } from '../../../src/administration/notifications/outbox-sql.ts';
import { create, removeAllNotifications } from '../../../src/administration/notifications/registration/rules.ts';
import { systemClock } from '../../../src/core/lib/clock.ts';
import type { CommitPlan, Database, EventRecord } from '../../../src/core/store/contract.ts';
import { openRemoteDatabase } from '../../../src/core/store/remote/remote-database.ts';
import { openStore, type Store } from '../../../src/core/store/store.ts';
import { openDatabase } from '../../../src/entry/native/open-database.ts';
import { happened, triggers } from '../../support/declared.ts';
import { isLong } from '../../support/long.ts';
import { sqldBinary, startSqld } from '../../support/sqld.ts';
import { migrations, nobody, temporaryDirectory } from '../../support/store.ts';
import { notification } from './support.ts';

async function instance(database: Database): Promise<Store> {
  const settings = { maxParked: 10, maxNotificationDepth: 8 };
  const log = { write: () => undefined, writes: () => false };
  const matching = createMatching({ reader: database, log, triggers, settings, committed: () => undefined });
  const store = openStore(database, { clock: systemClock, site: 'VX', migrations });
  store.join([matching]);
  onTestFinished(() => store.close());
  await store.migrate();
  return store;
}

/** Stores of two processes. A file has one writing process, so there one store does the work of both. */
const kinds: readonly (readonly [string, () => Promise<readonly [Store, Store]>])[] = [
  [
    'requests of one instance',
    async () => {
      const directory = await temporaryDirectory();
      onTestFinished(() => directory.remove());
      const store = await instance(await openDatabase(`file:${directory.path}/portico.db`));
      return [store, store];
    },
  ],
  [
    'two instances on one libsql-server',
    async () => {
      const server = await startSqld();
      onTestFinished(() => server.stop());
      return [await instance(openRemoteDatabase(server.url)), await instance(openRemoteDatabase(server.url))];
    },
  ],
];

/** Notifications that are made and deleted among the events. */
const rounds = isLong ? 10 : 3;
const elements = {
  'that an index finds': '<group><create/></group>',
  'that has to be asked': '<metadata><modify><language>d*</language></modify></metadata>',
};
const group = happened('group/create', 'crew', { group: 'crew' });
const changes = [{ field: 'title', values: ['x'], language: 'de', start: '-INF', end: '+INF' }];
const item = happened('metadata/modify', 'VX-1', { itemId: 'VX-1', changeSetId: 'VX-2', changes });
const both = { changes: [], events: [group, item] as unknown as readonly EventRecord[] };
/** Tells where in the order of commits something was done. */
const marked = (work: CommitPlan, name: string): CommitPlan => ({
  ...work,
  events: [{ name, entityType: 'mark', entityId: 'mark', payload: {} }],
});

describe.each(kinds)('%s', (kind, open) => {
  const test = it.skipIf(kind.startsWith('two') && sqldBinary() === undefined);

  test.each(Object.entries(elements))(
    'tell a notification %s of everything from the commit that made it to the one that deleted it',
    async (_kind, trigger) => {
      const [here, there] = await open();
      let over = false;
      const busy = Array.from({ length: 8 }, async (_, caller) => {
        while (!over) await (caller % 2 === 0 ? here : there).commit(both, nobody);
      });
      const scope = { resource: '/group', entity: '' };
      for (let round = 0; round < rounds; round++) {
        const id = await there.nextId('notification');
        const sent = { notification: notification(trigger), sealed: null, lane: 'a' };
        const made = create(triggers, { ...sent, id, scope, user: 'u', now: 1, max: 100 });
        await there.commit(marked(made, `made ${id}`), nobody);
        await Promise.all([here.commit(both, nobody), there.commit(both, nobody)]);
        await here.commit(marked(removeAllNotifications([id], 2), `gone ${id}`), nobody);
      }
      over = true;
      await Promise.all(busy);
      const wanted = await here.read(
        `SELECT substr(made.name, 6), told.sequence FROM event made JOIN event gone ON gone.name = 'gone ' || substr(made.name, 6)
         JOIN event told ON told.sequence > made.sequence AND told.sequence < gone.sequence AND told.name = ?
         WHERE made.name LIKE 'made %' ORDER BY 2`,
        [trigger.startsWith('<group') ? 'group/create' : 'metadata/modify'],
      );
      expect(wanted.length).toBeGreaterThanOrEqual(2 * rounds);
      expect(await here.read('SELECT notification_id, sequence FROM outbox ORDER BY 2')).toEqual(wanted);
    },
  );

  test('never hold a lane at once', async () => {
    const [here, there] = await open();
    const sent = { notification: notification('<group><create/></group>'), sealed: null };
    for (let number = 0; number < 20; number++) {
      const id = await here.nextId('notification');
      const scope = { resource: '/group', entity: '' };
      const given = { ...sent, id, lane: `lane ${number}`, scope, user: 'u', now: 1, max: 100 };
      await here.commit(create(triggers, given), nobody);
    }
    await here.commit(both, nobody);
    const now = systemClock.now() + 1;
    const claims = await Promise.all(
      Array.from({ length: 12 }, (_, caller) =>
        claimLanes(caller % 2 === 0 ? here : there, { now, until: now + 60_000, owner: `${caller}`, max: 3 }, nobody),
      ),
    );
    const lanes = claims.flat().map(({ lane }) => lane);
    expect([lanes.length, new Set(lanes).size]).toEqual([20, 20]);
  });
});

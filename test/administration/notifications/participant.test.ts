import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createMatching,
  type Foreseen,
  type MatchingParts,
} from '../../../src/administration/notifications/matching/participant.ts';
import {
  change,
  create,
  removeAllNotifications,
} from '../../../src/administration/notifications/registration/rules.ts';
import { findNotification } from '../../../src/administration/notifications/registration/store.ts';
import { ServiceError } from '../../../src/core/lib/errors.ts';
import type { Log } from '../../../src/core/lib/log.ts';
import type { Database, EventRecord, Outcome, Participant, Statement } from '../../../src/core/store/contract.ts';
import { openStore } from '../../../src/core/store/store.ts';
import { testClock } from '../../support/clock.ts';
import { type EventCatalogue, type EventName, happened, samples, triggers } from '../../support/declared.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { migrations, nobody } from '../../support/store.ts';
import { notification } from './support.ts';

interface Options {
  /** Participants ahead of notifications and behind them. */
  readonly around?: readonly [ahead: readonly Participant[], behind: readonly Participant[]];
  readonly before?: NonNullable<MatchingParts['before']>;
  readonly maxParked?: number;
}

/** A store with notifications as participant, whose reads and writes are counted. */
async function open(options: Options = {}) {
  const inner = await migratedDatabase();
  const reads: string[] = [];
  const writes: (readonly Statement[])[] = [];
  let meanwhile: (() => Promise<unknown>) | undefined;
  const database: Database = {
    ...inner,
    kind: inner.kind,
    guardGroups: (guard) => inner.guardGroups(guard),
    grouped: inner.grouped,
    pending: 0,
    read: (text, ...rest) => {
      reads.push(text);
      return inner.read(text, ...rest);
    },
    query: (...given) => inner.query(...given),
    figures: inner.figures,
    async write(statements, share): Promise<Outcome> {
      const action = meanwhile;
      meanwhile = undefined;
      await action?.();
      writes.push(statements);
      return inner.write(statements, share);
    },
    close: () => inner.close(),
  };
  const lines: string[] = [];
  const log: Log = { write: (_level, event) => void lines.push(event), writes: () => true };
  const settings = { maxParked: options.maxParked ?? 10, maxNotificationDepth: 8 };
  const clock = testClock();
  const { before, around: [ahead, behind] = [[], []] } = options;
  const matching = createMatching({
    reader: database,
    log,
    triggers,
    settings,
    committed: () => undefined,
    ...(before && { before }),
  });
  const store = openStore(database, { clock, site: 'VX', migrations });
  store.join([...ahead, matching, ...behind]);
  await store.migrate();
  onTestFinished(() => store.close());

  async function register(trigger: string, action?: string, scope = { resource: '/x', entity: '' }): Promise<string> {
    const id = await store.nextId('notification');
    const sent = { notification: notification(trigger, action), sealed: null, lane: `lane of ${id}` };
    await store.commit(create(triggers, { ...sent, id, scope, user: 'u', now: 1, max: 100 }), nobody);
    return id;
  }

  return {
    store,
    reads,
    writes,
    lines,
    register,
    remove: (id: string) => store.commit(removeAllNotifications([id], 2), nobody),
    async change(id: string, trigger: string): Promise<void> {
      const [row] = await findNotification(store, { name: id, resource: '/x', entity: '' });
      await store.commit(
        change(triggers, row!, { notification: notification(trigger), sealed: null, lane: row!.lane }, 3),
        nobody,
      );
    },
    happen: <N extends EventName>(name: N, payload: EventCatalogue[N], depth = 0, entity = 'VX-1') =>
      store.commit({ changes: [], events: [happened(name, entity, payload) as EventRecord] }, { ...nobody, depth }),
    beforeNextWrite(action: () => Promise<unknown>) {
      meanwhile = action;
    },
    /** Notifications that wait for the last event. */
    async told(): Promise<unknown[]> {
      const rows = await store.read(
        'SELECT notification_id FROM outbox WHERE sequence = (SELECT max(sequence) FROM event) ORDER BY notification_id',
      );
      return rows.flat();
    },
  };
}

const changed = (field: string, more: object = {}): EventCatalogue['metadata/modify'] => ({
  itemId: 'VX-1',
  changeSetId: 'VX-2',
  changes: [{ field, values: ['x'], start: '-INF', end: '+INF', ...more }],
});
const metadata = (inside: string): string => `<metadata><modify>${inside}</modify></metadata>`;
const stop = samples['job/stop'];
const synchronous = '<http synchronous="true"><url>http://hooks.example/</url></http>';

describe('a commit', () => {
  it('costs one statement an event and no read, with any number of notifications that wait for it by name and place', async () => {
    const world = await open();
    await world.register('<group><create/></group>');
    await world.register(metadata('<field>title</field>'));
    world.reads.length = 0;
    await world.happen('group/create', { group: 'crew' });
    await world.happen('metadata/modify', changed('title'));
    await world.happen('user/create', { user: 'ann' });
    expect(world.reads).toEqual([]);
    expect(world.writes.slice(-3).map((statements) => statements.length)).toEqual([2, 2, 1]);
  });

  it('sends no delivery astray when other participants insert into tables with rowids, and events come together', async () => {
    const row = {
      sql: "INSERT INTO audit (at, method, path, status, count) VALUES (1, 'PUT', '/x', 200, 1)",
      args: [],
    };
    const auditing: Participant = { name: 'rows', concerns: ['event'], before: () => [row], after: () => [row, row] };
    const world = await open({ around: [[auditing], [auditing]] });
    for (let n = 0; n < 40; n++) await world.store.commit({ changes: [row], events: [] }, nobody);
    const created = await world.register('<group><create/></group>');
    const asked = await world.register(metadata('<field>title</field><language>de_*</language>'));
    const removed = await world.register('<group><delete/></group>');
    const events = [
      happened('group/create', 'crew', { group: 'crew' }),
      happened('metadata/modify', 'VX-1', changed('title', { language: 'de_DE' })),
      happened('user/create', 'ann', { user: 'ann' }),
      happened('group/delete', 'crew', { group: 'crew' }),
    ] as EventRecord[];
    await world.store.commit({ changes: [row], events }, nobody);
    const waiting = await world.store.read(
      'SELECT notification_id, name FROM outbox JOIN event USING (sequence) ORDER BY sequence',
    );
    expect(waiting).toEqual([
      [created, 'group/create'],
      [asked, 'metadata/modify'],
      [removed, 'group/delete'],
    ]);
  });

  it('tells once who waits for several fields that changed', async () => {
    const world = await open();
    await world.register(metadata('<field>title,author</field>'));
    const { changes } = changed('title');
    await world.happen('metadata/modify', { ...changed('title'), changes: [...changes, ...changed('author').changes] });
    expect(await world.told()).toEqual(['VX-1']);
    await world.happen('metadata/modify', changed('other'));
    expect(await world.told()).toEqual([]);
  });

  it('asks a filter that no index can say, of those only that the index finds', async () => {
    const world = await open();
    const english = await world.register(metadata('<field>title</field><language>en_*</language>'));
    const any = await world.register(metadata('<field>title</field>'));
    await world.happen('metadata/modify', changed('title', { language: 'de_DE' }));
    expect(await world.told()).toEqual([any]);
    await world.happen('metadata/modify', changed('title', { language: 'en_GB' }));
    expect(await world.told()).toEqual([english, any]);
    expect(world.reads.filter((text) => text.includes('FROM notification WHERE id IN'))).toHaveLength(1);
  });

  it('asks a job filter', async () => {
    const world = await open();
    const filter =
      '<filter><type>TRANSCODE,PLACEHOLDER_IMPORT</type><jobdata><key>x_desk</key><value-regex>Har.*</value-regex></jobdata></filter>';
    const id = await world.register(`<job><stop/>${filter}</job>`);
    await world.happen('job/stop', stop);
    expect(await world.told()).toEqual([id]);
    await world.happen('job/stop', { ...stop, data: [['x_desk', 'Desk']] });
    expect(await world.told()).toEqual([]);
  });

  it('finds a placeholder by the id that a job was started with, and no other way', async () => {
    const world = await open();
    const placeholder = await world.register('');
    const other = await world.register('<job><stop/><placeholder>true</placeholder></job>');
    const pretends = await world.register(
      `<job><stop/><filter><type>notification=${placeholder}</type></filter></job>`,
    );
    await world.happen('job/stop', { ...stop, notification: placeholder });
    expect(await world.told()).toEqual([placeholder]);
    await world.happen('job/stop', { ...stop, notification: other });
    expect(await world.told()).toEqual([other]);
    const { notification: _, ...alone } = stop;
    await world.happen('job/stop', alone);
    expect(await world.told()).toEqual([]);
    expect(pretends).toBe('VX-3');
  });

  it('sees a filter that was added after it had looked', async () => {
    const world = await open();
    await world.register(metadata('<language>de*</language>'));
    await world.happen('metadata/modify', changed('title', { language: 'de' }));
    world.beforeNextWrite(() => world.register(metadata('<language>*</language>')));
    await world.happen('metadata/modify', changed('title', { language: 'de' }));
    expect(await world.told()).toEqual(['VX-1', 'VX-2']);
  });

  it('goes by the filter that holds when it is made', async () => {
    const world = await open();
    const id = await world.register(metadata('<language>de</language>'));
    await world.happen('metadata/modify', changed('title', { language: 'de' }));
    world.beforeNextWrite(() => world.change(id, metadata('<language>en</language>')));
    await world.happen('metadata/modify', changed('title', { language: 'de' }));
    expect(await world.told()).toEqual([]);
    world.beforeNextWrite(() => world.change(id, metadata('')));
    await world.happen('metadata/modify', changed('title', { language: 'fr' }));
    expect(await world.told()).toEqual([id]);
  });

  it('does not tell one whose filter matched and who is deleted meanwhile', async () => {
    const world = await open();
    const id = await world.register(metadata('<language>de</language>'));
    await world.happen('metadata/modify', changed('title', { language: 'de' }));
    world.beforeNextWrite(() => world.remove(id));
    await world.happen('metadata/modify', changed('title', { language: 'de' }));
    expect(await world.told()).toEqual([]);
  });

  it('gives up, and says so, when filters change again and again', async () => {
    const world = await open();
    const always = async (): Promise<void> => {
      await world.register(metadata('<language>x</language>'));
      world.beforeNextWrite(always);
    };
    await world.register(metadata('<language>x</language>'));
    world.beforeNextWrite(always);
    await expect(world.happen('metadata/modify', changed('title'))).rejects.toMatchObject({ code: 'busy' });
  });

  it('is not refused because of a notification that cannot be read any more', async () => {
    const world = await open();
    const id = await world.register(metadata('<language>de</language>'));
    await world.store.commit(
      { changes: [{ sql: `UPDATE notification SET document = '{'`, args: [] }], events: [] },
      nobody,
    );
    await world.happen('metadata/modify', changed('title', { language: 'de' }));
    expect([await world.told(), world.lines]).toEqual([[], ['notification-unreadable']]);
    expect(id).toBe('VX-1');
  });
});

/** Tells all of them. */
const telling = (told: Foreseen[]) => async (all: readonly Foreseen[]) => {
  told.push(...all);
  return [];
};

describe('a synchronous notification', () => {
  it('is asked before the commit, in order, and is not told again by the outbox', async () => {
    const foreseen: Foreseen[] = [];
    const world = await open({ before: telling(foreseen) });
    const first = await world.register('<group><create/></group>', synchronous);
    const later = await world.register('<group><create/></group>');
    const second = await world.register('<group><create/></group>', synchronous);
    await world.happen('group/create', { group: 'crew' });
    expect(foreseen.map(({ notificationId, event }) => [notificationId, event.name])).toEqual([
      [first, 'group/create'],
      [second, 'group/create'],
    ]);
    expect(await world.told()).toEqual([later]);
  });

  it('can refuse the change', async () => {
    const veto = new ServiceError('bad-value', { explanation: 'No' });
    const world = await open({ before: () => Promise.reject(veto) });
    await world.register('<group><create/></group>', synchronous);
    await expect(world.happen('group/create', { group: 'crew' })).rejects.toBe(veto);
    expect(await world.store.read('SELECT name FROM event')).toEqual([]);
  });

  it('is asked once, however often the commit is tried', async () => {
    const asked: string[] = [];
    const world = await open({
      before: async (all) => {
        asked.push(...all.map(({ notificationId }) => notificationId));
        return [];
      },
    });
    const id = await world.register(metadata('<field>title</field>'), synchronous);
    await world.happen('metadata/modify', changed('title'));
    world.beforeNextWrite(() => world.register(metadata('<language>x</language>')));
    await world.happen('metadata/modify', changed('title'));
    expect(asked).toEqual([id, id]);
  });

  it('gets the event from the outbox if it could not be asked, however often the commit is tried', async () => {
    const world = await open({ before: async (all) => all.slice(1) });
    await world.register(metadata('<field>title</field>'), synchronous);
    const second = await world.register(metadata('<field>title</field>'), synchronous);
    await world.happen('metadata/modify', changed('title'));
    expect(await world.told()).toEqual([second]);
    world.beforeNextWrite(() => world.register(metadata('<language>x</language>')));
    await world.happen('metadata/modify', changed('title'));
    expect(await world.told()).toEqual([second]);
  });

  it('is told by the outbox where nobody delivers before commits', async () => {
    const world = await open();
    const id = await world.register('<group><create/></group>', synchronous);
    await world.happen('group/create', { group: 'crew' });
    expect(await world.told()).toEqual([id]);
  });
});

describe('what goes round in a circle', () => {
  it('is parked for each notification that waits for it, and the oldest goes when there is too much of it', async () => {
    const asked: Foreseen[] = [];
    const world = await open({ maxParked: 2, before: telling(asked) });
    await world.register('<job><stop/></job>');
    await world.register('<job><stop/></job>', synchronous);
    for (const job of ['a', 'b', 'c']) await world.happen('job/stop', stop, 8, job);
    const rows = await world.store.read(
      'SELECT notification_id, entity_id, reason FROM parked JOIN event USING (sequence) ORDER BY notification_id, sequence',
    );
    expect(rows.map((row) => row.join(' '))).toEqual(['VX-1 b loop', 'VX-1 c loop', 'VX-2 b loop', 'VX-2 c loop']);
    expect(await world.store.read('SELECT parked, lost FROM queue')).toEqual([
      [2, 1],
      [2, 1],
    ]);
    expect(asked).toEqual([]);
  });

  it('is refused where somebody has to be asked: else a circle would be a way past a veto', async () => {
    const asked: Foreseen[] = [];
    const world = await open({ before: telling(asked) });
    const id = await world.register('<group><create/></group>', synchronous);
    await world.register('<group><create/></group>');
    await expect(world.happen('group/create', { group: 'crew' }, 8)).rejects.toMatchObject({
      code: 'vetoed',
      detail: { id },
    });
    expect(asked).toEqual([]);
    expect(await world.store.read('SELECT name FROM event')).toEqual([]);
  });
});

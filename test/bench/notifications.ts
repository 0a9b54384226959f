import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMatching } from '../../src/administration/notifications/matching/participant.ts';
import { claimLanes, headsOf, releaseLane } from '../../src/administration/notifications/outbox-sql.ts';
import { createNotification, type SubscriptionRow } from '../../src/administration/notifications/registration/store.ts';
import { systemClock } from '../../src/core/lib/clock.ts';
import type { Actor, EventRecord, Statement } from '../../src/core/store/contract.ts';
import { openStore, type Store } from '../../src/core/store/store.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { happened, triggers } from '../support/declared.ts';
import { migrations } from '../support/store.ts';
import { count, insertRow, measure } from './commit.ts';
import { median, type Row } from './row.ts';

/** Cost of notifications for a commit, and of a full outbox for its deliveries. */

const actor: Actor = { user: 'bench' };
const others = 10_000;
const few = 1_000;
const many = 1_000_000;
const lanes = 100;

const value = 'x'.repeat(200);

/** A row, a counter and an event, as in the bench of commits; this event is one that can be told. */
const workOf = (id: string) => ({
  changes: [insertRow({ id, value }), count({ name: 'bench' })],
  events: [happened('group/create', id, { group: id }) as unknown as EventRecord],
});

async function open(url: string): Promise<Store> {
  const database = await openDatabase(url);
  const log = { write: () => undefined, writes: () => false };
  const settings = { maxParked: 10_000, maxNotificationDepth: 8 };
  const matching = createMatching({ reader: database, log, triggers, settings, committed: () => undefined });
  const store = openStore(database, { clock: systemClock, site: 'B', migrations });
  store.join([matching]);
  await store.migrate();
  return store;
}

function registered(id: string, lane: string, subscription: SubscriptionRow, entity = ''): Statement[] {
  const document = JSON.stringify({ action: { http: { url: `http://${lane}.example/in` } } });
  const given = { id, lane, resource: '/group', entity, document, sealed: null, synchronous: 0, now: 1, user: 'bench' };
  return createNotification(given, [subscription]);
}

async function register(store: Store, notifications: readonly (readonly Statement[])[]): Promise<void> {
  for (let at = 0; at < notifications.length; at += 500) {
    await store.commit({ changes: notifications.slice(at, at + 500).flat(), events: [] }, actor);
  }
}

/** Notifications of other events, of other groups, and of fields that do not change. */
const unmatched = Array.from({ length: others }, (_, number) => {
  const [id, lane] = [`other-${number}`, `lane-${number % lanes}`];
  if (number % 3 === 0) return registered(id, lane, ['group/create', '', 1], `group-${number}`);
  return registered(id, lane, number % 3 === 1 ? ['group/modify', '', 1] : ['metadata/modify', `field-${number}`, 1]);
});

async function benchCommits(directory: string, seconds: number, rounds: number): Promise<Row[]> {
  const names = ['without', 'matching', 'others'] as const;
  const stores = await Promise.all(names.map((name) => open(`file:${join(directory, `${name}.db`)}`)));
  const [without, matching, beside] = stores as [Store, Store, Store];
  await register(matching, [registered('one', 'lane', ['group/create', '', 1])]);
  await register(beside, unmatched);
  const rates = { without: [] as number[], matching: [] as number[], others: [] as number[] };
  const rate = (store: Store, prefix: string) => measure((id) => store.commit(workOf(id), actor), prefix, seconds);
  try {
    for (let round = 0; round <= rounds; round++) {
      // Short turns, there and back again, so that a slow moment of the machine hits all of them; the first warms up.
      const turn = [
        await rate(without, `a${round}`),
        await rate(matching, `b${round}`),
        await rate(beside, `c${round}`),
        await rate(beside, `d${round}`),
        await rate(matching, `e${round}`),
        await rate(without, `f${round}`),
      ] as const;
      if (round === 0) continue;
      rates.without.push(turn[0] + turn[5]);
      rates.matching.push(turn[1] + turn[4]);
      rates.others.push(turn[2] + turn[3]);
    }
  } finally {
    await Promise.all(stores.map((store) => store.close()));
  }
  const against = (own: readonly number[]) => median(own.map((each, round) => each / rates.without[round]!));
  return [
    {
      name: 'commit with one matching notification, against none',
      ratio: against(rates.matching),
      floor: 0.8,
      perSecond: median(rates.matching) / 2,
    },
    {
      name: `commit beside ${others} notifications that do not match, against none`,
      ratio: against(rates.others),
      floor: 0.95,
      perSecond: median(rates.others) / 2,
    },
  ];
}

const fill = `INSERT INTO outbox (notification_id, sequence, at)
  WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ?1)
  SELECT 'n' || (x % ${lanes}), x, 1 FROM n`;
const events = `INSERT INTO event (name, entity_type, entity_id, payload, user, at)
  WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ?1)
  SELECT 'group/create', 'group', 'g' || x, '{"group":"g"}', 'u', 1 FROM n`;

async function filled(rows: number): Promise<Store> {
  const store = await open('memory:');
  await register(
    store,
    Array.from({ length: lanes }, (_, number) => registered(`n${number}`, `lane-${number}`, ['group/create', '', 1])),
  );
  await store.commit(
    {
      changes: [
        { sql: events, args: [rows] },
        { sql: fill, args: [rows] },
      ],
      events: [],
    },
    actor,
  );
  return store;
}

/** Claims some lanes, reads what is next in them, gives them back. */
async function claims(store: Store, seconds: number): Promise<number> {
  let turns = 0;
  const start = performance.now();
  for (; performance.now() < start + seconds * 1_000; turns++) {
    const now = systemClock.now();
    const held = await claimLanes(store, { now, until: now + 30_000, owner: 'bench', max: 10 }, actor);
    const heads = await headsOf(
      store,
      held.map(({ lane }) => lane),
      now,
    );
    if (heads.length !== 10) throw new Error(`Expected 10 heads: ${heads.length}`);
    await store.commit({ changes: held.flatMap((claim) => releaseLane({ ...claim, now })), events: [] }, actor);
  }
  return (turns * 1_000) / (performance.now() - start);
}

async function benchClaims(seconds: number, rounds: number): Promise<Row[]> {
  const [small, large] = [await filled(few), await filled(many)];
  const rates = { small: [] as number[], large: [] as number[] };
  try {
    for (let round = 0; round <= rounds; round++) {
      const turn = [
        await claims(small, seconds),
        await claims(large, seconds),
        await claims(large, seconds),
        await claims(small, seconds),
      ] as const;
      if (round === 0) continue;
      rates.small.push(turn[0] + turn[3]);
      rates.large.push(turn[1] + turn[2]);
    }
  } finally {
    await Promise.all([small.close(), large.close()]);
  }
  const ratio = median(rates.large.map((rate, round) => rate / rates.small[round]!));
  return [
    {
      name: `claiming 10 lanes with ${many} rows in the outbox, against ${few}`,
      ratio,
      floor: 0.9,
      perSecond: median(rates.large) / 2,
    },
  ];
}

export async function benchNotifications(seconds = 0.1, rounds = 20): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  try {
    return [...(await benchCommits(directory, seconds, rounds)), ...(await benchClaims(seconds, rounds / 2))];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

import { expect } from 'vitest';
import type { Database } from '../../src/core/store/contract.ts';
import type { Failure } from './failures.ts';
import type { Seen } from './receivers.ts';

/** A request that was answered: what it promised must be there. */
export interface Acknowledged {
  readonly request: string;
  readonly status: number;
}

export interface Aftermath {
  readonly database: Database;
  /** The notifications that are there from the beginning, and are told afterwards of whatever happens to groups. */
  readonly ids: readonly string[];
  readonly acknowledged: readonly Acknowledged[];
  readonly seen: readonly Seen[];
  /** Failure that a call has met. */
  readonly failure: Failure | undefined;
}

export type Moment = 'at once' | 'in the end';

/** Checks what must hold whenever a process stops, and when another one has finished the remaining work. */
export async function check(world: Aftermath, moment: Moment): Promise<void> {
  const facts = await factsOf(world.database);
  for (const [name, holds] of Object.entries(invariants)) {
    try {
      holds(facts, world, moment);
    } catch (error) {
      throw new Error(`${name}, ${moment}: ${(error as Error).message}`, { cause: error });
    }
  }
}

interface Facts {
  readonly groups: ReadonlySet<string>;
  readonly events: readonly { readonly sequence: number; readonly name: string; readonly group: string }[];
  /** `notification sequence`, by where it is. */
  readonly waiting: ReadonlySet<string>;
  readonly parked: ReadonlySet<string>;
  readonly delivered: ReadonlySet<string>;
  readonly dropped: ReadonlySet<string>;
  readonly attempts: ReadonlyMap<string, number>;
  readonly lanes: readonly (readonly [name: string, ready: number | null, owner: string | null])[];
  readonly heads: readonly (readonly [id: string, head: number | null, first: number | null, state: string])[];
  readonly gone: (id: string) => boolean;
}

/** Roles are there without an event. */
const plain = (column: string): string => `substr(${column}, 1, 1) <> '_'`;

async function factsOf(database: Database): Promise<Facts> {
  const rows = async (sql: string) => [...(await database.read(sql))];
  const keys = async (sql: string) => new Set((await rows(sql)).map((row) => row.join(' ')));
  const there = await keys('SELECT id FROM notification');
  return {
    groups: await keys(`SELECT name FROM "group" WHERE ${plain('name')}`),
    events: (
      await rows(
        `SELECT sequence, name, entity_id FROM event WHERE name LIKE 'group/%' AND ${plain('entity_id')} ORDER BY sequence`,
      )
    ).map(([sequence, name, group]) => ({ sequence: Number(sequence), name: String(name), group: String(group) })),
    waiting: await keys('SELECT notification_id, sequence FROM outbox'),
    parked: await keys('SELECT notification_id, sequence FROM parked'),
    delivered: await keys(`SELECT notification_id, sequence FROM attempt WHERE state = 'delivered' AND sequence > 0`),
    dropped: await keys(`SELECT notification_id, sequence FROM attempt WHERE state = 'dropped'`),
    attempts: new Map(
      (await rows('SELECT notification_id, sequence, max(number) FROM attempt GROUP BY 1, 2')).map(([id, seq, max]) => [
        `${id} ${seq}`,
        Number(max),
      ]),
    ),
    lanes: (await rows('SELECT name, ready, owner FROM lane')) as never,
    heads: (await rows(
      `SELECT notification_id, head, (SELECT min(sequence) FROM outbox WHERE outbox.notification_id = queue.notification_id), state FROM queue`,
    )) as never,
    gone: (id) => !there.has(id),
  };
}

/** Without those who are asked before the commit: what they are asked about may never happen. */
const afterwards = ({ seen, ids }: Aftermath): readonly Seen[] =>
  seen.filter(({ notification }) => ids.includes(notification));

const invariants: Readonly<Record<string, (facts: Facts, world: Aftermath, moment: Moment) => void>> = {
  'every change has its events, and no event is without its change'({ groups, events }) {
    const alive = new Set<string>();
    for (const { name, group } of events) {
      if (name === 'group/create') {
        expect(alive, 'made twice').not.toContain(group);
        alive.add(group);
      } else expect(alive, `${name} of nothing`).toContain(group);
      if (name === 'group/delete') alive.delete(group);
    }
    expect([...groups].sort()).toEqual([...alive].sort());
  },

  'every event is waiting, parked or delivered for each notification, and only once'(facts, { ids }) {
    const { events, waiting, parked, delivered, dropped, gone } = facts;
    for (const id of ids) {
      for (const { sequence } of events) {
        const key = `${id} ${sequence}`;
        const places = [waiting, parked].filter((place) => place.has(key)).length;
        expect(places, `${key} is in two places`).toBeLessThan(2);
        const told = delivered.has(key) || dropped.has(key);
        if (!gone(id)) expect(places === 1 || told, `${key} is nowhere`).toBe(true);
        expect(places === 1 && delivered.has(key), `${key} was delivered, and is there again`).toBe(false);
      }
    }
  },

  'nothing is forgotten: an instance that looks at lanes finds what waits'({ heads, lanes, waiting }, _world, moment) {
    for (const [id, head, first, state] of heads) {
      expect(head, `the head of ${id}`).toBe(first);
      if (head === null || state !== 'active') continue;
      expect(
        lanes.some(([, ready]) => ready !== null),
        `a lane for ${id}`,
      ).toBe(true);
    }
    if (moment !== 'in the end') return;
    expect([...waiting]).toEqual([]);
    expect(lanes.filter(([, ready, owner]) => ready !== null || owner !== null)).toEqual([]);
  },

  'receivers have seen all that was delivered, and nothing that did not happen'({ events, delivered }, world) {
    const seen = afterwards(world);
    const told = new Set(seen.map(({ id }) => id.replace('_', ' ')));
    for (const key of delivered) expect(told, `${key} was recorded without a call`).toContain(key);
    const happened = new Map(events.map(({ sequence, group }) => [sequence, group]));
    for (const { id, group } of seen) {
      const sequence = Number(id.split('_')[1]);
      expect(happened.get(sequence), `${id} was told and never happened`).toBe(group);
    }
  },

  'first deliveries keep the order of the commits'(_facts, world) {
    const first = new Map<string, number[]>();
    const known = new Set<string>();
    for (const { id, notification } of afterwards(world)) {
      if (known.has(id)) continue;
      known.add(id);
      first.set(notification, [...(first.get(notification) ?? []), Number(id.split('_')[1])]);
    }
    for (const order of first.values()) expect(order).toEqual([...order].sort((a, b) => a - b));
  },

  'events that are sent twice were not sent in between of a later one'(_facts, world) {
    const last = new Map<string, number>();
    for (const { id, notification } of afterwards(world)) {
      const sequence = Number(id.split('_')[1]);
      expect(sequence, `${id} came after a later one`).toBeGreaterThanOrEqual(last.get(notification) ?? 0);
      last.set(notification, sequence);
    }
  },

  'attempts are counted, and end'({ attempts }, world) {
    const seen = afterwards(world);
    const calls = new Map<string, number>();
    const unheard = world.failure === 'broken' || world.failure === 'refused' ? 1 : 0;
    for (const { id, attempt } of seen) {
      const key = id.replace('_', ' ');
      calls.set(key, (calls.get(key) ?? 0) + 1);
      expect(attempt, `${id} says a number that it has not come to`).toBeLessThanOrEqual(calls.get(key)! + unheard);
    }
    for (const [key, count] of calls) {
      // A process that stops between the call and its commit leaves one call unrecorded.
      expect(count - (attempts.get(key) ?? 0), `${key} was sent without being written down`).toBeLessThan(2);
      expect(count, `${key} was sent again and again`).toBeLessThan(30);
    }
  },

  'acknowledged changes are there'({ events }, { acknowledged }) {
    for (const { request, status } of acknowledged) {
      if (status >= 300) continue;
      const [method, path = ''] = request.split(' ');
      const [, group, member] = /^\/API\/group\/(?!notification\/)(\w+)(\/.*)?$/.exec(path) ?? [];
      if (group === undefined) continue;
      const name =
        member === undefined && method === 'DELETE'
          ? 'group/delete'
          : member === undefined
            ? 'group/create'
            : 'group/modify';
      expect(
        events.some((event) => event.name === name && event.group === group),
        request,
      ).toBe(true);
    }
  },

  'refused changes left no trace'({ events }, { acknowledged, failure }) {
    for (const { request, status } of acknowledged) {
      if (status >= 500 && failure === 'lost') continue;
      const [, group] = /^PUT \/API\/group\/(\w+)$/.exec(request) ?? [];
      if (status < 300 || group === undefined) continue;
      expect(
        events.filter((event) => event.group === group),
        request,
      ).toEqual([]);
    }
  },
};

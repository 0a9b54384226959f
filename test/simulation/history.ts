import { groupBy } from '../../src/core/lib/group-by.ts';

/** History of a run, as clients, receivers and the database saw it. Rules below say what such a history may not hold. */

/** A request as its client saw it. Times are places in the order of all that was seen. */
export interface Operation {
  /** `create` gets an id. `write` and `read` are about the value of a thing. */
  readonly kind: 'create' | 'write' | 'read';
  /** Name of the thing: the Idempotency-Key of a creation, or the id of what is written or read. */
  readonly key: string;
  /** The written value, or the one that was read. Writes of one thing have different values. */
  readonly value?: string | undefined;
  /** Id that a creation answered. */
  readonly id?: string | undefined;
  readonly invoked: number;
  /** Place of the answer. Undefined: nobody heard one, so it may have happened, or not. */
  readonly answered: number | undefined;
}

/** A call that a receiver got. Sequences of events of one lane come in order. */
export interface Heard {
  readonly lane: string;
  readonly sequence: number;
}

/** Where the database has the deliveries of a lane. */
export interface LanePlaces {
  readonly lane: string;
  readonly events: readonly number[];
  readonly waiting: readonly number[];
  readonly parked: readonly number[];
  readonly delivered: readonly number[];
  readonly dropped: readonly number[];
}

export interface History {
  readonly operations: readonly Operation[];
  readonly heard: readonly Heard[];
  readonly lanes: readonly LanePlaces[];
  /** Limits with what was used of them, whenever somebody looked. */
  readonly quotas: readonly { readonly limit: number; readonly used: number }[];
  /** Keys of creations, with the id of each thing that the database has of it. */
  readonly made: readonly { readonly key: string; readonly id: string }[];
}

/** A call by its id, which names the notification and the event. */
export function heardAs(id: string): Heard {
  const [lane = '', sequence] = id.split('_');
  return { lane, sequence: Number(sequence) };
}

/** Rows of a statement, however the database is reached. */
type Rows = (sql: string) => Promise<readonly (readonly unknown[])[]> | readonly (readonly unknown[])[];

/** Where a database has events of a lane. `since`: those behind this one. */
export async function placesOf(rows: Rows, lane: string, events: readonly number[], since = 0): Promise<LanePlaces> {
  const sequences = async (table: string, more = '') => {
    const where = `notification_id = '${lane}' AND sequence > ${since} ${more}`;
    return (await rows(`SELECT DISTINCT sequence FROM ${table} WHERE ${where}`)).map(([sequence]) => Number(sequence));
  };
  return {
    lane,
    events,
    waiting: await sequences('outbox'),
    parked: await sequences('parked'),
    delivered: await sequences('attempt', `AND state = 'delivered'`),
    dropped: await sequences('attempt', `AND state = 'dropped'`),
  };
}

/** Things that a database has of each Idempotency-Key. */
export const madeIn = async (rows: Rows): Promise<History['made']> =>
  (await rows('SELECT key, made FROM keyed_request')).map(([key, id]) => ({ key: String(key), id: String(id) }));

export const nothingSeen: History = { operations: [], heard: [], lanes: [], quotas: [], made: [] };

type Rule = (history: History) => Iterable<string>;

/** Complaints, each with the rule that is broken. Empty: the history is one that the service promises. */
export const complaintsAbout = (history: History): readonly string[] =>
  Object.entries(rules).flatMap(([rule, look]) => [...look(history)].map((complaint) => `${rule}: ${complaint}`));

export function expectPromised(history: History): void {
  const complaints = complaintsAbout(history);
  if (complaints.length > 0) throw new Error(complaints.slice(0, 10).join('\n'));
}

export const rules: Readonly<Record<string, Rule>> = {
  *'an id is given once'({ operations }) {
    const keys = new Map<string, string>();
    for (const { kind, key, id } of operations) {
      if (kind !== 'create' || id === undefined) continue;
      if ((keys.get(id) ?? key) !== key) yield `${id} was given to ${keys.get(id)} and to ${key}`;
      keys.set(id, key);
    }
  },

  *'an Idempotency-Key makes one thing'({ operations, made }) {
    const created = operations.flatMap(({ kind, key, id }) =>
      kind === 'create' && id !== undefined ? { key, id } : [],
    );
    const ids = new Map<string, string>();
    for (const { key, id } of [...created, ...made]) {
      if ((ids.get(key) ?? id) !== id) yield `${key} made ${ids.get(key)} and ${id}`;
      ids.set(key, id);
    }
    const there = new Set(made.map(({ id }) => id));
    for (const { key, id } of created) if (!there.has(id)) yield `${key} made ${id}, which is not there`;
  },

  *'a quota is never above its limit'({ quotas }) {
    for (const { limit, used } of quotas) if (used > limit) yield `${used} of ${limit}`;
  },

  *'an event is in one place'({ lanes }) {
    for (const { lane, events, ...places } of lanes) {
      const sets = Object.entries(places).map(([name, all]) => [name, new Set(all as readonly number[])] as const);
      for (const event of events) {
        const names = sets.flatMap(([name, all]) => (all.has(event) ? name : []));
        if (names.length !== 1) yield `${lane} ${event} is ${names.join(' and ') || 'nowhere'}`;
      }
    }
  },

  *'a delivery is called before it is recorded, and of nothing that did not happen'({ lanes, heard }) {
    const calls = new Set(heard.map(({ lane, sequence }) => `${lane} ${sequence}`));
    const events = new Set(lanes.flatMap(({ lane, events }) => events.map((event) => `${lane} ${event}`)));
    for (const { lane, delivered } of lanes)
      for (const event of delivered) if (!calls.has(`${lane} ${event}`)) yield `${lane} ${event} was never called`;
    for (const call of calls) if (!events.has(call)) yield `${call} never happened`;
  },

  *'first calls of a lane are in order'({ heard }) {
    const last = new Map<string, number>();
    const known = new Set<string>();
    for (const { lane, sequence } of heard) {
      if (known.has(`${lane} ${sequence}`)) continue;
      known.add(`${lane} ${sequence}`);
      if (sequence < (last.get(lane) ?? 0)) yield `${lane} ${sequence} came first behind ${last.get(lane)}`;
      last.set(lane, sequence);
    }
  },

  /** By Gibbons and Korach: each value of a register has a zone, and zones must be in some order. */
  *'what was read is what some order of the writes explains'({ operations }) {
    for (const [key, all] of groupBy(
      operations.filter(({ kind }) => kind !== 'create'),
      (operation) => operation.key,
    )) {
      const zones: Zone[] = [];
      for (const [value, cluster] of groupBy(all, (operation) => operation.value)) {
        const [write, ...others] = cluster.filter(({ kind }) => kind === 'write');
        const reads = cluster.filter(({ kind, answered }) => kind === 'read' && answered !== undefined);
        if (others.length > 0) yield `${key} was written twice as ${value}`;
        else if (!write) {
          if (reads.length > 0) yield `${key} was read as ${value}, which nobody wrote`;
        } else if (reads.some(({ answered }) => answered! < write.invoked))
          yield `${key} was ${value} before it was written`;
        else if (reads.length > 0 || write.answered !== undefined) zones.push(zoneOf(String(value), [write, ...reads]));
      }
      yield* conflictsOf(key, zones);
    }
  },
};

/** Span between the first end and the last beginning of what has one value. */
interface Zone {
  readonly value: string;
  readonly firstEnd: number;
  readonly lastBegin: number;
}

const zoneOf = (value: string, cluster: readonly Operation[]): Zone => ({
  value,
  firstEnd: Math.min(...cluster.map(({ answered = Number.POSITIVE_INFINITY }) => answered)),
  lastBegin: Math.max(...cluster.map(({ invoked }) => invoked)),
});

function* conflictsOf(key: string, zones: readonly Zone[]): Iterable<string> {
  // Such a value was there during all of its zone.
  const lasting = zones.filter(({ firstEnd, lastBegin }) => firstEnd < lastBegin);
  for (const one of lasting) {
    for (const other of zones) {
      if (other === one) continue;
      const isLasting = other.firstEnd < other.lastBegin;
      const overlaps = isLasting && one.firstEnd < other.lastBegin && other.firstEnd < one.lastBegin;
      const isWithin = !isLasting && one.firstEnd < other.lastBegin && other.firstEnd < one.lastBegin;
      if (isWithin || (overlaps && one.value < other.value))
        yield `${key} was ${one.value} and ${other.value} at a time`;
    }
  }
}

import { createClient } from '@libsql/client';
import { complaintsAbout, type History, madeIn, type Operation, placesOf } from '../simulation/history.ts';

type Told = { -readonly [Key in keyof Operation]: Operation[Key] };

/** Notification whose receiver keeps what it hears. */
export interface Lane {
  readonly id: string;
  /** Nothing answers: deliveries wait, and are not looked for. */
  readonly isDead: boolean;
}

/** Rows of a query on the database of the running server, from beside it. */
export async function rowsOf(url: string, sql: string): Promise<readonly (readonly unknown[])[]> {
  // Closed again at once: after a kill the next server must be the first to open the file.
  const client = createClient({ url });
  try {
    return (await client.execute(sql)).rows.map((row) =>
      Array.from({ length: Object.keys(row).length }, (_, at) => row[at]),
    );
  } finally {
    client.close();
  }
}

const text = ([value]: readonly unknown[]): string => String(value);
const number = ([value]: readonly unknown[]): number => Number(value);

/** Requests and deliveries as callers and receivers saw them, for `simulation/history.ts`. Quiet points forget what they have checked. */
export class Histories {
  readonly heard: { lane: string; sequence: number }[] = [];
  readonly quotas: { limit: number; used: number }[] = [];
  lanes: readonly Lane[] = [];
  #operations: Told[] = [];
  readonly #created: Told[] = [];
  /** Items whose deletion was acknowledged, until a quiet point has not found them. */
  readonly #deleted = new Set<string>();
  /** Items that somebody deletes: they may be there or not. */
  readonly #going = new Set<string>();
  /** Sequence up to which each event of each lane has been in one place. */
  #checked = 0;
  #place = 0;

  /** A request that is about to be sent. */
  begin(kind: Operation['kind'], key: string, value?: string): Told {
    const operation: Told = { kind, key, value, invoked: this.#place++, answered: undefined };
    // A read that nobody heard of says nothing.
    if (kind !== 'read') (kind === 'create' ? this.#created : this.#operations).push(operation);
    return operation;
  }

  end(operation: Told, more: { id?: string; value?: string | undefined } = {}): void {
    Object.assign(operation, more, { answered: this.#place++ });
    if (operation.kind === 'read') this.#operations.push(operation);
    if (operation.kind !== 'create' || more.id === undefined) return;
    // The title of a new item is its first write.
    this.#operations.push({ ...operation, kind: 'write', key: more.id });
    operation.id = `item ${more.id}`;
  }

  goes(item: string): void {
    this.#going.add(item);
  }

  gone(item: string): void {
    this.#deleted.add(item);
  }

  get size(): number {
    return this.#operations.length + this.#created.length;
  }

  /** Deliveries that still wait for receivers that answer. */
  async waiting(url: string): Promise<number> {
    const ids = this.lanes.filter(({ isDead }) => !isDead).map(({ id }) => `'${id}'`);
    const [row] = await rowsOf(url, `SELECT count(*) FROM outbox WHERE notification_id IN (${ids})`);
    return number(row!);
  }

  /** Compares all that was seen with the database, while no request is on its way. `titles`: of the items that are there. */
  async check(url: string, titles: ReadonlyMap<string, string | undefined>): Promise<readonly string[]> {
    const since = this.#checked;
    const rows = (sql: string) => rowsOf(url, sql);
    const events = (
      await rows(`SELECT sequence FROM event WHERE name IN ('item/create', 'item/delete') AND sequence > ${since}`)
    ).map(number);
    const items = new Set((await rowsOf(url, 'SELECT id FROM item')).map(text));
    const lanes = await Promise.all(this.lanes.map(({ id }) => placesOf(rows, id, events, since)));
    const made = await madeIn(rows);
    for (const [key, value] of titles) this.end(this.begin('read', key), { value });
    const isSettled = ({ key }: Told) => !this.#going.has(key);
    const history: History = {
      operations: [...this.#created, ...this.#operations.filter(isSettled)],
      heard: this.heard.filter(({ sequence }) => sequence > since),
      lanes,
      quotas: this.quotas,
      made,
    };
    const complaints = [
      ...complaintsAbout(history),
      ...[...this.#deleted].filter((id) => items.has(id)).map((id) => `${id} was deleted, and is there`),
      ...[...titles.keys()].filter((id) => !items.has(id)).map((id) => `${id} was made, and is not there`),
    ];
    this.#forget(titles, Math.max(since, ...events));
    return complaints;
  }

  /** The next span begins with the checked values. */
  #forget(titles: ReadonlyMap<string, string | undefined>, sequence: number): void {
    this.#operations = [];
    for (const [key, value] of titles) this.end(this.begin('write', key, value));
    this.#deleted.clear();
    this.#going.clear();
    this.quotas.length = 0;
    // Events that wait for a dead receiver wait on, and are not looked for again.
    this.#checked = sequence;
    const kept = this.heard.filter((call) => call.sequence > sequence);
    this.heard.splice(0, this.heard.length, ...kept);
  }
}

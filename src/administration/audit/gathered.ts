import { networkOf } from '../../core/lib/address.ts';
import { storable } from '../../core/lib/storable.ts';
import { type Batches, halvesOf } from '../../core/store/batch-writer.ts';
import type { Statement } from '../../core/store/contract.ts';
import { keptParameters } from '../../http/actor-request.ts';
import type { Answered } from '../../http/handler.ts';
import type { Parameters } from '../../security/parameters.ts';
import { insertReads, type ReadRow } from './reads-sql.ts';
import { type AuditEntry, insertAuditEntry } from './store.ts';

/** An entry that waits to be written, and what it counts against. */
interface PendingEntry {
  entry: AuditEntry;
  readonly share: Share;
  /** The network or user that it is about. Undefined: it stands for many entries, and counts against the share only. */
  readonly source: string | undefined;
}

/** Entries of one write, by their common key. */
type Batch = ReadonlyMap<string, PendingEntry>;

interface GatheredSettings {
  /** Different refused requests of one network that have entries of their own in one window. */
  readonly paths: number;
  fingerprint(text: string): string;
}

/** Milliseconds for which equal entries become one row. */
const windowLength = 60_000;
/** Different entries in one window, for each share. The last quarter is kept for entries that stand for many. */
const maxOfShare = 1_000;
const maxExact = 750;
/** A user is known and can be asked, so a user has more entries of their own than a network. */
const userFactor = 4;
const maxPathLength = { anonymous: 250, known: 1_000 };
const tooManyKey = '';

/** Room that callers who were let in and callers who were not do not take from each other. */
class Share {
  readonly #maxOfOne: number;
  readonly #keys = new Set<string>();
  readonly #exact = new Map<string, number>();

  constructor(maxOfOne: number) {
    this.#maxOfOne = maxOfOne;
  }

  clear(): void {
    this.#keys.clear();
    this.#exact.clear();
  }

  /** Whether an entry of its own has room. What was in this window before has. */
  hasRoomFor(key: string, source: string | undefined): boolean {
    if (this.#keys.has(key)) return true;
    if (source === undefined) return this.#keys.size < maxOfShare;
    return this.#keys.size < maxExact && (this.#exact.get(source) ?? 0) < this.#maxOfOne;
  }

  take(key: string, source: string | undefined): void {
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    if (source !== undefined) this.#exact.set(source, (this.#exact.get(source) ?? 0) + 1);
  }
}

/**
 * Pending entries. Equal entries are merged. Beyond its share, a network or a user has one entry for each status and
 * reason. Beyond all shares, entries are only counted. So memory and rows stay bounded, and every count is kept.
 */
export class Gathered implements Batches<Batch> {
  readonly #fingerprint: GatheredSettings['fingerprint'];
  readonly #anonymous: Share;
  readonly #known: Share;
  readonly #underway = new Set<Batch>();
  #waiting = new Map<string, PendingEntry>();
  #window = Number.NaN;

  constructor({ paths, fingerprint }: GatheredSettings) {
    this.#fingerprint = fingerprint;
    this.#anonymous = new Share(paths);
    this.#known = new Share(paths * userFactor);
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** False: there was no room, and the entry is only counted. */
  add(given: AuditEntry): boolean {
    this.#openWindow(given.at);
    const share = given.user === null ? this.#anonymous : this.#known;
    const source = given.user === null ? `n ${networkOf(given.address ?? undefined)}` : `u ${given.user}`;
    const longest = given.user === null ? maxPathLength.anonymous : maxPathLength.known;
    const entry = given.path.length > longest ? { ...given, path: storable(given.path, longest) } : given;
    // A network of version 6 has more addresses than entries: the network decides what is equal, not the address.
    const from = given.user === null ? null : given.address;
    const own = keyOf(source, entry, from);
    if (share.hasRoomFor(own, source)) return this.#hold(own, { entry, share, source });
    const address = given.user === null ? given.address : null;
    const folded = { ...entry, runAs: null, method: '*', path: '/*', address, requestId: null };
    const key = keyOf(source, folded, null);
    if (share.hasRoomFor(key, undefined)) return this.#hold(key, { entry: folded, share, source: undefined });
    this.#hold(tooManyKey, { entry: tooMany(given), share, source: undefined });
    return false;
  }

  take(): Batch | undefined {
    if (this.#waiting.size === 0) return undefined;
    const batch = this.#waiting;
    this.#waiting = new Map();
    this.#underway.add(batch);
    return batch;
  }

  written(batch: Batch): void {
    this.#underway.delete(batch);
  }

  failed(batch: Batch): void {
    this.#underway.delete(batch);
    const newer = this.#waiting;
    this.#waiting = new Map(batch);
    for (const [key, entry] of newer) this.#merge(key, entry);
  }

  halves(batch: Batch): readonly [Batch, Batch] | undefined {
    const halves = halvesOf([...batch]);
    if (!halves) return undefined;
    this.#underway.delete(batch);
    const [one, other] = [new Map(halves[0]), new Map(halves[1])];
    this.#underway.add(one).add(other);
    return [one, other];
  }

  changesOf(batch: Batch): Statement[] {
    return [...batch.values()].map(({ entry }) => insertAuditEntry(entry));
  }

  #hold(key: string, held: PendingEntry): true {
    if (key !== tooManyKey) held.share.take(key, held.source);
    if (this.#waiting.has(key)) this.#merge(key, held);
    // Instances that share a database, and a process after a restart, add to the same row.
    else this.#merge(key, { ...held, entry: { ...held.entry, fold: this.#fold(key) } });
    return true;
  }

  #merge(key: string, held: PendingEntry): void {
    const older = this.#waiting.get(key);
    if (older) older.entry = merged(older.entry, held.entry);
    else this.#waiting.set(key, held);
  }

  #fold(key: string): string {
    return this.#fingerprint(`${this.#window} ${key}`).slice(0, 22);
  }

  /** In a new window every source has its room again, less what it still has waiting: a database may be away for long. */
  #openWindow(at: number): void {
    const window = Math.floor(at / windowLength);
    if (window === this.#window) return;
    this.#window = window;
    this.#anonymous.clear();
    this.#known.clear();
    for (const batch of [...this.#underway, this.#waiting]) {
      for (const [key, { share, source }] of batch) if (key !== tooManyKey) share.take(key, source);
    }
  }
}

function keyOf(source: string, { runAs, method, path, status, reason }: AuditEntry, from: string | null): string {
  return JSON.stringify([source, runAs, method, path, status, reason, from]);
}

function merged(older: AuditEntry, newer: AuditEntry): AuditEntry {
  return {
    ...older,
    at: Math.min(older.at, newer.at),
    lastAt: Math.max(older.lastAt ?? older.at, newer.lastAt ?? newer.at),
    count: older.count + newer.count,
  };
}

function tooMany(entry: AuditEntry): AuditEntry {
  return {
    ...entry,
    user: null,
    runAs: null,
    method: '*',
    path: '/*',
    status: 0,
    reason: 'too-many',
    address: null,
    requestId: null,
  };
}

/** A request without a change, as far as its row needs it. */
interface AnsweredRead extends Pick<Answered, 'method' | 'status' | 'address'> {
  readonly came: number;
  readonly user: string | undefined;
  readonly runAs: string | undefined;
  readonly path: string | undefined;
  readonly parameters: Parameters | undefined;
}

/** Requests that wait to be written together. */
interface ReadBatch {
  readonly requests: readonly AnsweredRead[];
  /** Number of dropped reads, and the time of the first one. */
  readonly missed: number;
  readonly missedAt: number;
}

/** Limit of waiting reads. With the pause of the writer it allows some thousand a second. More are only counted. */
const maxWaiting = 5_000;
const maxReadPathLength = 1_000;
const maxNameLength = 255;

/**
 * Requests without a change, beside their answers. Rows are made when a batch is written. No trace is kept: objects of
 * a request that outlive it make garbage collections longer.
 */
export class AuditedReads implements Batches<ReadBatch> {
  #waiting: AnsweredRead[] = [];
  #missed = 0;
  #missedAt = 0;

  get size(): number {
    return this.#waiting.length + this.#missed;
  }

  add({ method, status, address, trace: { came, user, runAs, path, parameters } }: Answered): void {
    if (this.#waiting.length >= maxWaiting) this.#miss(1, came);
    else this.#waiting.push({ method, status, address, came, user, runAs, path, parameters });
  }

  take(): ReadBatch | undefined {
    if (this.size === 0) return undefined;
    const batch = { requests: this.#waiting, missed: this.#missed, missedAt: this.#missedAt };
    this.#waiting = [];
    this.#missed = 0;
    return batch;
  }

  written(): void {}

  /** Waits again, before what came meanwhile. */
  failed({ requests, missed, missedAt }: ReadBatch): void {
    const all = [...requests, ...this.#waiting];
    this.#waiting = all.slice(0, maxWaiting);
    const beyond = all.length - this.#waiting.length;
    if (beyond > 0) this.#miss(beyond, all[maxWaiting]!.came);
    if (missed > 0) this.#miss(missed, missedAt);
  }

  halves({ requests, missed, missedAt }: ReadBatch): readonly [ReadBatch, ReadBatch] | undefined {
    const halves = halvesOf(requests);
    if (!halves)
      return requests.length > 0 && missed > 0
        ? [
            { requests, missed: 0, missedAt },
            { requests: [], missed, missedAt },
          ]
        : undefined;
    return [
      { requests: halves[0], missed, missedAt },
      { requests: halves[1], missed: 0, missedAt },
    ];
  }

  changesOf({ requests, missed, missedAt }: ReadBatch): Statement[] {
    const rows = requests.map(rowOf);
    if (missed > 0) rows.push([missedAt, null, null, '*', '/*', null, null, 0, null, missed]);
    return [insertReads(rows)];
  }

  #miss(count: number, at: number): void {
    this.#missedAt = this.#missed === 0 ? at : Math.min(this.#missedAt, at);
    this.#missed += count;
  }
}

function rowOf({ method, status, address, came, user, runAs, path = '', parameters }: AnsweredRead): ReadRow {
  const { query, matrix } = parameters?.pairs.length ? keptParameters(parameters) : none;
  return [
    came,
    user ?? null,
    runAs === undefined ? null : storable(runAs, maxNameLength),
    method,
    storable(path, maxReadPathLength),
    query,
    matrix,
    status,
    address ?? null,
    1,
  ];
}

const none = { query: null, matrix: null };

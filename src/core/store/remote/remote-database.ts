import { type Clock, inTime, systemClock, timed } from '../../lib/clock.ts';
import { type Random, systemRandom } from '../../lib/random.ts';
import type { Secret } from '../../lib/secret.ts';
import type { CallCount, CallScope, DatabaseWait, RequestKind } from '../contract.ts';
import {
  type Database,
  noFigures,
  type Outcome,
  type Row,
  type Share,
  type SqlValue,
  type Statement,
  type SteadyReads,
} from '../contract.ts';
import { messageOf, refusalOf, StoreStartError } from '../faults.ts';
import { GroupCommitter, type GroupPort, type GroupSettings } from '../local/group-committer.ts';
import { checkStatements, checkValues } from '../values.ts';
import { type AttemptSettings, isAnswer, persist, unreachable } from './attempts.ts';
import { Breaker } from './breaker.ts';
import { Courses } from './courses.ts';
import { ReadBatcher } from './gathered-reads.ts';
import { ReadsAhead } from './reads-ahead.ts';
import { type Seeing, type SeenRevision, SteadyRows } from './steady-rows.ts';
import { createPost, remoteAddress, Stream, Streams } from './streams.ts';
import { RemoteWriter } from './writer.ts';

export interface RemoteSettings extends GroupSettings {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly token?: Secret;
  readonly fetch?: typeof fetch;
  /** Counts the calls of each request. */
  readonly calls?: CallScope;
  /** False on an edge: each request sends its own batch. */
  readonly group?: boolean;
  /** Milliseconds that a request waits for an answer of the server, however many of its calls ask. */
  readonly deadline?: number;
  /** Number of attempts, and their time limit, while the server is busy or unreachable. */
  readonly attempts?: number;
  readonly patience?: number;
  /** The first pause between attempts; it doubles, with jitter. */
  readonly pause?: number;
}

/** Reads of one request, or of one look for work. */
interface RequestReads {
  readonly ahead: ReadsAhead;
  seen: SeenRevision | undefined;
}

/**
 * Streams of an instance, 16 in all. Long queries leave some to reads by key and one to changes. Such reads share calls,
 * so they need few.
 */
const streamsFor = { reads: 4, queries: 11, writes: 1 };

/** Turns of the queue of microtasks in which reads of one request join a call: they begin at different depths. */
const turns = 12;

/** Runs when the reads have begun that need no other one. */
function afterTurns(run: () => void): void {
  let left = turns;
  const next = () => (left-- > 0 ? queueMicrotask(next) : run());
  next();
}

const defaultDeadline = 5_000;

/** Longest pause behind a change that was overtaken, in milliseconds. */
const maxPause = 10_000;

/**
 * Database on a libSQL server. One batch at a time: with many writers such a server stalls for seconds. Streams are kept,
 * but for the edge, where a stream ends with its call.
 */
class RemoteDatabase implements Database {
  readonly kind = 'remote';
  readonly grouped: boolean;
  readonly calls: CallScope | undefined;
  readonly #sent: CallCount;
  readonly #attempts: AttemptSettings;
  readonly #writer: GroupPort;
  readonly #settings: RemoteSettings;
  readonly #committer: GroupCommitter;
  readonly #alone = new Set<GroupCommitter>();
  readonly #streams: readonly Streams[];
  readonly #reads: ReadBatcher;
  readonly #queries: ReadBatcher;
  readonly #steady: SteadyRows;
  readonly #courses: Courses;
  readonly #requests = new WeakMap<CallCount, RequestReads>();
  readonly #deadline: number;
  #guard: Statement | undefined;
  /** Milliseconds that the last change took. */
  #writeTime = 0;
  #isClosed = false;

  constructor(open: () => Stream, sent: CallCount, attempts: AttemptSettings, settings: RemoteSettings) {
    const { group = true, calls, soon = (run) => queueMicrotask(run), deadline = defaultDeadline } = settings;
    const { clock } = attempts;
    const streams = (max: number) => new Streams({ clock, open, ...(group && { max }) });
    const [reads, queries, writes] = [
      streams(streamsFor.reads),
      streams(streamsFor.queries),
      streams(streamsFor.writes),
    ] as const;
    this.grouped = group;
    this.calls = calls;
    this.#sent = sent;
    this.#attempts = attempts;
    this.#streams = [reads, queries, writes];
    this.#writer = new RemoteWriter(writes, attempts);
    this.#settings = settings;
    this.#committer = new GroupCommitter(this.#writer, settings);
    this.#steady = new SteadyRows(() => clock.now());
    this.#courses = new Courses(() => clock.now());
    const inRequest = { soon: afterTurns, keyOf: () => calls?.getStore(), now: clock.now };
    this.#queries = new ReadBatcher({ streams: queries, ...inRequest });
    this.#reads = group ? new ReadBatcher({ streams: reads, soon, keyOf: () => this, now: clock.now }) : this.#queries;
    this.#deadline = deadline;
  }

  read(sql: string, args: readonly SqlValue[] = []): Promise<Row[]> {
    return this.#ask(this.#reads, sql, args);
  }

  /** The server runs queries beside each other, so they need no threads here. Those of other requests do not join. */
  query(_caller: string, sql: string, args: readonly SqlValue[] = []): Promise<Row[]> {
    return this.#ask(this.#queries, sql, args);
  }

  /** Reads of definitions. */
  readonly steady: SteadyReads = {
    read: (sql, args = []) => this.#steady.read(sql, args, this.#seeing()),
    named: (sql, names) => this.#steady.named(sql, names, this.#seeing()),
  };

  #seeing(): Seeing {
    const request = this.#request();
    const read = (sql: string, args: readonly SqlValue[]) => this.read(sql, args);
    if (this.#steady.isFresh(request?.seen)) return { seen: request.seen, isNew: false, read };
    const seen = this.#steady.see(read);
    if (request) request.seen = seen;
    return { seen, isNew: true, read };
  }

  /**
   * Collects the reads that `ask` starts: they go with the first call of the request that asks. So do those that requests
   * like it have made, where it is told which ones are.
   */
  ahead(ask: () => unknown, like?: RequestKind): void {
    const request = this.#request();
    if (!request) return;
    const { ahead } = request;
    ahead.collect(() => {
      if (!this.#steady.isFresh(request.seen)) request.seen = this.#steady.see((sql, args) => this.read(sql, args));
      // The reads that take the rows get the failure.
      Promise.resolve(ask()).catch(() => undefined);
    });
    if (!like) return;
    const { note, expected } = this.#courses.begin(like);
    for (const { sql, args, isQuery, count } of expected)
      ahead.expect(sql, args, count, () => this.#send(isQuery ? this.#queries : this.#reads, sql, args));
    ahead.follow(note);
  }

  #request(): RequestReads | undefined {
    const scope = this.calls?.getStore();
    if (!scope) return undefined;
    let request = this.#requests.get(scope);
    if (!request) {
      request = { ahead: new ReadsAhead(() => this.#attempts.clock.now()), seen: undefined };
      this.#requests.set(scope, request);
    }
    return request;
  }

  async #ask(reads: ReadBatcher, sql: string, args: readonly SqlValue[]): Promise<Row[]> {
    if (this.#isClosed) throw refusalOf('unavailable', 'The database is closed');
    checkValues(args);
    const send = () => this.#send(reads, sql, args);
    return this.#request()?.ahead.read(sql, args, send, reads === this.#queries) ?? send();
  }

  async #send(reads: ReadBatcher, sql: string, args: readonly SqlValue[]): Promise<Row[]> {
    const wanted = () => this.calls?.getStore()?.waitsUntil;
    const read = () => persist(() => reads.read(sql, args, wanted()), this.#attempts, 'read');
    try {
      return await this.#timed('read', 1, () => this.#inTime(read, true));
    } catch (error) {
      throw isAnswer(error) ? refusalOf('bad-sql', messageOf(error)) : error;
    }
  }

  /**
   * The calls of a request share one time limit, which an answer renews: otherwise each layer that asks would wait for
   * it. While the server hangs, requests are refused at once, but for those that try it.
   */
  async #inTime<T>(work: () => Promise<T>, isRead: boolean): Promise<T> {
    const scope = this.calls?.getStore();
    if (!scope) return work();
    const { clock, breaker } = this.#attempts;
    const now = clock.now();
    const { waitsUntil: end = Number.NEGATIVE_INFINITY, patience = this.#deadline } = scope;
    if (now >= end) {
      if (!breaker.admits(end)) {
        throw refusalOf('unavailable', 'The database does not answer, and is tried once a second');
      }
      scope.waitsUntil = now + Math.min(patience, breaker.patience);
    }
    const left = (scope.waitsUntil ?? now) - now;
    try {
      const result = await inTime(work(), clock, left, () => {
        breaker.silent(now);
        return unreachable(`No answer within ${left} ms`, isRead);
      });
      scope.waitsUntil = undefined;
      return result;
    } catch (error) {
      if (isAnswer(error)) scope.waitsUntil = undefined;
      throw error;
    }
  }

  /** Reports a wait to the request that runs, if its trace is recorded. */
  async #timed<T>(operation: DatabaseWait['operation'], statements: number, work: () => Promise<T>): Promise<T> {
    const waited = this.calls?.getStore()?.waited;
    if (!waited) return work();
    return timed(this.#attempts.clock.now, work, (elapsed) => waited({ operation, statements, ...elapsed }));
  }

  get figures() {
    return { ...noFigures, calls: this.#sent.calls };
  }

  async write(statements: readonly Statement[], share?: Share): Promise<Outcome> {
    checkStatements(statements);
    if (this.#isClosed) throw refusalOf('unavailable', 'The database is closed');
    const { clock } = this.#attempts;
    const began = clock.now();
    try {
      const write = () =>
        this.grouped ? this.#committer.write(statements, share) : this.#writeAlone(statements, share);
      const outcome = await this.#timed('write', statements.length, () => this.#inTime(write, false));
      this.#writeTime = clock.now() - began;
      return outcome;
    } finally {
      this.#forget();
    }
  }

  /** Three times as long after each change that the request lost, at random within that, so that rivals spread out. */
  async overtaken(): Promise<void> {
    const count = this.calls?.getStore();
    const lost = (count?.overtaken ?? 0) + 1;
    if (count) count.overtaken = lost;
    const { clock, random } = this.#attempts;
    const share = random.bytes(1)[0]! / 255;
    await clock.sleep(share * Math.min(this.#writeTime * 3 ** lost, maxPause));
  }

  /** Requests read anew after their changes. */
  #forget(): void {
    const request = this.#request();
    request?.ahead.forget();
    if (request) request.seen = undefined;
  }

  guardGroups(guard: Statement | undefined): void {
    this.#guard = guard;
    this.#committer.guard(guard);
  }

  get pending(): number {
    return this.#committer.depth + this.#alone.size;
  }

  /** A committer for this call shares nothing with other requests. */
  async #writeAlone(statements: readonly Statement[], share: Share | undefined): Promise<Outcome> {
    const committer = new GroupCommitter(this.#writer, this.#settings);
    if (this.#guard) committer.guard(this.#guard);
    this.#alone.add(committer);
    try {
      return await committer.write(statements, share);
    } finally {
      this.#alone.delete(committer);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#committer, ...this.#alone].map((committer) => committer.close()));
    this.#isClosed = true;
    for (const streams of this.#streams) streams.close();
  }
}

/** Opens no connection yet: the first call does. */
export function openRemoteDatabase(url: string, settings: RemoteSettings = {}): Database {
  const { clock = systemClock, random = systemRandom, deadline = defaultDeadline } = settings;
  const { attempts = 6, patience = 20_000, pause = 50 } = settings;
  const { calls, token, fetch } = settings;
  const address = addressOf(url);
  const sent: CallCount = { calls: 0 };
  const count = () => {
    sent.calls++;
    const current = calls?.getStore();
    if (current) current.calls++;
  };
  const breaker = new Breaker(clock.now);
  // A call may have the reads of several requests, so the patience of one makes it longer and never shorter.
  const limit = () => Math.max(deadline, calls?.getStore()?.patience ?? 0);
  const post = createPost({ clock, limit, breaker, fetch, count, token: token ?? address.token });
  const open = () => new Stream(address.url, post);
  return new RemoteDatabase(open, sent, { clock, random, attempts, patience, pause, breaker }, settings);
}

function addressOf(url: string) {
  try {
    return remoteAddress(url);
  } catch (error) {
    throw new StoreStartError(`Cannot open the remote database: ${messageOf(error)}`, { cause: error });
  }
}

import type { Clock } from '../../src/core/lib/clock.ts';
import type { Wire } from '../../src/core/outbound/wire.ts';
import type { Database, GroupWork, Share } from '../../src/core/store/contract.ts';
import type { PartSink, StorageDriver, StorageScheme } from '../../src/spi/index.ts';
import { type CallKind, type Fail, failedCall, failuresOf, jumpOf } from './failures.ts';

export type { CallKind };

/** Where the process stops: at which of its calls, and whether the other side still does what it was asked for. */
export interface Stop {
  readonly call: number;
  readonly when: 'before' | 'after';
}

export type Point = Stop | Fail;

export const isFail = (point: Point | undefined): point is Fail => point !== undefined && 'how' in point;

/**
 * A process as its database, its network and its storages see it: calls that it makes one after the other. At one of them it stops,
 * and from then on nobody hears of it, nor does it hear of anybody. Or the call fails, and the process goes on.
 */
export interface ProcessModel {
  readonly calls: readonly CallKind[];
  readonly stopped: boolean;
  /** Whether the call that has to fail was made. */
  readonly failed: boolean;
  /** Counts from here. `next`: where it stops or fails from now on. */
  begin(next?: Point): void;
  /** Resolves when it stops. */
  readonly end: Promise<void>;
  database(inner: Database): Database;
  wire(inner: Wire): Wire;
  scheme(inner: StorageScheme): StorageScheme;
  clock<C extends Clock>(inner: C): C;
}

const silence = (): Promise<never> => new Promise(() => undefined);

/** Waits before each call, such as for the turn of its process. Undefined: the call is made at once. */
export type Gate = (kind: CallKind) => Promise<unknown> | undefined;

export function processModel(first?: Point, gate: Gate = () => undefined): ProcessModel {
  let point = first;
  let calls: CallKind[] | undefined;
  let stopped = false;
  let failed = false;
  /** Milliseconds that the clock of this process is ahead. */
  let ahead = 0;
  let ended = () => {};
  const end = new Promise<void>((resolve) => (ended = resolve));

  function die(): Promise<never> {
    stopped = true;
    ended();
    return silence();
  }

  function port<T>(kind: CallKind, call: () => T | Promise<T>): T | Promise<T> {
    const turn = stopped ? undefined : gate(kind);
    return turn ? turn.then(() => made(kind, call)) : made(kind, call);
  }

  function made<T>(kind: CallKind, call: () => T | Promise<T>): T | Promise<T> {
    if (stopped) return silence();
    const here = calls?.push(kind) === point?.call ? point : undefined;
    if (isFail(here) && failuresOf[kind].includes(here.how)) {
      failed = true;
      ahead = jumpOf(here.how);
      return failedCall(kind, here.how, call);
    }
    if (!here || isFail(here)) return passed(call);
    if (here.when === 'before') return die();
    return Promise.resolve(call()).then(die, die);
  }

  function passed<T>(call: () => T | Promise<T>): T | Promise<T> {
    const answered = call();
    return answered instanceof Promise ? answered.then((answer) => (stopped ? silence() : answer)) : answered;
  }

  const mortal = new Map<GroupWork, GroupWork>();
  /** The work of a group reads what this process reads. A group that waits for it would hold up the database of all. */
  function mortalWork(work: GroupWork): GroupWork {
    const known = mortal.get(work);
    if (known) return known;
    const gone = end.then(() => Promise.reject(new Error('The process has stopped')));
    const made: GroupWork = (commits) => Promise.race([work(commits), gone]);
    gone.catch(() => undefined);
    mortal.set(work, made);
    return made;
  }
  const mortalShare = (share: Share): Share => ({ ...share, works: share.works.map(mortalWork) });

  function driver(inner: StorageDriver): StorageDriver {
    const sink = (part: PartSink): PartSink => ({
      token: part.token,
      ...(part.read && { read: (range) => part.read!(range) }),
      write: async (...given) => port('change', () => part.write(...given)),
      sync: async () => port('change', () => part.sync()),
      close: async () => port('look', () => part.close()),
    });
    return {
      can: inner.can,
      check: async (...given) => port('look', () => inner.check(...given)),
      stat: async (...given) => port('look', () => inner.stat(...given)),
      read: async (...given) => port('bytes', () => inner.read(...given)),
      list: async (...given) => port('look', () => inner.list!(...given)),
      staged: async () => port('look', () => inner.staged!()),
      stage: async (...given) => port('change', () => inner.stage!(...given)),
      openParts: async (...given) => sink(await port('change', () => inner.openParts!(...given))),
      publish: async (...given) => port('change', () => inner.publish!(...given)),
      discard: async (...given) => port('change', () => inner.discard!(...given)),
      remove: async (...given) => port('change', () => inner.remove!(...given)),
      restoreTiers: (storageClass) => inner.restoreTiers!(storageClass),
      restore: async (...given) => port('change', () => inner.restore!(...given)),
    };
  }

  return {
    get calls() {
      return calls ?? [];
    },
    begin(next = point) {
      point = next;
      calls = [];
      failed = false;
    },
    get stopped() {
      return stopped;
    },
    get failed() {
      return failed;
    },
    end,
    database: (inner) => ({
      kind: inner.kind,
      grouped: inner.grouped,
      pending: 0,
      read: (sql, args, max) => port('read', () => inner.read(sql, args, max)),
      query: (caller, sql, args, max) => port('read', () => inner.query(caller, sql, args, max)),
      figures: inner.figures,
      write: async (statements, share) => port('write', () => inner.write(statements, share && mortalShare(share))),
      guardGroups: (guard) => inner.guardGroups(guard),
      // The database outlives the process.
      close: async () => undefined,
    }),
    scheme: (inner) => ({ ...inner, open: (address) => driver(inner.open(address)) }),
    wire: (inner) => ({
      resolve: inner.resolve,
      send: async (...given) => port('send', () => inner.send(...given)),
    }),
    clock: (inner) => Object.create(inner, { now: { value: () => inner.now() + ahead } }),
  };
}

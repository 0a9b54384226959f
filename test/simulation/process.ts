import type { Wire } from '../../src/outbound/wire.ts';
import type { Database } from '../../src/store/contract.ts';

export type CallKind = 'read' | 'write' | 'send';

/** Where the process stops: at which of its calls, and whether the other side still does what it was asked for. */
export interface Stop {
  readonly call: number;
  readonly when: 'before' | 'after';
}

/**
 * A process as its database and its network see it: calls that it makes one after the other. At one of them it stops,
 * and from then on nobody hears of it, nor does it hear of anybody.
 */
export interface ProcessModel {
  readonly calls: readonly CallKind[];
  readonly stopped: boolean;
  /** Counts from here. */
  begin(): void;
  /** Resolves when it stops. */
  readonly end: Promise<void>;
  database(inner: Database): Database;
  wire(inner: Wire): Wire;
}

const silence = new Promise<never>(() => undefined);

export function processModel(stop?: Stop): ProcessModel {
  let calls: CallKind[] | undefined;
  let stopped = false;
  let ended = () => {};
  const end = new Promise<void>((resolve) => (ended = resolve));

  function die(): Promise<never> {
    stopped = true;
    ended();
    return silence;
  }

  function port<T>(kind: CallKind, call: () => T | Promise<T>): T | Promise<T> {
    if (stopped) return silence;
    const here = calls?.push(kind) === stop?.call && stop !== undefined;
    if (here && stop.when === 'before') return die();
    const made = call();
    if (!here) return made instanceof Promise ? made.then((answer) => (stopped ? silence : answer)) : made;
    return Promise.resolve(made).then(die, die);
  }

  return {
    get calls() {
      return calls ?? [];
    },
    begin() {
      calls = [];
    },
    get stopped() {
      return stopped;
    },
    end,
    database: (inner) => ({
      kind: inner.kind,
      grouped: inner.grouped,
      pending: 0,
      read: (sql, args, most) => port('read', () => inner.read(sql, args, most)),
      query: (caller, sql, args, most) => port('read', () => inner.query(caller, sql, args, most)),
      figures: inner.figures,
      write: async (statements, share) => port('write', () => inner.write(statements, share)),
      guardGroups: (guard) => inner.guardGroups(guard),
      // It outlives the process.
      close: async () => undefined,
    }),
    wire: (inner) => ({
      resolve: inner.resolve,
      send: async (...given) => port('send', () => inner.send(...given)),
    }),
  };
}

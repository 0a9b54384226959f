import { OutboundError, type WireAnswer } from '../../src/core/outbound/wire.ts';
import { faultOf, refusalOf } from '../../src/core/store/faults.ts';
import { storageError } from '../../src/kit/testing/storage/memory-storage.ts';

/** `look`, `bytes`, `change`: what a storage is asked for. */
export type CallKind = 'read' | 'write' | 'send' | 'look' | 'bytes' | 'change';

/**
 * Failure of a call. `lost`: it has its effect, and its caller sees an error. `half`: the bytes end in the middle.
 * `later`, `earlier`: the clock jumps, and the call succeeds.
 */
export type Failure = 'busy' | 'full' | 'broken' | 'lost' | 'refused' | 'half' | 'later' | 'earlier';

export interface Fail {
  readonly call: number;
  readonly how: Failure;
}

const jumps = ['later', 'earlier'] as const;

/** Failures that a call of each kind can meet. */
export const failuresOf: Readonly<Record<CallKind, readonly Failure[]>> = {
  read: ['busy', 'broken', ...jumps],
  write: ['busy', 'full', 'broken', 'lost', ...jumps],
  send: ['refused', 'broken', 'lost', 'half', ...jumps],
  look: ['broken', ...jumps],
  bytes: ['broken', 'half', ...jumps],
  change: ['full', 'broken', 'lost', ...jumps],
};

/** Longer than any lease. */
const hour = 3_600_000;

/** Milliseconds that the clock jumps. */
export const jumpOf = (how: Failure): number => (how === 'later' ? hour : how === 'earlier' ? -hour : 0);

const driverErrors: Partial<Record<Failure, readonly [code: string, message: string]>> = {
  busy: ['SQLITE_BUSY', 'database is locked'],
  full: ['SQLITE_FULL', 'database or disk is full'],
  broken: ['SQLITE_IOERR', 'disk I/O error'],
  lost: ['', 'The connection was reset; a change may have been made'],
};

function databaseError(how: Failure): Error {
  const [code, message] = driverErrors[how]!;
  const { fault, explanation } = faultOf(Object.assign(new Error(message), { code }));
  return refusalOf(fault, explanation);
}

const wireError = (how: Failure): Error =>
  how === 'broken'
    ? new OutboundError('connect', 'Expected a connection: it was reset')
    : new OutboundError('answer', 'Expected an answer: the connection was reset');

const errorOf = (kind: CallKind, how: Failure): Error => {
  if (kind === 'read' || kind === 'write') return databaseError(how);
  if (kind === 'send') return wireError(how);
  return how === 'full'
    ? storageError('no-space', 'Expected room: the disk is full')
    : storageError('offline', 'Expected an answer: input/output error');
};

/** The call as it fails. */
export async function failedCall<T>(kind: CallKind, how: Failure, call: () => T | Promise<T>): Promise<T> {
  if (jumpOf(how) !== 0) return call();
  if (how === 'refused') return { status: 503, headers: new Headers(), body: null } satisfies WireAnswer as T;
  if (how === 'half') return half(kind, (await call()) as T & object);
  if (how === 'lost') await call();
  throw errorOf(kind, how);
}

/** The same answer, whose bytes break off. */
function half<T extends object>(kind: CallKind, answer: T): T {
  if (kind === 'send') return { ...answer, body: broken([new Uint8Array(1)]) };
  const bytes = (answer as { readonly body: AsyncIterable<Uint8Array> }).body;
  const begun = broken(bytes);
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value } = await begun.next();
        controller.enqueue(value!);
      },
    },
    { highWaterMark: 0 },
  );
  return { ...answer, body };

  async function* broken(all: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of all) {
      yield piece.subarray(0, Math.ceil(piece.byteLength / 2));
      break;
    }
    throw errorOf(kind, 'half');
  }
}

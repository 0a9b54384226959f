import { getPriority, platform, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { ServiceError } from '../../lib/errors.ts';
import { codeOf, kindOfFault, messageOf } from '../../store/faults.ts';
import { StatementCache } from '../../store/local/native.ts';
import { tooLong } from '../../store/local/reader-pool.ts';
import { reduced } from '../../store/local/reduced.ts';
import { threadReader } from '../../store/local/thread-reader.ts';
import { connect } from './connection.ts';
import type { FromReader, ReaderData, ToReader } from './reader-messages.ts';

/**
 * A reader thread: it does one query or one reading after the other. Each has a snapshot of its own, which is as new as
 * the moment at which it begins.
 */
const port = parentPort!;
const { path, busyTimeout } = workerData as ReaderData;
const send = (message: FromReader) => port.postMessage(message);

/** As the commands of Unix say it: so much lower than what the process has. */
const nicer = 5;

/** Where cores are few, the thread that serves goes first: short answers wait for it, and a query may take longer. */
function stepBack(): void {
  // Elsewhere the call is about the whole process.
  if (platform() !== 'linux') return;
  try {
    setPriority(0, Math.min(getPriority(0) + nicer, 19));
  } catch {
    // A sandbox may refuse it: then all threads are alike.
  }
}

function faultOf(error: unknown): FromReader {
  const kind = kindOfFault(error);
  return { fault: kind === 'constraint' ? 'unavailable' : kind, explanation: messageOf(error) };
}

const stackOf = (error: unknown): string => (error instanceof Error && error.stack) || messageOf(error);

function endOf(error: unknown): FromReader {
  if (error instanceof ServiceError) {
    const { code, detail, headers } = error;
    return { refused: { code, detail, headers: { ...headers } } };
  }
  // What is no fault of the engine is a bug.
  return codeOf(error).startsWith('SQLITE_') ? faultOf(error) : { broken: stackOf(error) };
}

try {
  stepBack();
  const connection = connect(path, { busyTimeout, readOnly: true });
  const cache = new StatementCache(connection);
  let limit = { due: 0, milliseconds: 0 };
  const reader = threadReader(cache, () => {
    if (performance.now() > limit.due) throw tooLong(limit.milliseconds);
  });

  async function made(name: string, given: unknown): Promise<FromReader> {
    try {
      // Most readers run queries alone, and have no use for what a reading imports.
      const { readings } = await import('../../readings.ts');
      cache.get('BEGIN').run([]);
      return { made: await readings.find((reading) => reading.name === name)!.run(reader, given as never) };
    } catch (error) {
      return endOf(error);
    }
  }

  async function perform(name: string, given: unknown): Promise<FromReader> {
    const end = await made(name, given);
    try {
      if (connection.inTransaction) cache.get('COMMIT').run([]);
      return end;
    } catch (error) {
      // Its snapshot would stay: another thread takes the next query.
      return { fault: 'unavailable', explanation: messageOf(error) };
    }
  }

  port.on('message', (message: ToReader) => {
    if ('close' in message) {
      cache.clear();
      connection.close();
      send({ closed: true });
      return;
    }
    if ('reading' in message) {
      const { milliseconds } = message;
      limit = { due: performance.now() + milliseconds, milliseconds };
      void perform(message.reading, message.given)
        .then(send)
        .catch((error: unknown) => send(endOf(error)));
      return;
    }
    try {
      const { sql, args, most } = message;
      const statement = cache.get(sql);
      const rows = most === 'all' ? statement.all(args) : statement.first(args);
      send({ rows: typeof most === 'object' ? reduced(rows, most) : rows });
    } catch (error) {
      send(faultOf(error));
    }
  });
} catch (error) {
  send({ dead: messageOf(error) });
}

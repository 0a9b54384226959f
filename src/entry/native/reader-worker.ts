import { parentPort, workerData } from 'node:worker_threads';
import { ServiceError } from '../../core/lib/errors.ts';
import { databaseCode, faultOf, messageOf } from '../../core/store/faults.ts';
import { readOffThread } from '../../core/store/local/native.ts';
import { tooLong } from '../../core/store/local/reader-pool.ts';
import { reduced } from '../../core/store/local/reduced.ts';
import { threadReader } from '../../core/store/local/thread-reader.ts';
import { connect } from './connection.ts';
import { ReadConnection } from './reader-connections.ts';
import { type FromReader, interruptAgain, type ReaderData, type ToReader } from './reader-messages.ts';
import { stepBack } from './step-back.ts';

/**
 * A reader thread: it does one query or one reading after the other. Each has a snapshot of its own, which is as new as
 * the moment at which it begins.
 */
const port = parentPort!;
const { path, busyTimeout } = workerData as ReaderData;
const send = (message: FromReader) => port.postMessage(message);

const stackOf = (error: unknown): string => (error instanceof Error && error.stack) || messageOf(error);

function endOf(error: unknown): FromReader {
  if (error instanceof ServiceError) {
    const { code, detail, headers } = error;
    return { refused: { code, detail, headers: { ...headers } } };
  }
  // Anything but a fault of the engine is a bug.
  return databaseCode(error).startsWith('SQLITE_') ? faultOf(error) : { broken: stackOf(error) };
}

try {
  stepBack();
  const connection = new ReadConnection(() => connect(path, { busyTimeout, readOnly: true }));
  let limit = { due: 0, milliseconds: 0 };
  let again: ReturnType<typeof setInterval> | undefined;
  let isBusy = false;
  const expectTime = () => {
    if (performance.now() > limit.due) throw tooLong(limit.milliseconds);
  };
  const reader = threadReader(connection, expectTime);

  /** Reports an interrupted statement as too long. */
  function endIn(error: unknown): FromReader {
    return endOf(databaseCode(error) === 'SQLITE_INTERRUPT' ? tooLong(limit.milliseconds) : error);
  }

  /** Loaded on demand: readers that run queries alone have no use for it. */
  const loaded = async () => (await import('../../composition/readings.ts')).readings;

  /** The first statement of a connection reads the schema, and the first beside this thread starts what it runs on. */
  async function prepare(forReadings: boolean): Promise<void> {
    if (forReadings) await loaded();
    await readOffThread(connection, 'SELECT count(*) FROM sqlite_schema', [], 'one');
  }

  async function query({ sql, args, max }: Extract<ToReader, { sql: string }>): Promise<FromReader> {
    try {
      const rows = await readOffThread(connection, sql, args, max === 'all' ? 'all' : 'one');
      return { rows: typeof max === 'object' ? reduced(rows, max) : rows };
    } catch (error) {
      return databaseCode(error) === 'SQLITE_INTERRUPT' ? endIn(error) : faultOf(error);
    }
  }

  async function made(name: string, given: unknown): Promise<FromReader> {
    try {
      const readings = await loaded();
      connection.get('BEGIN').run([]);
      return { made: await readings.find((reading) => reading.name === name)!.run(reader, given as never) };
    } catch (error) {
      return endIn(error);
    }
  }

  async function perform(name: string, given: unknown): Promise<FromReader> {
    const end = await made(name, given);
    try {
      if (connection.inTransaction) connection.get('COMMIT').run([]);
      return end;
    } catch (error) {
      // The open snapshot would stay, so another thread takes the next query.
      return { fault: 'unavailable', explanation: messageOf(error) };
    }
  }

  port.on('message', (message: ToReader) => {
    if ('close' in message) {
      connection.close();
      send({ closed: true });
      return;
    }
    if ('prepare' in message) {
      void prepare(message.prepare).then(
        () => send({ made: undefined }),
        (error: unknown) => send({ broken: stackOf(error) }),
      );
      return;
    }
    if ('interrupt' in message) {
      // An answer passes the interrupt on its way: the next query would be ended.
      if (!isBusy) return;
      // A reading that computes at this moment ends with its next statement.
      limit = { ...limit, due: 0 };
      const interrupt = () => connection.interrupt();
      interrupt();
      again = setInterval(interrupt, interruptAgain);
      return;
    }
    const { milliseconds } = message;
    limit = { due: performance.now() + milliseconds, milliseconds };
    isBusy = true;
    connection.renew();
    void ('reading' in message ? perform(message.reading, message.given) : query(message)).catch(endOf).then((end) => {
      clearInterval(again);
      isBusy = false;
      send(end);
    });
  });
} catch (error) {
  send({ dead: messageOf(error) });
}

import type { Row } from '../../../src/core/store/contract.ts';
import { type PoolSettings, type QueryReader, ReaderPool, tooLong } from '../../../src/core/store/local/reader-pool.ts';
import { settle, testClock } from '../../support/clock.ts';

const sqlOf = (name: string) => (name.startsWith('PRAGMA') ? name : `SELECT ${name}`);
const nameOf = (sql: string) => sql.replace('SELECT ', '');

/** A pool whose readers answer when the test says so. */
export function openPool(settings: Partial<PoolSettings> = {}, begins: QueryReader['prepare'] = async () => {}) {
  const clock = testClock();
  const running = new Map<string, { answer(): void; stop(): void; fail(): void }>();
  const interrupted: string[] = [];
  const readers: { closed: boolean; alive: boolean; interrupted: number }[] = [];
  const openReader = (): QueryReader => {
    const state = { closed: false, alive: true, interrupted: 0 };
    let last = '';
    readers.push(state);
    const begin = <T>(name: string, found: T) =>
      new Promise<T>((resolve, reject) => {
        last = name;
        const end = (settled: () => void) => {
          running.delete(name);
          settled();
        };
        running.set(name, {
          answer: () => end(() => resolve(found)),
          stop: () => end(() => reject(tooLong(10_000))),
          fail() {
            state.alive = false;
            end(() => reject(new Error('The thread is gone')));
          },
        });
      });
    return {
      prepare: (forReadings) => begins(forReadings),
      get alive() {
        return state.alive;
      },
      run: (sql) => begin<Row[]>(nameOf(sql), [[nameOf(sql)]]),
      perform: async (reading, given, milliseconds) =>
        reading === 'search' ? [reading, given, milliseconds] : begin(reading, [reading]),
      interrupt() {
        state.interrupted++;
        interrupted.push(last);
      },
      async close() {
        state.closed = true;
      },
    };
  };
  const defaultValue = { readers: 4, queue: 8, milliseconds: 10_000 };
  const pool = new ReaderPool({ ...defaultValue, ...settings, clock, open: openReader });
  const ask = (caller: string, name: string) => pool.query(caller, sqlOf(name), [], 'all');
  /** Outcome as text: `rows`, or the status, code and Retry-After of the error. */
  const outcome = (caller: string, sql: string) =>
    ask(caller, sql).then(
      () => 'rows',
      (error: { code: string; status: number; headers: Record<string, string> }) =>
        `${error.status} ${error.code} ${error.headers['Retry-After'] ?? ''}`.trim(),
    );
  const answer = async (sql: string) => {
    await settle();
    running.get(sql)!.answer();
    await settle();
  };
  /** Simulates that the reader thread has noticed its interruption. */
  const stop = async (sql: string) => {
    running.get(sql)!.stop();
    await settle();
  };
  /** Starts queries, each a millisecond after the one before. */
  const askAll = async (...queries: readonly string[]) => {
    const asked = queries.map(async (sql, at) => {
      await clock.sleep(at);
      return outcome(sql.replace(/\d/, ''), sql);
    });
    await clock.advance(queries.length);
    return asked;
  };
  return { clock, pool, running, interrupted, readers, ask, outcome, answer, stop, askAll };
}

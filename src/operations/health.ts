import type { Clock } from '../lib/clock.ts';
import { describeError, type Log } from '../lib/log.ts';
import type { Store } from '../store/store.ts';

export interface Health {
  readonly ready: boolean;
  readonly database: 'writable' | 'unavailable';
  readonly migrations: 'done' | 'pending';
}

/** Anybody may ask, so an answer serves whoever asks in the next second: asking cannot become a load. */
const freshMilliseconds = 1000;

/** Ready: the database takes a write, and has the schema of this program. */
export function createHealth(store: Store, clock: Clock, log: Log, sharesWork: boolean): () => Promise<Health> {
  let latest: { readonly at: number; readonly health: Promise<Health> } | undefined;

  async function probe(): Promise<Health> {
    const migrations = await holds(() => store.checkSchema());
    const writable = await holds(() => store.checkWritable());
    return {
      ready: migrations && writable,
      database: writable ? 'writable' : 'unavailable',
      migrations: migrations ? 'done' : 'pending',
    };
  }

  async function holds(check: () => Promise<void>): Promise<boolean> {
    try {
      await check();
      return true;
    } catch (error) {
      log.write('warn', 'not-ready', describeError(error));
      return false;
    }
  }

  return () => {
    const now = clock.now();
    if (!sharesWork) return probe();
    if (!latest || now - latest.at >= freshMilliseconds || now < latest.at) latest = { at: now, health: probe() };
    return latest.health;
  };
}

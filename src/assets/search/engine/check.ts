import type { Clock } from '../../../core/lib/clock.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { Check, SecurityView } from '../../../room/context.ts';
import type { SearchEngine } from '../../../spi/index.ts';
import { findFeed } from './feed-sql.ts';

/** Milliseconds for which an answer is kept: anybody may ask for the self-test. */
const fresh = 5000;

interface CheckParts {
  readonly store: Reader;
  readonly clock: Pick<Clock, 'now'>;
  readonly security: Pick<SecurityView, 'searchEngines'>;
  /** Why the engine is left alone now. */
  resting(): string | undefined;
}

/** Check of what answers searches: the engine with its state and lag, or the database. */
export function searchCheck({ store, clock, security, resting }: CheckParts): Check {
  let last: { readonly at: number; readonly result: ReturnType<typeof look> } | undefined;

  async function look(engine: SearchEngine): ReturnType<Check['run']> {
    try {
      const { documents, isBuilding } = await engine.state();
      const row = await findFeed(store, { name: engine.name });
      const waiting = Math.max((row?.newest ?? 0) - (row?.position ?? 0), 0);
      const isReady = row?.isReady === 1;
      const rests = resting();
      const message = [
        `${documents} documents, ${waiting} changes wait`,
        ...(isReady ? [] : ['Its index is not complete: the database answers searches']),
        ...(isBuilding ? ['A new index is being built: GET /reindex/engine tells how far it is'] : []),
        ...(rests === undefined ? [] : [rests]),
      ];
      return { status: isReady && rests === undefined ? 'ok' : 'warning', message };
    } catch {
      // Anybody may ask for the self-test: the log tells addresses and reasons.
      return { status: 'failed', message: ['Expected a search engine that answers: the log has the reason'] };
    }
  }

  return {
    name: 'search',
    description: 'The search engine answers and is complete, or there is none',
    run() {
      const [engine] = security.searchEngines();
      if (!engine) return Promise.resolve({ status: 'ok' });
      const now = clock.now();
      if (!last || now < last.at || now - last.at >= fresh) last = { at: now, result: look(engine) };
      return last.result;
    },
  };
}

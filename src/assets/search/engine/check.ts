import { type Clock, inTime } from '../../../core/lib/clock.ts';
import type { SettingsOf } from '../../../core/settings/kinds.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { Check, SecurityView } from '../../../room/context.ts';
import type { SearchEngine } from '../../../spi/index.ts';
import type { engineSettings } from '../properties.ts';
import { feedNameOf } from './documents.ts';
import type { Engines } from './engines.ts';
import { isFed } from './fed.ts';
import { countWaiting, findFeed } from './feed-sql.ts';

/** Milliseconds for which an answer is kept: anybody may ask for the self-test. And those that an engine has for it. */
const [fresh, longest] = [1000, 5000];

interface CheckParts {
  readonly store: Reader;
  readonly clock: Clock;
  readonly security: Pick<SecurityView, 'searchEngines'>;
  readonly settings: Pick<SettingsOf<typeof engineSettings>, 'searchLag'>;
  readonly engines: Pick<Engines, 'isAlone' | 'resting'>;
}

/** Check of what answers searches: the engine with its state and lag, or the database. */
export function searchCheck({ store, clock, security, settings, engines }: CheckParts): Check {
  const instead = engines.isAlone ? 'searches of texts get 503' : 'the database answers searches';
  const behind = engines.isAlone ? 'searches lack them' : instead;
  let last: { readonly at: number; readonly result: ReturnType<typeof look> } | undefined;

  async function look(engine: SearchEngine): ReturnType<Check['run']> {
    try {
      const late = () => new Error(`Expected an engine that answers within ${longest / 1000} seconds`);
      const { position, documents, isBuilding, isReadOnly } = await inTime(engine.state(), clock, longest, late);
      const row = await findFeed(store, { name: feedNameOf(engine) });
      const { waiting } = (await countWaiting(store, { position: row?.position ?? 0 }))!;
      const seconds = row && waiting > 0 ? Math.floor((clock.now() - row.caughtAt) / 1000) : 0;
      // The index may be older than it was: from a snapshot, or on another disk.
      const isComplete = row?.isReady === 1 && position >= row.position;
      const because = [
        ...(isComplete ? [] : [`Its index is not complete: ${instead}`]),
        ...(isComplete && seconds > settings.searchLag
          ? [`Changes have waited for ${seconds} seconds: ${behind}`]
          : []),
        ...(isReadOnly ? ['Its index is read-only: changes wait'] : []),
        ...(isReadOnly || isFed(engine) ? [] : ['It did not take the last changes: the log has the reason']),
        ...[engines.resting(engine) ?? []].flat(),
      ];
      const message = [
        `${documents} documents, ${waiting} changes wait`,
        ...because,
        ...(isBuilding ? ['A new index is being built: GET /reindex/engine tells how far it is'] : []),
      ];
      return { status: because.length === 0 ? 'ok' : 'warning', message };
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

import { changedMeanwhile, isChanged } from '../../../core/lib/retry-when-changed.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { type Participant, systemActor, tableConcern } from '../../../core/store/contract.ts';
import type { WorkKind } from '../../../core/work/work-kind.ts';
import { steps } from '../../../core/work/work-kind.ts';
import { loadThere, namingProperty } from '../../metadata/public-reading.ts';
import type { SearchContext } from '../parts.ts';
import type { EmbeddedIndex } from './document.ts';
import { reindexed } from './participant.ts';
import {
  advanceReindex,
  allUnchanged,
  begin,
  finish,
  nextReindex,
  pageToIndex,
  queue,
  type ReindexRow,
  reindexDue,
  stillGoing,
} from './reindex-sql.ts';

interface IndexContext extends Pick<SearchContext, 'store' | 'clock'> {
  readonly index: EmbeddedIndex;
}

/** Entities per step. */
const batch = 100;
/** Milliseconds until a retry after a failed step. */
const rest = 2000;

/** Priority of a rebuild that the service begins. */
const priority = 500;

/** Builds the indexes again in the commit that changes which fields name entities. */
export const renamingParticipant: Participant = {
  name: 'display-names',
  concerns: ['configuration/modify'],
  after: ({ events, now }) =>
    events.some(({ payload }) => (payload as { readonly key?: string }).key === namingProperty)
      ? ['item', 'collection'].map((name) => queue({ name, priority, now }))
      : [],
};

/** Background work that rebuilds an index, from the newest entity to the oldest. Searches continue meanwhile. */
export function reindexKind({ store, clock, index }: IndexContext): WorkKind {
  async function page(row: ReindexRow): Promise<boolean> {
    const { name, run, done, position } = row;
    const kind = name === 'item' ? 'item' : 'collection';
    const going = stillGoing({ name, run, done }, changedMeanwhile('Reindex', name));
    const rows = await pageToIndex(kind)(store, { position: position ?? Number.MAX_SAFE_INTEGER, limit: batch });
    const last = rows.at(-1);
    const first = position === null ? [begin({ name, now: clock.now() })] : [];
    if (last === undefined) {
      await store.commit(changing(going, ...first, finish({ name, now: clock.now() })), systemActor);
      return true;
    }
    const ids = rows.map(({ id }) => id);
    const states = await loadThere(store, kind, ids);
    const versions = Array.from(states, ([id, { version }]) => [id, version]);
    const same = allUnchanged({ kind, rows: versions, count: states.size }, changedMeanwhile('Metadata', last.id));
    const rewritten = await reindexed(
      store,
      index,
      Array.from(states, ([id, { size, state }]) => ({ kind, id, size, state })),
    );
    const next = advanceReindex({ name, count: rows.length, position: last.serial });
    await store.commit(changing(going, same, ...first, ...rewritten, next), systemActor);
    return true;
  }

  return steps({
    name: 'reindex',
    says: 'Builds the index of items or collections again, after a request or a change of a field definition',
    priority: 70,
    clock,
    rest,
    due: () => reindexDue,
    wokenBy: [tableConcern('search_reindex')],
    async step() {
      const row = await nextReindex(store, {});
      if (!row) return false;
      try {
        return await page(row);
      } catch (error) {
        // Conflict: an entity or the rebuild itself changed. The next step reads again.
        if (isChanged(error)) return true;
        throw error;
      }
    },
  });
}

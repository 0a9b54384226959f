import type { Clock } from '../../../core/lib/clock.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { type Statement, tableConcern } from '../../../core/store/contract.ts';
import type { WorkKind } from '../../../core/work/work-kind.ts';
import { steps } from '../../../core/work/work-kind.ts';
import {
  advanceChange,
  changedCollection,
  changedItems,
  changeStands,
  changesDue,
  countChanges,
  forgetCollection,
  forgetItems,
  insertChanges,
  membersBehind,
} from '../../metadata/public.ts';
import { loadThere } from '../../metadata/public-reading.ts';
import type { SearchContext } from '../parts.ts';
import { commitStep } from './commit-step.ts';
import type { EmbeddedIndex } from './document.ts';
import { reindexed } from './participant.ts';
import { allUnchanged } from './reindex-sql.ts';

/** Maximum milliseconds that a search waits for inherited metadata. */
const within = 10_000;

/**
 * Runs one step of inheritance at a time, for the worker and for searches, which wait for a running step. `caughtUp`
 * resolves when all changes made before the call are processed.
 */
export function createCatchUp({ clock, step }: { readonly clock: Pick<Clock, 'now'>; step(): Promise<boolean> }) {
  let running: Promise<boolean> | undefined;

  function next(): Promise<boolean> {
    running ??= step().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    step: next,
    async caughtUp(): Promise<void> {
      const end = clock.now() + within;
      // A running step may have started before the change. Its errors are reported by its own caller.
      await running?.catch(() => undefined);
      while (await next()) if (clock.now() >= end) throw tooLate();
    },
  };
}
type CatchUp = ReturnType<typeof createCatchUp>;

const tooLate = () =>
  new ServiceError(
    'query-too-long',
    { context: 'fresh', explanation: `Expected inherited values to be in the index within ${within / 1000} seconds` },
    { 'Retry-After': '5' },
  );

/** Items per step, and members per collection. */
const [batch, members] = [100, 1000];
/** Milliseconds until a retry after a failed step. */
const rest = 2000;
/** Milliseconds in which changes of many commits are gathered. */
const gathers = 20;
/** Tables whose changes or triggers add rows to `inheritance_change`. */
const writers = ['inheritance_change', 'collection_member', 'collection'];
/** Maximum of rows counted for metrics. */
const counted = 100_000;

/** Reindexes items when metadata inherited from collections changes. Views of items are always current. */
export function createInheritance({
  store,
  clock,
  index,
}: Pick<SearchContext, 'store' | 'clock'> & { readonly index: EmbeddedIndex }): {
  readonly kind: WorkKind;
  readonly caughtUp: CatchUp['caughtUp'];
} {
  async function ofItems(rows: Awaited<ReturnType<typeof changedItems>>): Promise<readonly Statement[]> {
    const ids = rows.map(({ id }) => id);
    const states = await loadThere(store, 'item', ids);
    const versions = Array.from(states, ([id, { version }]) => [id, version]);
    const described = Array.from(states, ([id, { size, state }]) => ({ kind: 'item' as const, id, size, state }));
    return [
      allUnchanged({ kind: 'item', rows: versions, count: states.size }, changedMeanwhile('Metadata', rows[0]!.id)),
      ...(await reindexed(store, index, described)),
      forgetItems({ rows: rows.map(({ id, run }) => [id, run]) }),
    ];
  }

  /** Queues the members of a collection in pages. Member collections are processed in the same way. */
  async function ofCollection(row: { id: string; run: number; position: string }): Promise<readonly Statement[]> {
    const stands = changeStands(row, changedMeanwhile('Collection', row.id));
    const [type = '', member = ''] = row.position.split(' ');
    const memberRows = await membersBehind(store, { id: row.id, type, member, limit: members });
    const last = memberRows.at(-1);
    if (last === undefined) return [stands, forgetCollection({ id: row.id })];
    return [
      stands,
      insertChanges({ rows: memberRows.map((each) => [each.type, each.id]) }),
      advanceChange({ id: row.id, position: `${last.type} ${last.id}` }),
    ];
  }

  async function changes(): Promise<readonly Statement[] | undefined> {
    const items = await changedItems(store, { limit: batch });
    if (items.length > 0) return ofItems(items);
    const row = await changedCollection(store, {});
    return row && ofCollection(row);
  }

  const { step, caughtUp } = createCatchUp({ clock, step: async () => commitStep(store, await changes()) });
  const kind = steps({
    name: 'inheritance',
    says: 'Updates the index of inherited metadata. A search with fresh=true waits for it',
    priority: 69,
    clock,
    rest,
    gathers,
    due: () => changesDue,
    wokenBy: writers.map(tableConcern),
    step,
  });
  const measured: WorkKind = {
    ...kind,
    async measure() {
      const [row] = await countChanges(store, { limit: counted });
      return { waiting: row?.count ?? 0 };
    },
  };
  return { kind: measured, caughtUp };
}

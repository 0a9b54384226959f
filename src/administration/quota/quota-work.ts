import { changedMeanwhile, isChanged } from '../../core/lib/retry-when-changed.ts';
import { systemActor, tableConcern } from '../../core/store/contract.ts';
import type { Reader } from '../../core/store/statement.ts';
import { type Piece, type WorkKind, workKind } from '../../core/work/work-kind.ts';
import type { RoomContext } from '../../room/context.ts';
import { quotaEvent } from './events.ts';
import { ruleState } from './quota-rules/rules.ts';
import {
  countToDo,
  findQuotaRule,
  mustWarn,
  type QuotaRuleRow,
  rulesDue,
  rulesToDo,
  setWarned,
} from './quota-rules/store.ts';
import { driftOf, isExact, recount, settled, wasExact } from './usage.ts';

/** Tables whose changes may change what a rule counts, through the triggers of the migrations. A test compares them. */
export const countedTables = [
  'access_entry',
  'collection_member',
  'file',
  'file_use',
  'group',
  'group_group',
  'group_user',
  'item',
  'library_item',
  'quota_counting',
  'quota_counting_file',
  'quota_rule',
  'shape_tagged',
  'storage_group_member',
] as const;

/** Concerns of the rules' participant. Commits without these tables have no overhead. */
export const countedConcerns: readonly string[] = countedTables.map(tableConcern);

interface QuotaSettings {
  readonly maxPageValues: number;
  readonly maxPage: number;
}

/** Parts of the routes and the work of quotas. */
export type QuotaParts = RoomContext<QuotaSettings>;

/** More recounts of one rule in a row than changes of groups and trees come meanwhile. */
const max = 5;

type Parts = Pick<QuotaParts, 'store' | 'clock' | 'log'>;

/** Counts a rule again and keeps what it found. Undefined: the rule is gone. */
export async function evaluate(
  { store, clock, log }: Parts,
  reader: Reader,
  id: string,
): Promise<QuotaRuleRow | undefined> {
  for (let attempt = 1; ; attempt++) {
    const row = await findQuotaRule(store, { id });
    const count = row && (await recount(reader, row));
    if (!count) return undefined;
    const drift = driftOf(count);
    if (wasExact(row, count) && (drift.items !== 0 || drift.bytes !== 0)) {
      log.write('warn', 'quota-drift', { rule: id, items: drift.items, bytes: drift.bytes });
    }
    await store.commit({ changes: settled(id, count, clock.now()), events: [] }, systemActor);
    const after = await findQuotaRule(store, { id });
    if (!after || isExact(after) || attempt === max) return after;
  }
}

export const overLimit = (
  { itemLimit, storageLimit }: QuotaRuleRow,
  { items, bytes }: { items: number; bytes: number },
): boolean => (itemLimit !== null && items > itemLimit) || (storageLimit !== null && bytes > storageLimit);

/** Tells once that a limit is nearly used, and once that one is exceeded, and forgets it when they no longer are. */
async function warn({ store }: Parts, row: QuotaRuleRow): Promise<void> {
  const { id, fullness, warned, userId, user } = row;
  if (fullness === warned) return;
  const isFuller = fullness > warned;
  const guard = isFuller ? [mustWarn({ id, fullness, warned }, changedMeanwhile('QuotaRule', id))] : [];
  const payload = { ...ruleState(id, row, row), ...(userId !== null && user !== null && { user }) };
  const events = isFuller ? [quotaEvent(fullness === 2 ? 'quota/warning' : 'quota/near', id, payload)] : [];
  try {
    await store.commit({ changes: [...guard, setWarned({ id })], events }, systemActor);
  } catch (error) {
    // Conflict: a second instance has sent the warning, or the usage has changed again. The next run sees it.
    if (!isChanged(error)) throw error;
  }
}

/** Counts rules again that triggers could not follow or that are due, and warns of those that are exceeded. */
export function quotaKind(parts: QuotaParts): WorkKind {
  const { store, clock } = parts;
  /** Queries of this work have a share of the readers of their own. */
  const reader = store.reader('quota');
  return workKind<Piece>({
    name: 'quota',
    says: 'Evaluates quota rules and sends warnings',
    priority: 45,
    concurrency: 1,
    wokenBy: countedConcerns,
    due: () => rulesDue,
    async claim(max, now, isHeld) {
      const ids = (await rulesToDo(store, { now, limit: max + 1 })).map(({ id }) => id).filter((id) => !isHeld(id));
      return ids.slice(0, max).map((key) => ({ key }));
    },
    async do({ key: id }, held) {
      const row = await findQuotaRule(store, { id });
      if (!row) return;
      const isDue = !isExact(row) || row.due <= clock.now();
      const now = isDue ? await evaluate(parts, reader, id) : row;
      if (now && isExact(now)) await warn(parts, now);
      held.done();
    },
    measure: async () => ({ waiting: Number((await countToDo(store, {}))[0]?.waiting ?? 0) }),
  });
}

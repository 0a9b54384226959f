import { changedMeanwhile, isChanged } from '../../../core/lib/retry-when-changed.ts';
import { systemActor } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { quotaEvent } from '../events.ts';
import type { QuotaParts } from '../parts.ts';
import { ruleState } from '../quota-rules/rules.ts';
import { findQuotaRule, mustWarn, type QuotaRuleRow, setWarned } from '../quota-rules/store.ts';
import { driftOf, isExact, recount, settled, wasExact } from './usage.ts';

/** More recounts of one rule in a row than changes of groups and trees come meanwhile. */
const most = 5;

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
    if (!after || isExact(after) || attempt === most) return after;
  }
}

export const overLimit = (
  { itemLimit, storageLimit }: QuotaRuleRow,
  { items, bytes }: { items: number; bytes: number },
): boolean => (itemLimit !== null && items > itemLimit) || (storageLimit !== null && bytes > storageLimit);

/** Tells once that limits are exceeded, and forgets it when they no longer are. */
export async function warn({ store }: Parts, row: QuotaRuleRow): Promise<void> {
  const { id } = row;
  const isOver = overLimit(row, row);
  if (isOver === (row.warned === 1)) return;
  const guard = isOver ? [mustWarn({ id }, changedMeanwhile('QuotaRule', id))] : [];
  const events = isOver ? [quotaEvent('quota/warning', id, ruleState(id, row, row))] : [];
  try {
    await store.commit({ changes: [...guard, setWarned({ id })], events }, systemActor);
  } catch (error) {
    // Conflict: a second instance has sent the warning, or the usage is within the limits again. The next run sees it.
    if (!isChanged(error)) throw error;
  }
}

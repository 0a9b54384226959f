import { type Piece, type WorkKind, workKind } from '../../../core/work/work-kind.ts';
import { countedConcerns } from '../counting/counted-tables.ts';
import type { QuotaParts } from '../parts.ts';
import { countToDo, findQuotaRule, rulesDue, rulesToDo } from '../quota-rules/store.ts';
import { evaluate, warn } from './evaluate.ts';
import { isExact } from './usage.ts';

/** Counts rules again that triggers could not follow or that are due, and warns of those that are exceeded. */
export function quotaKind(parts: QuotaParts): WorkKind {
  const { store, clock } = parts;
  /** Queries of this work have a share of the readers of their own. */
  const reader = store.reader('quota');
  return workKind<Piece>({
    name: 'quota',
    says: 'Evaluates quota rules and sends warnings',
    hosts: ['loop', 'edge'],
    priority: 45,
    concurrency: 1,
    wokenBy: countedConcerns,
    due: () => rulesDue,
    async claim(most, now, isHeld) {
      const ids = (await rulesToDo(store, { now, limit: most + 1 })).map(({ id }) => id).filter((id) => !isHeld(id));
      return ids.slice(0, most).map((key) => ({ key }));
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

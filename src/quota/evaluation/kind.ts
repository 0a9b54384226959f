import { type Piece, type WorkKind, workKind } from '../../work/kind.ts';
import { countedConcerns } from '../counting/counted-tables.ts';
import type { QuotaParts } from '../parts.ts';
import { countToDo, findQuotaRule, nextDueRule, rulesToDo } from '../rules/store.ts';
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
    async claim(most, now, isHeld) {
      const [first] = await nextDueRule(store, {});
      if (first?.due == null) return { pieces: [] };
      const ids = (await rulesToDo(store, { now, limit: most + 1 })).map(({ id }) => id).filter((id) => !isHeld(id));
      const next = ids.length > most ? now : Number(first.due) > now ? Number(first.due) : undefined;
      return { pieces: ids.slice(0, most).map((key) => ({ key })), next, looks: next };
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

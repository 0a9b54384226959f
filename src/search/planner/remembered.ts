import { mostLooked } from '../query/quick/store.ts';
import type { PageQuery } from './strategy.ts';

/** Numbers of hits or places that searches of single conditions met. */
const remembered = new Map<string, number>();
const mostRemembered = 1000;

/** Number that an earlier search of the same single condition met. */
export const hitsBefore = ({ plan: { single } }: Pick<PageQuery, 'plan'>): number | undefined =>
  single?.key === undefined ? undefined : remembered.get(single.key);

/** Keeps the number for later searches. A large one stays: places of the other kind are no hits, but are read. */
export function keepHits({ plan: { single } }: Pick<PageQuery, 'plan'>, hits: number | undefined): void {
  if (single?.key === undefined || hits === undefined || remembered.get(single.key)! > mostLooked) return;
  if (remembered.size >= mostRemembered) remembered.clear();
  remembered.set(single.key, hits);
}

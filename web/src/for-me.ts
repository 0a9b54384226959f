import { signal } from '@preact/signals';
import type { ItemListDocument, SearchFilterType } from 'portico/types';
import { send } from './api/client.ts';
import { onEvent } from './api/events.ts';
import { me } from './api/session.ts';
import { stateIs } from './pages/library/search.ts';
import { may } from './rights.ts';

/** Open comments. A search for all that are open would begin at those of everybody. */
const comment = (name: string, value: string): SearchFilterType => ({
  annotation: {
    field: [{ name, value: [{ value }] }],
    operator: [{ operation: 'NOT', field: [{ name: 'state', value: [{ value: 'done' }] }] }],
  },
});

/** Items that wait for the person: for a review, or with an open comment that is assigned to the person or has the name. */
export function forMe(): SearchFilterType {
  const name = me.value?.userName ?? '';
  const review = may('approval.write') && may('approval.read') ? [stateIs(['in-review'])] : [];
  return { operation: 'OR', operator: [comment('assignedTo', name), comment('text', `@${name}`), ...review] };
}

/** How many items wait. */
export const waiting = signal(0);
const restMs = 1000;
let isAwaited = false;

async function count(): Promise<void> {
  isAwaited = false;
  const answer = await send<ItemListDocument>('PUT', '/item', { filter: [forMe()] }, { query: { number: '0' } });
  waiting.value = answer.hits ?? 0;
}

const countSoon = (): void => {
  if (!isAwaited) setTimeout(() => void count().catch(() => undefined), restMs);
  isAwaited = true;
};

/** Counts now, and after each change of what may wait. */
export function countWaiting(): void {
  count().catch(() => undefined);
  onEvent(['annotation/*', 'approval/*', 'shape/*', 'item/delete'], countSoon);
}

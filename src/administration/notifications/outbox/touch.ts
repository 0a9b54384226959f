import type { Touch } from '../../../core/store/contract.ts';

/** Tells the work loop that something may be due that waits for a notification, although nothing happened. */
export const queueOf = (id: string): Touch => ({ kind: 'notification', id, aspect: 'queue' });

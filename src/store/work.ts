import type { Work } from './contract.ts';

/** Several decisions as one commit, in this order. */
export const together = (...works: readonly Work[]): Work => ({
  changes: works.flatMap(({ changes }) => changes),
  events: works.flatMap(({ events }) => events),
  touches: works.flatMap(({ touches = [] }) => touches),
});

/** Work without an effect. */
export const nothing: Work = { changes: [], events: [] };

/** Changes without an event. */
export const changing = (...changes: Work['changes']): Work => ({ changes, events: [] });

import type { CommitPlan } from './contract.ts';

/** Several decisions as one commit, in this order. */
export const together = (...works: readonly CommitPlan[]): CommitPlan => ({
  changes: works.flatMap(({ changes }) => changes),
  events: works.flatMap(({ events }) => events),
  touches: works.flatMap(({ touches = [] }) => touches),
});

/** Work without an effect. */
export const nothing: CommitPlan = { changes: [], events: [] };

/** Changes without an event. */
export const changing = (...changes: CommitPlan['changes']): CommitPlan => ({ changes, events: [] });

import type { SqlValue } from '../../../src/core/store/contract.ts';
import { numberOf } from '../roles/assets.ts';
import type { Rule } from '../roles/rule.ts';

export type Rows = NonNullable<Rule['rows']>;

/** Ids of what a caller has: an item and a collection, an item besides, and a library. */
export const one = (who: string): string => `VX-${numberOf(who)}`;
export const other = (who: string): string => `VX-${numberOf(who) + 1}`;
export const library = (who: string): string => `VX*${numberOf(who)}`;

export const change =
  (sql: string, ...args: ((who: string) => SqlValue)[]): Rows =>
  ({ service: { store } }, who) =>
    store.commit({ changes: [{ sql, args: args.map((each) => each(who)) }], events: [] }, { user: 'test' });

export const inOrder =
  (...all: readonly Rows[]): Rows =>
  async (world, who, caller) => {
    for (const each of all) await each(world, who, caller);
  };

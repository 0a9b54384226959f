import { whole } from './builders.ts';
import type { QueryOf } from './parameter.ts';

/** The part of a list that a caller asks for. No page is larger than the setting. */
export function page(maxPage: number, usual = maxPage) {
  return {
    first: whole('Index of the first entry, from 1. 0 is the same as 1', { usual: 1 }),
    number: whole(`Maximum number of entries, up to ${maxPage}`, { usual, atMost: maxPage }),
  };
}

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

export const pageOf = ({ first, number }: QueryOf<ReturnType<typeof page>>): Page => ({
  offset: Math.max(first - 1, 0),
  limit: number,
});

import { whole } from './builders.ts';
import type { QueryOf } from './parameter.ts';

/** The part of a list that a caller asks for. No page is larger than the setting. */
export function page(maxPage: number, usual = maxPage) {
  return {
    first: whole('The row to begin with, counted from 1; 0 means the first row too', { usual: 1 }),
    number: whole(`How many rows to answer, ${maxPage} at most`, { usual, atMost: maxPage }),
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

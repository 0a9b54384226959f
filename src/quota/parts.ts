import type { House } from '../room/house.ts';

export interface QuotaSettings {
  readonly maxPage: number;
}

/** What the routes and the work of this room are given. */
export type QuotaParts = House<QuotaSettings>;

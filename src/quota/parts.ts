import type { House } from '../room/house.ts';

interface QuotaSettings {
  readonly maxPageValues: number;
  readonly maxPage: number;
}

/** Parts of the routes and the work of quotas. */
export type QuotaParts = House<QuotaSettings>;

import type { RoomContext } from '../../room/context.ts';

interface QuotaSettings {
  readonly maxPageValues: number;
  readonly maxPage: number;
}

/** Parts of the routes and the work of quotas. */
export type QuotaParts = RoomContext<QuotaSettings>;

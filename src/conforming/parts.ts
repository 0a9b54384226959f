import type { AssetSettings } from '../assets/settings.ts';
import type { OrderParts } from '../jobs/contract.ts';
import type { House } from '../room/house.ts';

/** What the routes and the jobs of this room are given. */
export interface ConformParts extends House<AssetSettings> {
  readonly ordering: OrderParts;
}

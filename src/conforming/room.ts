import type { AssetSettings } from '../assets/settings.ts';
import { below } from '../http/route-group.ts';
import type { JobQuery } from '../jobs/parameters.ts';
import { defineRoom } from '../room/define-room.ts';
import type { House } from '../room/house.ts';
import { conformDocument, conformRequestDocument } from './documents.ts';
import { conformRoutes } from './routes.ts';
import { conformType } from './type.ts';

/** Puts parts of items together. */
export const conforming = defineRoom({
  name: 'conforming',
  documents: [conformDocument, conformRequestDocument],
  open(house: House<AssetSettings>) {
    const { store, clock, offices } = house;
    const ordering = {
      store,
      clock,
      // Offices are held once all rooms are open.
      jobNotification: (query: JobQuery) => offices.jobNotification(query),
      depthOf: (headers: Headers) => offices.depthOf(headers),
    };
    const parts = { ...house, ordering };
    return { routes: [below(['item', 'conform'], () => conformRoutes(parts))], jobTypes: [conformType(parts)] };
  },
});

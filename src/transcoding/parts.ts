import type { AssetSettings } from '../assets/settings.ts';
import type { CheckingSettings } from '../checking/settings.ts';
import { createVault } from '../lib/vault.ts';
import { createPublishing } from '../media/bytes/publishing/publish.ts';
import { createDestinations } from '../media/bytes/receiving/destination.ts';
import { createSpace } from '../media/bytes/receiving/space.ts';
import type { FileJobParts } from '../media/jobs/parts.ts';
import { placesOf } from '../media/places/of-house.ts';
import type { MediaSettings } from '../media/settings.ts';
import type { House } from '../room/house.ts';

export type TranscodingHouse = House<AssetSettings & MediaSettings & CheckingSettings>;

/** Parts of the routes and jobs of transcoding. */
export type TranscodingParts = FileJobParts & TranscodingHouse;

/** Parts with opened storages, for jobs that read and write files. */
export function openParts(house: TranscodingHouse): TranscodingParts {
  const { secretKey, random } = house;
  const vault = secretKey && createVault(secretKey, random);
  const places = placesOf(house);
  const parts = { ...house, places, vault };
  return {
    ...parts,
    publishing: createPublishing(parts),
    destinations: createDestinations(parts),
    space: createSpace(parts),
  };
}

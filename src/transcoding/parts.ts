import type { CheckingSettings } from '../checking/settings.ts';
import type { ItemSettings } from '../items/settings.ts';
import { createVault } from '../lib/vault.ts';
import { createPublishing } from '../media/bytes/publishing/publish.ts';
import { createDestinations } from '../media/bytes/receiving/destination.ts';
import { createSpace } from '../media/bytes/receiving/space.ts';
import type { FileJobParts } from '../media/jobs/parts.ts';
import { storageDriversOf } from '../media/places/of-context.ts';
import type { MediaSettings } from '../media/settings.ts';
import type { RoomContext } from '../room/context.ts';

export type TranscodingContext = RoomContext<ItemSettings & MediaSettings & CheckingSettings>;

/** Parts of the routes and jobs of transcoding. */
export type TranscodingParts = FileJobParts & TranscodingContext;

/** Parts with opened storages, for jobs that read and write files. */
export function openParts(context: TranscodingContext): TranscodingParts {
  const { secretKey, random } = context;
  const vault = secretKey && createVault(secretKey, random);
  const places = storageDriversOf(context);
  const parts = { ...context, places, vault };
  return {
    ...parts,
    publishing: createPublishing(parts),
    destinations: createDestinations(parts),
    space: createSpace(parts),
  };
}

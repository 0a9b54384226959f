import type { CheckingSettings } from '../checking/public.ts';
import type { ItemSettings } from '../items/public.ts';
import { createVault } from '../lib/vault.ts';
import {
  createDestinations,
  createPublishing,
  createSpace,
  type FileJobParts,
  type MediaSettings,
  storageDriversOf,
} from '../media/public.ts';
import type { RoomContext } from '../room/context.ts';

export type TranscodingContext = RoomContext<ItemSettings & MediaSettings & CheckingSettings>;

/** Parts of the routes and jobs of transcoding. */
export type TranscodingParts = FileJobParts & TranscodingContext;

/** Parts with opened storages, for jobs that read and write files. */
export function openTranscodingParts(context: TranscodingContext): TranscodingParts {
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

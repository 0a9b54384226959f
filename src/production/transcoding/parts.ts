import type { ItemSettings } from '../../assets/items/public.ts';
import { createVault } from '../../core/lib/vault.ts';
import type { RoomContext } from '../../room/context.ts';
import {
  createDestinations,
  createPublishing,
  createSpace,
  type FileJobParts,
  type StorageSettings,
  storageDriversOf,
} from '../../storage/public.ts';
import type { CheckingSettings } from '../checking/public.ts';

export type TranscodingContext = RoomContext<ItemSettings & StorageSettings & CheckingSettings>;

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

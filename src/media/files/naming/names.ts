import type { Offices } from '../../../room/house.ts';
import type { StorageDriver } from '../../../spi/index.ts';
import type { Actor } from '../../../store/contract.ts';
import type { Destinations } from '../../bytes/receiving/destination.ts';
import { isTaken } from '../refusals.ts';

export interface NamingParts {
  readonly offices: Pick<Offices, 'fileName'>;
  readonly destinations: Pick<Destinations, 'requireFree'>;
}

/** A file that the service itself has to name. */
export interface Unnamed {
  readonly storageId: string;
  readonly fileId: string;
  readonly itemId?: string | undefined;
  /** With its dot, such as `.mov`; empty where there is none. */
  readonly extension: string;
  /** Names that come before the one made of the id. */
  readonly wishes: readonly string[];
}

/**
 * The path of a file that nobody has named: as a notification of the storage wants it, or else the first of these that
 * no file has. A notification whose name is taken counts like one that does not answer.
 */
export async function inventPath(
  { offices, destinations }: NamingParts,
  { storageId, fileId, itemId, extension, wishes }: Unnamed,
  driver: StorageDriver,
  actor: Actor,
): Promise<string> {
  const asked = { storageId, fileId, username: actor.user, ...(itemId !== undefined && { itemId }) };
  const name = await offices.fileName(asked, actor);
  const paths = [...(name === undefined ? [] : [`${name}${extension}`]), ...wishes, `${fileId}${extension}`];
  for (const path of paths) if (await isFree(destinations, { storageId, path }, driver)) return path;
  // The id is in the name, so only files that somebody else named like that are in the way.
  for (let count = 1; ; count++) {
    const path = `${fileId}-${count}${extension}`;
    if (await isFree(destinations, { storageId, path }, driver)) return path;
  }
}

async function isFree(
  { requireFree }: Pick<Destinations, 'requireFree'>,
  place: { readonly storageId: string; readonly path: string },
  driver: StorageDriver,
): Promise<boolean> {
  try {
    await requireFree(place, driver);
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
}

/** What follows the last dot of a name, with that dot, as it is written. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot) : '';
}

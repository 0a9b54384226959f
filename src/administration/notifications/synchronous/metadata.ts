import { isAtLeast, levelsOn, principalsOf } from '../../../assets/access/public-reading.ts';
import { itemName } from '../../../assets/items/contract/entities.ts';
import { metadataOf, storedView } from '../../../assets/metadata/public.ts';
import { metadataDocument } from '../../../assets/metadata/public-reading.ts';
import { writeXml } from '../../../core/documents/index.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { findUser } from '../../../identity/public-reading.ts';

interface Telling {
  readonly itemId: string;
  /** Rights of the user who owns the notification. */
  readonly name: string;
  readonly namespace: string;
}

/**
 * The metadata of an item as XML, with the fields that the user of a notification may read. Undefined: the user may not
 * read the item. No entry speaks for a name that the service does not know.
 */
export async function metadataPayload(
  reader: Reader,
  { itemId, name, namespace }: Telling,
): Promise<string | undefined> {
  const userId = (await findUser(reader, { name }))?.id;
  const principals = userId === undefined ? undefined : (await principalsOf(reader, [userId])).get(userId);
  const administers = principals?.administrator === true;
  const place = { type: itemName.type, id: itemId };
  const { levelOf } = await levelsOn(reader, { administrator: administers, userId }, [place]);
  if (!isAtLeast(levelOf(place), 'READ')) return undefined;
  const asker = { userId, administers };
  const read = await metadataOf(reader, [{ kind: 'item', id: itemId }], storedView, { asker });
  return writeXml(metadataDocument, read.get(itemId) ?? {}, namespace);
}

import { isAtLeast, levelsOn, principalsFor } from '../../../assets/access/public-reading.ts';
import { itemName } from '../../../assets/items/contract/entities.ts';
import { metadataOf, storedView } from '../../../assets/metadata/public.ts';
import { metadataDocument } from '../../../assets/metadata/public-reading.ts';
import { writeXml } from '../../../core/documents/index.ts';
import type { FileName } from '../../../core/events/payloads.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import type { Log } from '../../../core/lib/log.ts';
import type { Actor } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { Store } from '../../../core/store/store.ts';
import { findUser } from '../../../identity/public-reading.ts';
import { storageEvent } from '../../../storage/public.ts';
import type { createAsk } from './ask.ts';
import { findAllSynchronous } from './store.ts';

interface FilenameParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly ask: ReturnType<typeof createAsk>;
  /** The metadata of an item as XML, as whose notification it is may read it. Undefined: it may not read the item. */
  metadataFor(itemId: string, createdBy: string): Promise<string | undefined>;
  /** Milliseconds for all of them together. */
  readonly within: number;
}

/** No dot: the extension is the service's to add. */
const valid = /^[A-Za-z0-9_-]{1,200}$/;

/**
 * Asks the notifications of a storage how a file that is about to be created is to be called. The first valid answer
 * counts; undefined: there was none, and the file gets the name that it would have had.
 */
export function createFilename({ store, clock, log, ask, metadataFor, within }: FilenameParts) {
  return async (file: FileName, actor: Actor, tell?: (sentence: string) => void): Promise<string | undefined> => {
    const end = clock.now() + within;
    const { name: asks } = storageEvent('storage/filename', file.storageId, file);
    for (const row of await findAllSynchronous(store, { event: asks, entity: file.storageId })) {
      if (row.state !== 'active') continue;
      const metadata = file.itemId === undefined ? undefined : await metadataFor(file.itemId, row.createdBy);
      const payload = metadata === undefined ? file : { ...file, metadata };
      const event = storageEvent('storage/filename', file.storageId, payload);
      const { verdict, text = '', error, status } = await ask({ row, event, actor, end });
      const name = text.trim();
      if (verdict === 'delivered' && valid.test(name)) return name;
      const failure = verdict === 'delivered' ? 'junk' : error;
      const answered = verdict === 'delivered' ? 'an answer that is no name' : [error, status ?? []].flat().join(' ');
      tell?.(`Expected the notification ${row.notificationId} to name the file ${file.fileId}: ${answered}`);
      log.write('warn', 'filename-not-given', { notification: row.notificationId, file: file.fileId, error: failure });
    }
    return undefined;
  };
}

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
  const principals = userId === undefined ? undefined : await principalsFor(reader, userId);
  const administers = principals?.administrator === true;
  const place = { type: itemName.type, id: itemId };
  const { levelOf } = await levelsOn(reader, { administrator: administers, userId }, [place]);
  if (!isAtLeast(levelOf(place), 'READ')) return undefined;
  const asker = { userId, administers };
  const read = await metadataOf(reader, [{ kind: 'item', id: itemId }], storedView, { asker });
  return writeXml(metadataDocument, read.get(itemId) ?? {}, namespace);
}

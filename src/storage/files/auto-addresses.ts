import { ServiceError } from '../../core/lib/errors.ts';
import { type Addressed, serviceOrigin } from '../../http/address.ts';
import type { RoomContext } from '../../room/context.ts';
import type { MediaUse } from '../../room/media.ts';
import type { Caller } from '../../security/caller.ts';
import { usesOfFilesHook } from '../contract.ts';
import { addressEnd, createFileLinks } from './links.ts';
import { hasAllBytes } from './rules.ts';
import type { FileRow } from './store.ts';

/** Path of the addresses by the method of type AUTO, which the service makes itself. It needs no credentials. */
export const autoPath = '/APInoauth/storage/:storage/file/:file/:key/:name';

/** The longest that such an address lasts. Its end is that of an hour, so that answers repeat addresses for caches. */
const [hour, hours] = [3_600_000, 12];

/** Addresses of files by their ids. Files without all bytes have none, and neither do those that terms of use close. */
export type AutoAddresses = (rows: readonly FileRow[]) => Promise<ReadonlyMap<string, string>>;

/** Last segment, the id of a file with the ending of its name: players go by it. */
export const autoName = ({ id, extension }: Pick<FileRow, 'id' | 'extension'>): string =>
  /^[a-z0-9]{1,16}$/.test(extension) ? `${id}.${extension}` : id;

/** For files that the caller may read. Undefined: nothing signs addresses, or nothing says the host of the service. */
export function autoAddresses(
  parts: Pick<RoomContext, 'secretKey' | 'clock' | 'hooks'>,
  caller: Caller | (Caller & Addressed),
): AutoAddresses | undefined {
  if (parts.secretKey === undefined || !('request' in caller)) return undefined;
  const { clock, hooks } = parts;
  const links = createFileLinks(parts);
  return async (given) => {
    const rows = given.filter(hasAllBytes);
    if (rows.length === 0) return new Map();
    const origin = serviceOrigin(caller);
    const now = clock.now();
    const ids = rows.map(({ id }) => id);
    const uses = await hooks.need(usesOfFilesHook)(caller, ids);
    const addressOf = async (row: FileRow, use: MediaUse): Promise<[string, string]> => {
      const expires = addressEnd(now - (now % hour), hours * 60, use);
      const key = await links.seal(row.id, { method: 'GET', expires, isAbove: use.isAbove === true });
      const segments = { storage: row.storageId, file: row.id, key, name: autoName(row) };
      const path = autoPath.replace(/:(\w+)/g, (_, name: keyof typeof segments) => encodeURIComponent(segments[name]));
      return [row.id, `${origin}${path}`];
    };
    const open = rows.flatMap((row) => {
      const use = uses.get(row.id) ?? {};
      return use instanceof ServiceError ? [] : [addressOf(row, use)];
    });
    return new Map(await Promise.all(open));
  };
}

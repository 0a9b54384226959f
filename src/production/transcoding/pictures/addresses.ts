import { serialOf } from '../../../core/lib/serial.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { systemActor } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { type Addressed, baseOf } from '../../../http/address.ts';
import { command } from '../../../http/command.ts';
import { badParameter } from '../../../http/parameters/index.ts';
import type { Reply } from '../../../http/reply.ts';
import type { RoomContext } from '../../../room/context.ts';
import type { PictureView } from '../../../room/media.ts';
import { databasePath } from '../resources/rules.ts';
import { insertFirst, thumbnailPlace } from '../store.ts';
import { type PictureRow, picturesOfAll } from './store.ts';

export const shownPicture = <K extends PictureRow['kind']>(kind: K) =>
  command<Reply>()('GET', `/${kind}/:place/:item/:time`);

/** Commands of extensions: the manifest of a stream, and the sheet of all thumbnails. */
export const streamOfItem = command<Reply>()('GET', '/item/:item/stream');
export const thumbnailSheet = command<Reply>()('GET', '/item/:item/thumbnail/spritesheet');
export const thumbnailSheetImage = command<Reply>()('GET', `${thumbnailSheet.path}/image`);

/** Times hold no character that a path must escape but colons, which clients send as they are. */
const atTime = ({ time, kind, itemId, essenceVersion }: PictureRow, place: string): string =>
  `/${kind}/${place}/${itemId};version=${essenceVersion}/${time}`;

/** Address of a picture. */
export const pictureUri = (row: PictureRow, place: string, { base, keyed }: PictureView): string =>
  `${base}${atTime(row, place)}${keyed ? `?hash=${row.key}` : ''}`;

/** Base address on the same host for pictures without credentials, identified by their hash. */
export function baseWithoutCredentials(call: Addressed): string {
  const base = baseOf(call);
  return `${base.slice(0, base.length - call.root.length)}/APInoauth`;
}

/** The addresses of the pictures of items, of their latest version that has any. */
export async function pictureUris(
  reader: Reader,
  kind: 'thumbnail' | 'poster',
  ids: readonly string[],
  view: PictureView,
  max: number,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = ids.length === 0 ? [] : await picturesOfAll(reader, { ids, kind, limit: max + 1 });
  if (rows.length > max)
    throw badParameter('number', `Expected a smaller page: its items have more than ${max} pictures`);
  if (rows.length === 0) return new Map();
  const place = await thumbnailPlace(reader);
  const urisByItem = new Map<string, string[]>();
  for (const row of rows) {
    const uris = urisByItem.get(row.itemId) ?? [];
    uris.push(pictureUri(row, place ?? 'VX-1', view));
    urisByItem.set(row.itemId, uris);
  }
  return urisByItem;
}

type Parts = Pick<RoomContext, 'store' | 'clock'>;

/** Id of the resource in addresses of pictures. The service creates one if there is none. */
export async function pictureShelf({ store, clock }: Parts): Promise<string> {
  const placeId = await thumbnailPlace(store);
  if (placeId !== undefined) return placeId;
  const id = await store.nextId('resource');
  const document = JSON.stringify({ path: [databasePath] });
  const row = { id, serial: serialOf(id), document, createdAt: clock.now() };
  await store.commit(changing(insertFirst(row)), systemActor);
  return (await thumbnailPlace(store)) ?? id;
}

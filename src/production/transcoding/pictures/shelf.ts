import { changing } from '../../../core/store/commit-plan.ts';
import { systemActor } from '../../../core/store/contract.ts';
import type { RoomContext } from '../../../room/context.ts';
import { serialOf } from '../../../storage/public-reading.ts';
import { databasePath } from '../resources/rules.ts';
import { insertFirst, thumbnailPlace } from '../resources/store.ts';

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

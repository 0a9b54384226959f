import type { RoomContext } from '../room/context.ts';
import type { OpenRoom, Room } from '../room/define-room.ts';
import type { rooms } from '../rooms.ts';
import type { Settings } from './settings.ts';

type OfferOf<R> = R extends { open(context: never): { readonly offers: infer O } } ? O : never;

/** Interfaces of rooms for commands and tests, by name. */
export type Offers = {
  readonly [R in (typeof rooms)[number] as OfferOf<R> extends never ? never : R['name']]: OfferOf<R>;
};

/** Opens each room with the shared context, in the order of the list. */
export function openRooms(list: readonly Room[], context: RoomContext<Settings>) {
  const open = new Map<string, OpenRoom>();
  for (const room of list) if (room.open) open.set(room.name, room.open(context as RoomContext<never>));
  const offers = Object.fromEntries([...open].flatMap(([name, { offers: given }]) => (given ? [[name, given]] : [])));
  return { open, offers: offers as Offers };
}

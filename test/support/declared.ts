import { rooms } from '../../src/composition/rooms.ts';
import {
  createTriggers,
  emitterOf,
  type Happening as Made,
  type PayloadOf,
} from '../../src/core/events/event-kinds.ts';
import { mergeDocuments, mergeFields, mergeRoles, mergeRooms } from '../../src/room/merge-rooms.ts';

/** The events of all rooms, typed: a test may make any of them. */
export const events = mergeRooms(rooms, 'events');

export type EventName = keyof typeof events;
export type EventCatalogue = { readonly [N in EventName]: PayloadOf<(typeof events)[N]> };
export type TriggerEvent = {
  [N in EventName]: (typeof events)[N] extends { readonly trigger: unknown } ? N : never;
}[EventName];

export type Happening = Made;
export const happened = emitterOf(events);
export const triggers = createTriggers(events);
export const triggerEvents = triggers.names as readonly TriggerEvent[];

/** Payload of every event that can fire a notification. */
export const samples = Object.fromEntries(triggerEvents.map((name) => [name, events[name].sample])) as {
  readonly [N in TriggerEvent]: EventCatalogue[N];
};
export const sampleTime = Date.UTC(2024, 2, 5, 10, 30, 42, 376);

/** Every document of all rooms, one per root element. */
export const catalogue = mergeDocuments(rooms);

/** Roles and metadata fields of all rooms, which initialisation creates. */
export const releaseRoles = mergeRoles(rooms);
export const releaseFields = mergeFields(rooms);

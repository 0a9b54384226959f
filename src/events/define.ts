import type { MetadataChange, Pairs } from './payloads.ts';

/** Where notifications are registered: `/item/notification`. */
export type Resource =
  | '/item'
  | '/collection'
  | '/group'
  | '/job'
  | '/storage'
  | '/storage/file'
  | '/quota'
  | '/document'
  | '/deletion-lock'
  | '/notification';

/** The properties of a payload that hold this. */
type Holding<P, T> = { [K in keyof P]-?: NonNullable<P[K]> extends T ? K : never }[keyof P] & string;

type Simple = string | number | readonly string[];

/** One thing that a body tells: a property of the payload under its own name, or one of the others. */
type OutputBy<Text extends string, Time extends string, Paired extends string, Changed extends string> =
  | Text
  | { readonly key: string; readonly of: Text }
  | { readonly key: string; readonly time: Time }
  /** The name of the acting user. */
  | { readonly key: string; readonly actor: true }
  /** Each pair is a key. */
  | { readonly pairs: Paired }
  /** Each changed field is a key. */
  | { readonly changes: Changed };

export type Output = OutputBy<string, string, string, string>;
export type OutputOf<P> = OutputBy<
  Holding<P, Simple>,
  Holding<P, number>,
  Holding<P, Pairs>,
  Holding<P, readonly MetadataChange[]>
>;

/** What a receiver is told of an event. The name of the event is the path of its element in a NotificationDocument. */
export interface Trigger<O = Output> {
  readonly resource: Resource;
  /** Keys whose value is always the same. */
  readonly says: Readonly<Record<string, string>>;
  /** What else is told, in this order. */
  readonly tells: readonly O[];
  /** The version of the API that brought it, where that was not the first. */
  readonly since?: string;
  /** It is told of when it has happened, so that a synchronous notification cannot refuse it. */
  readonly fact?: true;
}

/** The store takes payloads as records. An interface is none: payloads are aliases. */
type Payload = Readonly<Record<string, unknown>>;

/** One row of a room's events. `P` is what is said about the event; the user who caused it is kept beside each event. */
export interface EventKind<P extends Payload = Payload> {
  /** Only a type: no row has it. */
  readonly payload?: P;
  /** Events without one fire no notification. */
  readonly trigger?: Trigger;
  /** One payload with all that it may hold, to try a notification with. Each event with a trigger has one. */
  readonly sample?: P;
}

/** By name: `group/create`. */
export type EventTable = Readonly<Record<string, EventKind>>;

export type PayloadOf<K> = K extends EventKind<infer P> ? P : never;

/** An event that fires no notification. */
export const event = <P extends Payload>(): EventKind<P> => ({});

/** An event that can fire notifications. */
export const firing = <P extends Payload>(trigger: Trigger<OutputOf<P>>, sample: P) =>
  ({ trigger: trigger as Trigger, sample }) as EventKind<P> & { readonly trigger: Trigger; readonly sample: P };

/** Words that the bodies of a kind of trigger say. */
export const action = (value: string) => ({ action: value });
export const about = (notificationType: string, notificationTrigger: string) => ({
  notificationType,
  notificationTrigger,
});

/** One event as a value: rules return it, the commit stores it. */
export interface Happening<N extends string = string, P extends Payload = Payload> {
  readonly name: N;
  readonly entityType: string;
  readonly entityId: string;
  readonly payload: P;
}

/**
 * Makes the events of a room. The entity is the one whose notifications may fire: the item, for changes of its
 * metadata, its shapes and its access. Where no trigger says, its type is the first word of the name.
 */
export const emitterOf =
  <T extends EventTable>(table: T) =>
  <N extends keyof T & string>(name: N, entityId: string, payload: PayloadOf<T[N]>): Happening<N, PayloadOf<T[N]>> => ({
    name,
    entityType: entityTypeOf(name, table[name]!),
    entityId,
    payload,
  });

const entityTypeOf = (name: string, { trigger }: EventKind): string =>
  trigger ? trigger.resource.slice(trigger.resource.lastIndexOf('/') + 1) : name.slice(0, name.indexOf('/'));

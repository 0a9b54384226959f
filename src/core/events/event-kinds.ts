import type { Ends } from '../lib/ends.ts';
import type { MetadataChange, Pairs } from './payloads.ts';

/** Resource at which notifications are registered, such as `/item/notification`. */
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
  | '/session'
  | '/share'
  | '/notification';

/** The properties of a payload that hold this. */
type Holding<P, T> = { [K in keyof P]-?: NonNullable<P[K]> extends T ? K : never }[keyof P] & string;

type Simple = string | number | readonly string[];

/** Output of a body: a property of the payload under its own name, or a derived value. */
type OutputBy<Text extends string, Time extends string, Paired extends string, Changed extends string> =
  | Text
  | { readonly key: string; readonly of: Text }
  | { readonly key: string; readonly time: Time }
  /** Name of the acting user. */
  | { readonly key: string; readonly actor: true }
  /** Pairs, each of which becomes a key. */
  | { readonly pairs: Paired }
  /** Changed fields, each of which becomes a key. */
  | { readonly changes: Changed };

export type EventOutput = OutputBy<string, string, string, string>;
type OutputOf<P> = OutputBy<
  Holding<P, Simple>,
  Holding<P, number>,
  Holding<P, Pairs>,
  Holding<P, readonly MetadataChange[]>
>;

/** Output of an event for receivers. The name of the event is the path of its element in a NotificationDocument. */
export interface Trigger<O = EventOutput> {
  readonly resource: Resource;
  /** Keys with constant values. */
  readonly says: Readonly<Record<string, string>>;
  /** Further outputs, in this order. */
  readonly tells: readonly O[];
  /** Version of the API that introduced it, if not the first. */
  readonly since?: string;
  /** Set if the event ends: `instead` names another. */
  readonly ends?: Ends;
  /** Set if the event is sent after the fact, so that a synchronous notification cannot refuse it. */
  readonly fact?: true;
}

/** Payload as a record, which the store requires. Payloads are type aliases, because interfaces are no records. */
type Payload = Readonly<Record<string, unknown>>;

/** Kind of event in a room. `P`: its payload. The user who caused the event is stored separately. */
export interface EventKind<P extends Payload = Payload> {
  /** Type only: no row has it. */
  readonly payload?: P;
  /** Trigger for notifications. Events without one fire none. */
  readonly trigger?: Trigger;
  /** Sample payload with all properties, for trials. Required for events with a trigger. */
  readonly sample?: P;
}

/** Kinds of events by name, such as `group/create`. */
export type EventTable = Readonly<Record<string, EventKind>>;

export type PayloadOf<K> = K extends EventKind<infer P> ? P : never;

/** Kind of event that fires no notification. */
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

/** Event as a value: rules return it, the commit stores it. */
export interface Happening<N extends string = string, P extends Payload = Payload> {
  readonly name: N;
  readonly entityType: string;
  readonly entityId: string;
  readonly payload: P;
}

/**
 * Creates the events of a room. The entity is the one whose notifications may fire: the item, for changes of its
 * metadata, its shapes and its access. Without a trigger, its type is the first word of the name.
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

/** The events of all rooms that can fire notifications. The trigger language and the bodies are made from them. */
export interface Triggers {
  /** Names in the order of the rooms. */
  readonly names: readonly string[];
  has(name: string): boolean;
  of(name: string): Trigger;
  sampleOf(name: string): Readonly<Record<string, unknown>>;
  /** Whether the event is sent after the fact: no receiver can veto it. */
  isFact(name: string): boolean;
}

export function createTriggers(table: EventTable): Triggers {
  const firing = new Map<string, { trigger: Trigger; sample: Readonly<Record<string, unknown>> }>();
  for (const [name, { trigger, sample }] of Object.entries(table)) {
    if (!trigger) continue;
    if (!sample) throw new Error(`Expected a sample of the event ${name}, which has a trigger`);
    firing.set(name, { trigger, sample });
  }
  return {
    names: [...firing.keys()],
    has: (name) => firing.has(name),
    of: (name) => firing.get(name)!.trigger,
    sampleOf: (name) => firing.get(name)!.sample,
    isFact: (name) => firing.get(name)?.trigger.fact === true,
  };
}

import type { EventTable, Trigger } from './define.ts';

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

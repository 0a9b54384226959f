import { type EventCatalogue, type EventName, happened } from '../../src/events/catalogue.ts';
import { sampleTime } from '../../src/events/samples.ts';
import type { StoredEvent } from '../../src/events/stored.ts';

export { samples } from '../../src/events/samples.ts';

/** The event as the database gives it back. */
export function stored<N extends EventName>(name: N, payload: EventCatalogue[N], entityId = 'VX-1'): StoredEvent<N> {
  return { ...happened(name, entityId, payload), sequence: 17, user: 'carol', runAs: undefined, at: sampleTime };
}

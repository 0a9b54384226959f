import type { StoredEvent } from '../../../src/administration/notifications/body.ts';
import { type EventCatalogue, type EventName, happened, sampleTime } from '../../support/declared.ts';

export { samples } from '../../support/declared.ts';

/** The event as the database gives it back. */
export function stored<N extends EventName>(name: N, payload: EventCatalogue[N], entityId = 'VX-1'): StoredEvent {
  return { ...happened(name, entityId, payload), sequence: 17, user: 'carol', runAs: undefined, at: sampleTime };
}

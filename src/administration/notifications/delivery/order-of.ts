import type { Triggers } from '../../../core/events/event-kinds.ts';
import { actionOf } from '../action.ts';
import type { ActionOrder } from '../actions/order.ts';
import { bodyOf } from '../body/body.ts';
import { type BodyEvent, fieldsOf } from '../body/fields.ts';
import type { Opened } from './open.ts';

type Identity = Pick<ActionOrder, 'notificationId' | 'id' | 'number' | 'depth' | 'cause' | 'within' | 'trial'>;

/** Conversion of events to bodies: triggers, and the XML namespace. */
export interface Telling {
  readonly triggers: Triggers;
  readonly namespace: string;
}

/** Order for an event, in the format of the notification. */
export function deliveryOrder(
  event: BodyEvent,
  { sent, keys }: Opened,
  identity: Identity,
  telling: Telling,
): ActionOrder {
  const fields = fieldsOf(telling.triggers, event, sent, identity.number - 1);
  return {
    ...identity,
    sent,
    keys,
    event: event.name,
    fields,
    ...bodyOf(actionOf(sent).contentType, fields, telling.namespace),
  };
}

import type { Triggers } from '../../events/triggers.ts';
import { actionOf } from '../action.ts';
import type { Order } from '../actions/order.ts';
import { bodyOf } from '../body/body.ts';
import { type BodyEvent, fieldsOf } from '../body/fields.ts';
import type { Opened } from './open.ts';

type Identity = Pick<Order, 'notificationId' | 'id' | 'number' | 'depth' | 'cause' | 'within' | 'trial'>;

/** How events become bodies: what is told of each, and the namespace of what is told in XML. */
export interface Telling {
  readonly triggers: Triggers;
  readonly namespace: string;
}

/** What a notification tells of an event, in the form that it asks for. */
export function orderOf(event: BodyEvent, { sent, keys }: Opened, identity: Identity, telling: Telling): Order {
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

import type { StoredEvent } from '../../events/stored.ts';
import { actionOf } from '../action.ts';
import type { Order } from '../actions/order.ts';
import { bodyOf } from '../body/body.ts';
import { fieldsOf } from '../body/fields.ts';
import type { Opened } from './open.ts';

type Told = Pick<StoredEvent, 'name' | 'payload' | 'user'>;
type Identity = Pick<Order, 'notificationId' | 'id' | 'number' | 'depth' | 'cause' | 'within'>;

/** What a notification tells of an event, in the form that it asks for. */
export function orderOf(event: Told, { sent, keys }: Opened, identity: Identity, namespace: string): Order {
  const fields = fieldsOf(event, sent, identity.number - 1);
  return {
    ...identity,
    sent,
    keys,
    event: event.name,
    fields,
    ...bodyOf(actionOf(sent).contentType, fields, namespace),
  };
}

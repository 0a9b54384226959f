import type { NotificationAction } from '../documents/notification.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { ActionOrder, DeliveryResult } from './order.ts';

type Smtp = NonNullable<NotificationAction['smtp']>;

/** Sends an event as a text, in the form that the action asks for. */
export function mailEvent(
  mailer: Mailer,
  { id, event, fields, body, trial = false }: ActionOrder,
  { to, subject, url }: Smtp,
  signal: AbortSignal,
): Promise<DeliveryResult> {
  const letter = { id, to, subject: subject ?? subjectOf(event, fields, trial), text: body };
  return mailer.send(letter, signal, url);
}

/** The event, and the ids that it tells of. */
function subjectOf(event: string, fields: ActionOrder['fields'], trial: boolean): string {
  const ids = fields.flatMap(([key, value]) => (/Id$/.test(key) ? [value] : []));
  return [...(trial ? ['Test:'] : []), event, ...ids].join(' ');
}

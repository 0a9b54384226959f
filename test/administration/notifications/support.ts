import {
  type PlaceholderNotification,
  placeholderNotificationDocument,
} from '../../../src/administration/notifications/documents/notification.ts';
import { compileFilter, matches } from '../../../src/administration/notifications/trigger/filter.ts';
import { selectorsOfEvent, subscriptionsOf } from '../../../src/administration/notifications/trigger/subscriptions.ts';
import { readXml } from '../../../src/core/documents/index.ts';
import { type Happening, type TriggerEvent, triggers } from '../../support/declared.ts';

const http = '<http><url>http://hooks.example/</url></http>';

/** A notification as a caller sends it. No trigger: `''`. */
export function notification(trigger: string, action = http): PlaceholderNotification {
  const inside = trigger === '' ? '' : `<trigger>${trigger}</trigger>`;
  const xml = `<NotificationDocument xmlns="urn:x"><action>${action}</action>${inside}</NotificationDocument>`;
  return readXml(placeholderNotificationDocument, xml);
}

/** The elements that name an event, each around the next. */
export const elementsOf = (name: TriggerEvent): string =>
  name.split('/').reduceRight((inside, element) => `<${element}>${inside}</${element}>`, '');

/** Whether it fires, looked for as the index does and asked as the engine does. */
export function fires(sent: PlaceholderNotification, event: Happening, id?: string): boolean {
  const asked = new Set(selectorsOfEvent(event));
  return subscriptionsOf(triggers, sent, id)
    .filter(({ event: name, selectors }) => name === event.name && selectors.some((each) => asked.has(each)))
    .some(({ filter }) => matches(filter && compileFilter(filter), event));
}

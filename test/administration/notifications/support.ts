import type { StoredEvent } from '../../../src/administration/notifications/body.ts';
import {
  type PlaceholderNotification,
  placeholderNotificationDocument,
} from '../../../src/administration/notifications/documents/notification.ts';
import { compileFilter, matches } from '../../../src/administration/notifications/trigger/filter.ts';
import { selectorsOfEvent, subscriptionsOf } from '../../../src/administration/notifications/trigger/subscriptions.ts';
import { builtInSecurity } from '../../../src/composition/service.ts';
import { readXml } from '../../../src/core/documents/index.ts';
import type { SecurityInput } from '../../../src/security/ini/security-parts.ts';
import type { NotificationAction } from '../../../src/spi/index.ts';
import {
  type EventCatalogue,
  type EventName,
  type Happening,
  happened,
  sampleTime,
  type TriggerEvent,
  triggers,
} from '../../support/declared.ts';
import type { Sent, World } from '../../support/matrix.ts';
import { admin } from '../../support/service.ts';

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

const hook = { url: 'http://hooks.example/in', contentType: 'application/json' };

/** A document as clients send it: JSON, events as empty texts. */
export function notificationDocument(trigger: object | undefined, http: object = {}): object {
  const action = { http: { ...hook, ...http } };
  return trigger === undefined ? { action } : { action, trigger };
}

export const onCreate = { group: { create: '' } };
export const onModify = { group: { modify: '' } };

/** Registers one, which gets the next id: VX-1, VX-2. */
export function newNotification(trigger: object | undefined, http: object = {}, path = '/group'): Sent {
  return {
    as: admin,
    request: `POST /API${path}/notification`,
    body: notificationDocument(trigger, http),
  };
}

/** Rows of the outbox, as `notification event entity`, in the order of each notification. */
export async function waiting(world: Pick<World, 'service'>): Promise<string[]> {
  const rows = await world.service.store.read(
    `SELECT notification_id, name, entity_id FROM outbox JOIN event USING (sequence) ORDER BY sequence, notification_id`,
  );
  return rows.map((row) => row.join(' '));
}

/** The same of what was given up, with the reason. */
export async function parkedRows(world: Pick<World, 'service'>): Promise<string[]> {
  const rows = await world.service.store.read(
    `SELECT notification_id, name, entity_id, reason FROM parked JOIN event USING (sequence) ORDER BY sequence, notification_id`,
  );
  return rows.map((row) => row.join(' '));
}

/** Lanes that somebody would look at. */
export async function readyLanes(world: Pick<World, 'service'>): Promise<string[]> {
  const rows = await world.service.store.read('SELECT name FROM lane WHERE ready IS NOT NULL ORDER BY name');
  return rows.map(([name]) => String(name));
}

const delivering: NotificationAction = { perform: () => ({ answer: 'delivered' }) };

/** The usual configuration, with a plugin that brings actions under these class names. */
export function withBeans(actions: Readonly<Record<string, NotificationAction>>): SecurityInput {
  const components = Object.entries(actions).map(([name, action]) => [
    name,
    { says: 'For tests.', create: () => action },
  ]);
  return {
    ...builtInSecurity,
    plugins: [{ name: 'test-actions', version: '1', contract: 1, actions: Object.fromEntries(components) }],
  };
}

/** The same with beans that deliver to nobody. */
export const withBean = (...names: readonly string[]): SecurityInput =>
  withBeans(Object.fromEntries(names.map((name) => [name, delivering])));

export { samples } from '../../support/declared.ts';

/** The event as the database gives it back. */
export function stored<N extends EventName>(name: N, payload: EventCatalogue[N], entityId = 'VX-1'): StoredEvent {
  return { ...happened(name, entityId, payload), sequence: 17, user: 'carol', runAs: undefined, at: sampleTime };
}

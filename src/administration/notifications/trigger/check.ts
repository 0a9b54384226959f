import { badValue } from '../../../core/documents/error.ts';
import type { Structure } from '../../../core/documents/index.ts';
import type { Resource, Triggers } from '../../../core/events/event-kinds.ts';
import { isRecord } from '../../../core/lib/checks.ts';
import type { PlaceholderNotification } from '../documents/notification.ts';
import { type NotificationTrigger, notificationTrigger, triggerKinds } from '../documents/notification-trigger.ts';
import { type CompiledFilterSource, compileFilter } from './filter.ts';
import { eventsOf, subscriptionsOf } from './subscriptions.ts';

/** Resource of a notification. `/notification` has placeholders, and notifications about notifications. */
export type NotificationResource = Resource;

const root = '/NotificationDocument/trigger';

/** Limit for the values of one parameter, since each is a row of an index. */
const maxNames = 100;
const maxNameLength = 255;

/** Refuses triggers of another resource, triggers that can never fire, and invalid parameters. */
export function checkTrigger(
  triggers: Triggers,
  notification: PlaceholderNotification,
  resource: NotificationResource,
): void {
  const { trigger } = notification;
  if (trigger === undefined && resource === '/notification') return;
  checkResource(triggers, trigger ?? {}, resource);
  checkEvents(triggers, trigger ?? {}, resource);
  if (trigger?.job?.filter?.jobdata?.key === '') throw badValue(`${root}/job/filter/jobdata/key`, 'a key', '');
  // The check does not depend on the placeholder's id.
  for (const { filter } of subscriptionsOf(triggers, notification, 'any')) {
    if (filter === undefined) continue;
    checkNames(filter);
    compileFilter(filter);
  }
}

const homesOf = (resource: Resource): readonly Resource[] =>
  resource === '/notification' ? ['/job', '/notification'] : [resource];
const pathOf = (resource: NotificationResource): string =>
  resource === '/notification' ? resource : `${resource}/notification`;
const eventsAt = (triggers: Triggers, resource: Resource) =>
  triggers.names.filter((event) => homesOf(resource).includes(triggers.of(event).resource));
const kindOf = (path: string): string => path.slice(0, path.indexOf('/'));
const oneOf = (names: readonly string[]): string =>
  `${names.length === 1 ? '' : 'one of '}${names.map((name) => `"${name}"`).join(', ')}`;

function checkResource(triggers: Triggers, trigger: NotificationTrigger, resource: NotificationResource): void {
  const kind = triggerKinds.find((each) => trigger[each] !== undefined);
  const kinds = [...new Set(eventsAt(triggers, resource).map(kindOf))];
  if (kind === undefined || !kinds.includes(kind)) {
    const other = triggers.names.find((event) => kindOf(event) === kind);
    const hint = other === undefined ? '' : `, or this one at ${pathOf(triggers.of(other).resource)}`;
    throw badValue(root, `${oneOf(kinds)} at ${pathOf(resource)}${hint}`, kind);
  }
  if (resource === '/notification' && trigger.job !== undefined && trigger.job.placeholder !== true) {
    const expected = '"true": what is created here fires only for jobs that are started with its id';
    throw badValue(`${root}/job/placeholder`, expected, trigger.job.placeholder?.toString());
  }
}

/** The document has names for what this service has no event for: kept in silence, they would never be sent. */
function checkEvents(triggers: Triggers, trigger: NotificationTrigger, resource: NotificationResource): void {
  const silent = silentEvents(triggers, trigger, notificationTrigger)[0];
  if (silent === undefined && eventsOf(triggers, trigger).length > 0) return;
  const place = silent === undefined ? root : `${root}/${silent}`;
  throw badValue(place, `an event that can happen, ${oneOf(eventsAt(triggers, resource))}`, silent);
}

function silentEvents(triggers: Triggers, value: object, { fields }: Structure, above = ''): readonly string[] {
  return Object.entries(value).flatMap(([key, inside]) => {
    const type = fields[key]?.data.type;
    const path = `${above}${key}`;
    if (type === undefined || inside === undefined || triggers.has(path)) return [];
    if (type.kind === 'marker') return [path];
    return type.kind === 'structure' && isRecord(inside) ? silentEvents(triggers, inside, type, `${path}/`) : [];
  });
}

function checkNames(filter: CompiledFilterSource): void {
  for (const [parameter, names] of Object.entries(namesOf(filter))) {
    const place = `${root}/${filter.of}/${parameter}`;
    if (names.length > maxNames) throw badValue(place, `at most ${maxNames} names`, String(names.length));
    const long = names.find((name) => name.length > maxNameLength);
    if (long !== undefined) throw badValue(place, `names of at most ${maxNameLength} characters`, long);
  }
}

function namesOf(filter: CompiledFilterSource): Readonly<Record<string, readonly string[]>> {
  if (filter.of === 'job') return { 'filter/type': filter.types };
  if (filter.of === 'file') return { storage: [filter.storage] };
  const { field, language, track, interval } = filter;
  return { field, language, track, interval };
}

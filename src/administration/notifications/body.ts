import { badValue } from '../../core/documents/error.ts';
import { simpleMetadataDocument, writeJson, writeXml } from '../../core/documents/index.ts';
import type { EventOutput, Happening, Trigger, Triggers } from '../../core/events/event-kinds.ts';
import type { MetadataChange, Pairs } from '../../core/events/payloads.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { groupBy } from '../../core/lib/group-by.ts';
import { nearest } from '../../core/lib/messages.ts';
import { binaryParameter, type CloudMode, structuredType } from './cloud-event.ts';
import { actionOf, type PlaceholderNotification } from './documents/notification.ts';
import type { contentFilterValues } from './documents/notification-trigger.ts';

type ContentFilter = (typeof contentFilterValues)[number];

/** The keys that each value keeps of a job. Two keep data of the job, too, whatever its keys. */
const keysOfFilter: Readonly<Record<ContentFilter, readonly string[]>> = {
  jobId: ['jobId'],
  jobState: ['status'],
  user: ['user', 'username'],
  startTime: ['started'],
  jobType: ['type'],
  jobData: [],
  errorMessage: [],
  itemId: ['itemId', 'item'],
  totalSteps: ['totalSteps'],
  currentStep: ['currentStepNumber', 'currentStepStatus'],
};

/** Whether a key stays in the output. For variable keys, `from` is their property. */
type Keeper = (key: string, from?: string) => boolean;

/** No filters keep everything. What a caller wants to be told again is no part of the job, and stays. */
function keeperOf(filters: readonly ContentFilter[] = []): Keeper {
  if (filters.length === 0) return () => true;
  const keys = new Set(filters.flatMap((filter) => keysOfFilter[filter]));
  const data = filters.includes('jobData');
  const messages = filters.includes('errorMessage');
  return (key, from) =>
    keys.has(key) ||
    from === 'notificationData' ||
    (from === 'data' && (data || (messages && key.startsWith('errorMessage'))));
}

export type BodyField = readonly [key: string, value: string];

type BodyEvent = Pick<StoredEvent, 'name' | 'payload' | 'user' | 'runAs'>;

/** An event with its place and time, which some forms of a body say. */
export type DeliveredEvent = BodyEvent & Pick<StoredEvent, 'entityType' | 'entityId' | 'at'>;

/**
 * Fields of an event for a notification, by the row of its trigger. `attempt` counts deliveries from 0. Several values
 * of a key are several entries; a key without a value is left out.
 */
export function fieldsOf(
  triggers: Triggers,
  event: BodyEvent,
  notification: PlaceholderNotification,
  attempt: number,
): readonly BodyField[] {
  const { name } = event;
  if (!triggers.has(name))
    throw new ServiceError('internal', { explanation: `Expected an event that fires: "${name}"` });
  const trigger = triggers.of(name);
  const { says, tells } = trigger;
  const keeps = keeperOf(notification.trigger?.job?.contentFilters?.contentFilter);
  const fields: BodyField[] = Object.entries(says);
  for (const output of tells) {
    const from = originOf(output);
    for (const field of entriesOf(output, event)) {
      const [key] = field;
      // The user who starts a job chooses keys: none of them may replace a key of the service itself.
      if (from !== undefined && reservedIn(trigger).has(key)) continue;
      if (keeps(key, from)) fields.push(field);
    }
  }
  fields.push(['sequenceNumber', String(attempt)]);
  const { extradata } = actionOf(notification);
  if (extradata !== undefined) fields.push(['extradata', extradata]);
  return fields;
}

/** The property whose content decides the keys, where it does. */
function originOf(output: EventOutput): string | undefined {
  if (typeof output === 'string' || 'key' in output) return undefined;
  return 'pairs' in output ? output.pairs : output.changes;
}

function entriesOf(output: EventOutput, event: BodyEvent): readonly BodyField[] {
  const payload = event.payload as Readonly<Record<string, unknown>>;
  if (typeof output === 'string') return named(output, payload[output]);
  if ('of' in output) return named(output.key, payload[output.of]);
  if ('time' in output) return named(output.key, timeOf(payload[output.time] as number | undefined));
  if ('actor' in output) return named(output.key, actorName(event));
  if ('pairs' in output) return (payload[output.pairs] ?? []) as Pairs;
  const changes = payload[output.changes] as readonly MetadataChange[];
  return changes.flatMap(({ field, values }) => named(field, values));
}

function named(key: string, value: unknown): readonly BodyField[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value.map((each) => [key, String(each)]) : [[key, String(value)]];
}

/** UTC with milliseconds, in every form of the body. */
const timeOf = (time: number | undefined): string | undefined =>
  time === undefined ? undefined : new Date(time).toISOString();

/** The keys that mean one thing in every notification of an event. */
const reserved = new WeakMap<Trigger, ReadonlySet<string>>();

function reservedIn(trigger: Trigger): ReadonlySet<string> {
  let keys = reserved.get(trigger);
  if (!keys) {
    const fixed = trigger.tells.flatMap((output) => {
      if (typeof output === 'string') return [output];
      return 'key' in output ? [output.key] : [];
    });
    keys = new Set([...Object.keys(trigger.says), ...fixed, 'sequenceNumber', 'extradata']);
    reserved.set(trigger, keys);
  }
  return keys;
}

/** An event as it is read back. */
export interface StoredEvent extends Happening {
  readonly sequence: number;
  /** User whose credentials the request had. */
  readonly user: string;
  /** User that the caller acted for. Required, so that no reader forgets it and names the wrong user. */
  readonly runAs: string | undefined;
  readonly at: number;
}

/** Public author of an event: the user whose rights counted, and not the application that acted for them. */
export const actorName = ({ user, runAs }: Pick<StoredEvent, 'user' | 'runAs'>): string => runAs ?? user;

type NotificationForm = 'json' | 'xml' | 'text';

const forms: ReadonlyMap<string, NotificationForm> = new Map([
  ['application/json', 'json'],
  ['application/xml', 'xml'],
  ['text/plain', 'text'],
  [structuredType, 'json'],
]);

/** Refuses a content type that this service does not support, when the notification is created. */
export function checkContentType(notification: PlaceholderNotification): void {
  const { kind, contentType } = actionOf(notification);
  const place = `/NotificationDocument/action/${kind}/contentType`;
  const type = contentTypeOf(contentType);
  formOf(type, place);
  if (kind === 'http' || modeOf(type) !== 'binary') return;
  throw badValue(place, `"${structuredType}" for events of an action without headers`, type);
}

/** Body format of a content type, checked since it becomes a header. The only parameter is the charset UTF-8. */
function formOf(contentType: string, place = 'contentType'): NotificationForm {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  const form = forms.get(type);
  const sound = !/[\0-\x1f\x7f]/.test(contentType) && parameters.every((each) => mayBe(each, type));
  if (form !== undefined && sound) return form;
  const near = form === undefined ? nearest(type, forms.keys()) : undefined;
  const hint = near === undefined ? '' : `, nearest is "${near}"`;
  const expected = `"application/json", "application/xml", "text/plain" or "${structuredType}", in UTF-8`;
  throw badValue(place, `${expected}${hint}`, contentType);
}

const mayBe = (parameter: string, type: string): boolean =>
  /^(?:charset="?utf-8"?)?$/.test(parameter) || (parameter === binaryParameter && type !== structuredType);

/** The mode in which an action asks for CloudEvents. */
function modeOf(contentType: string): CloudMode | undefined {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  if (type === structuredType) return 'structured';
  return parameters.includes(binaryParameter) ? 'binary' : undefined;
}

/** Content type of the action, by which receivers choose their parser. Default: text. */
const contentTypeOf = (contentType: string | undefined): string => contentType?.trim() || 'text/plain; charset=utf-8';

interface Body {
  readonly contentType: string;
  readonly body: string;
  /** Set where the body is to become a CloudEvent. */
  readonly mode?: CloudMode | undefined;
}

/** The fields in the form that the action asks for; without one, as text. */
export function bodyOf(contentType: string | undefined, fields: readonly BodyField[], namespace: string): Body {
  const type = contentTypeOf(contentType);
  const mode = modeOf(type);
  const sent = mode === 'binary' ? type.replace(/\s*;\s*cloudevents=binary/i, '') : type;
  return { contentType: sent, body: writers[formOf(type)](fields, namespace), ...(mode && { mode }) };
}

const writers: Readonly<Record<NotificationForm, (fields: readonly BodyField[], namespace: string) => string>> = {
  json: (fields) => writeJson(simpleMetadataDocument, documentOf(fields)),
  xml: (fields, namespace) => writeXml(simpleMetadataDocument, documentOf(fields), namespace),
  text: textOf,
};

const documentOf = (fields: readonly BodyField[]) => ({
  field: fields.map(([key, value]) => ({ key, value: { value } })),
});

/** `{itemId=[VX-1], shapeTag=[a, b]}`: for people and scripts that search it. It cannot be read back with certainty. */
function textOf(fields: readonly BodyField[]): string {
  const keys = groupBy(fields, ([key]) => key);
  return `{${[...keys].map(([key, all]) => `${key}=[${all.map(([, value]) => value).join(', ')}]`).join(', ')}}`;
}

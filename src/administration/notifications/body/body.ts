import { badValue } from '../../../core/documents/error.ts';
import { simpleMetadataDocument, writeJson, writeXml } from '../../../core/documents/index.ts';
import { groupBy } from '../../../core/lib/group-by.ts';
import { nearest } from '../../../core/lib/messages.ts';
import { actionOf } from '../action.ts';
import type { PlaceholderNotification } from '../documents/notification.ts';
import type { BodyField } from './fields.ts';

type NotificationForm = 'json' | 'xml' | 'text';

const forms: ReadonlyMap<string, NotificationForm> = new Map([
  ['application/json', 'json'],
  ['application/xml', 'xml'],
  ['text/plain', 'text'],
]);

/** Refuses a content type that this service does not support, when the notification is created. */
export function checkContentType(notification: PlaceholderNotification): void {
  const { kind, contentType } = actionOf(notification);
  formOf(contentTypeOf(contentType), `/NotificationDocument/action/${kind}/contentType`);
}

/** Body format of a content type, checked since it becomes a header. The only parameter is the charset UTF-8. */
function formOf(contentType: string, place = 'contentType'): NotificationForm {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  const form = forms.get(type);
  const sound = !/[\0-\x1f\x7f]/.test(contentType) && parameters.every((each) => /^(?:charset="?utf-8"?)?$/.test(each));
  if (form !== undefined && sound) return form;
  const near = form === undefined ? nearest(type, forms.keys()) : undefined;
  const hint = near === undefined ? '' : `, nearest is "${near}"`;
  throw badValue(place, `"application/json", "application/xml" or "text/plain", in UTF-8${hint}`, contentType);
}

/** Content type of the action, by which receivers choose their parser. Default: text. */
const contentTypeOf = (contentType: string | undefined): string => contentType?.trim() || 'text/plain; charset=utf-8';

interface Body {
  readonly contentType: string;
  readonly body: string;
}

/** The fields in the form that the action asks for; without one, as text. */
export function bodyOf(contentType: string | undefined, fields: readonly BodyField[], namespace: string): Body {
  const type = contentTypeOf(contentType);
  return { contentType: type, body: writers[formOf(type)](fields, namespace) };
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

import { simpleMetadataDocument, writeJson, writeXml } from '../../../core/documents/index.ts';
import { groupBy } from '../../../core/lib/group-by.ts';
import { contentTypeOf, formOf, type NotificationForm } from './content-type.ts';
import type { BodyField } from './fields.ts';

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

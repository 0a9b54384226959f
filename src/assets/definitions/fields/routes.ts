import { simpleMetadataDocument } from '../../../core/documents/index.ts';
import { compilePattern } from '../../../core/documents/pattern.ts';
import { textStream } from '../../../core/lib/text-stream.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { answer } from '../../../http/answers.ts';
import { raw } from '../../../http/forms.ts';
import { documentTypes, type MediaType } from '../../../http/negotiation.ts';
import { flag, page, pageOf, type QueryOf, text, whole } from '../../../http/parameters/index.ts';
import { optional } from '../../../http/reads.ts';
import { linesOf } from '../../../http/reply.ts';
import { type Route, route } from '../../../http/route.ts';
import type { CoreContext } from '../../../room/context.ts';
import { findEntity } from '../../../room/entities/find.ts';
import { pageWithin } from '../../../room/entities/page-weight.ts';
import type { Caller } from '../../../security/caller.ts';
import {
  constraintValueListDocument,
  type MetadataField,
  metadataFieldDocument,
  metadataFieldListDocument,
  valueConstraintListDocument,
} from '../documents.ts';
import { fieldAt, fieldKind, fieldName, fieldNamed, onField, readField, writeField } from '../entities.ts';
import { refuseTaken } from '../names.ts';
import { giveExternalIds } from '../namespaces/give.ts';
import { data, enumerationFrom, fieldDocuments, keyFilterOf, keysInLists, lookupKey, plainView } from './documents.ts';
import { choicesFrom, deleteField, putField, putValues } from './rules.ts';
import {
  type Choice,
  checkDataPage,
  checkValuesPage,
  type FieldRow,
  fieldsBehind,
  listFields,
  valuesOf,
} from './store.ts';

const pageLength = 100;

/** Format of a schema: head, fields with separators, and tail. */
interface Form {
  head(namespace: string): string;
  readonly field: (name: string) => string;
  readonly between: string;
  readonly tail: string;
}

const xml: Form = {
  head: (namespace) => `<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="${namespace}" targetNamespace="${namespace}" elementFormDefault="qualified">
<xs:complexType name="TerseValueType"><xs:simpleContent><xs:extension base="xs:string"><xs:attribute name="end" type="xs:string"/><xs:attribute name="start" type="xs:string"/><xs:attribute name="uuid" type="xs:string"/></xs:extension></xs:simpleContent></xs:complexType>
<xs:element name="terse"><xs:complexType><xs:choice minOccurs="0" maxOccurs="unbounded">
`,
  field: (name) => `<xs:element name="${name}" type="TerseValueType"/>`,
  between: '\n',
  tail: '\n</xs:choice></xs:complexType></xs:element>\n</xs:schema>\n',
};

const textSchema = { type: 'string' };
const values = {
  type: 'array',
  items: { type: 'object', properties: { end: textSchema, start: textSchema, uuid: textSchema, value: textSchema } },
};

const json: Form = {
  head: () =>
    `{"$schema":"https://json-schema.org/draft/2020-12/schema","$defs":{"values":${JSON.stringify(values)}},"type":"object","properties":{`,
  field: (name) => `${JSON.stringify(name)}:{"$ref":"#/$defs/values"}`,
  between: ',',
  tail: '}}',
};

/** Streams the schema of terse metadata page by page, since its length grows with the fields. */
function terseSchema(type: MediaType, reader: Reader, namespace: string): ReadableStream<Uint8Array> {
  return textStream(textsOf(type === 'application/json' ? json : xml, reader, namespace));
}

async function* textsOf(form: Form, reader: Reader, namespace: string): AsyncGenerator<string, void> {
  yield form.head(namespace);
  let before = '';
  for (let last = { sortKey: '', name: '' }; ; ) {
    const page = await fieldsBehind(reader, { ...last, limit: pageLength });
    if (page.length > 0) yield `${before}${page.map(({ name }) => form.field(name)).join(form.between)}`;
    if (page.length < pageLength) break;
    before = form.between;
    last = page.at(-1)!;
  }
  yield form.tail;
}

/** Query parameters for searching an enumeration. All must match. */
const choiceFilter = {
  'key-exact': text('Only this key'),
  'key-start': text('Only keys with this prefix'),
  'key-regex': text('Only keys that fully match this regular expression'),
  'value-exact': text('Only this value'),
  'value-start': text('Only values with this prefix'),
  'value-regex': text('Only values that fully match this regular expression'),
  hits: whole('Maximum number of entries'),
};

type Fits = (choice: Choice) => boolean;

function filterChoices(choices: readonly Choice[], query: QueryOf<typeof choiceFilter>): readonly Choice[] {
  const filters = (['key', 'value'] as const).flatMap((part): Fits[] => {
    const exact = query[`${part}-exact`];
    const start = query[`${part}-start`];
    const regex = query[`${part}-regex`];
    const matches = regex === undefined ? undefined : compilePattern(regex, `parameter ${part}-regex`);
    return [
      ...(exact === undefined ? [] : [(choice: Choice) => choice[part] === exact]),
      ...(start === undefined ? [] : [(choice: Choice) => choice[part].startsWith(start)]),
      ...(matches ? [(choice: Choice) => choice[part].length <= maxMatchedLength && matches(choice[part])] : []),
    ];
  });
  return choices.filter((choice) => filters.every((filter) => filter(choice))).slice(0, query.hits);
}

/** Maximum characters of an entry to match against a pattern. Longer ones never match. */
const maxMatchedLength = 1000;

/** Creates or changes the field named by the path. External ids find existing fields only. */
async function changeField(parts: CoreContext, call: Caller, path: string, document: MetadataField): Promise<FieldRow> {
  const { store, settings } = parts;
  refuseTaken(path);
  const { name } = await call.change(async () => {
    const row = (await findEntity(store, fieldKind(store), path))?.row;
    const name = row?.name ?? path;
    const externalIds = await giveExternalIds(parts, fieldName, name, document.externalId ?? []);
    return { ...putField(name, document, row, settings, externalIds), name };
  });
  return fieldNamed(store, name);
}

export function fieldRoutes(parts: CoreContext): readonly Route[] {
  const { store, settings } = parts;
  const { site, schemaNamespace: namespace } = settings;
  const view = { includeValues: flag('Adds the enumerations', false), data };
  const field = fieldAt(store);
  const deletable: typeof field = {
    ...field,
    find(name, ...rest) {
      refuseTaken(name);
      return field.find(name, ...rest);
    },
  };
  const write = { access: writeField, acting: 'allowed' } as const;

  const choicesOf = async (name: string): Promise<readonly Choice[]> => (await valuesOf(store, [name])).get(name) ?? [];

  const allowed = {
    path: `${onField}/allowed-values`,
    says: 'The enumeration of a field, for forms. Values of other fields do not restrict it.',
    entities: { field },
    answers: answer(constraintValueListDocument, { list: 'value' }),
    access: readField,
    handle: async (_call: unknown, { field: { id } }: { readonly field: { readonly id: string } }) => ({
      value: (await choicesOf(id)).map(({ key, value }) => ({ id: key, value })),
    }),
  } as const;

  return [
    route({
      method: 'GET',
      path: '/metadata-field',
      says: 'The metadata fields ordered by name, ignoring case and punctuation.',
      query: { ...view, ...page(settings.maxPage) },
      answers: answer(metadataFieldListDocument, {
        list: 'field',
        text: ({ field = [] }) => linesOf(field.map(({ name = '' }) => [name])),
      }),
      access: readField,
      async handle(call) {
        const { query, reader } = call;
        const { offset, limit } = pageOf(query);
        const rows = await pageWithin(listFields, reader, { offset, limit }, settings.maxPageValues);
        const names = rows.map(({ name }) => name);
        if (call.type === 'text/plain') return { field: names.map((name) => ({ name })) };
        const keys = keysInLists(query.data);
        const { includeValues } = query;
        if (includeValues || keys?.(lookupKey)) await checkValuesPage(reader, names, settings.maxPageValues);
        else if (keys) await checkDataPage(reader, names, settings.maxPageValues);
        return { field: await fieldDocuments(reader, rows, { keys, namespace, includeValues }, site) };
      },
    }),
    route({
      method: 'GET',
      path: '/metadata-field/terse-schema',
      says: 'The XML Schema or JSON Schema of metadata in its terse form, with an element for each field.',
      // Some clients ask for JSON with every call.
      answers: raw('text', documentTypes),
      access: readField,
      handle(call) {
        const { type } = call;
        return { status: 200, type, body: terseSchema(type, call.reader, settings.schemaNamespace) };
      },
    }),
    route({
      method: 'GET',
      path: onField,
      says: 'The definition of one metadata field.',
      entities: { field },
      query: view,
      answers: metadataFieldDocument,
      access: readField,
      async handle(call, { field: { row } }) {
        const { data: wanted, includeValues } = call.query;
        const shown = { keys: keyFilterOf(wanted), namespace, includeValues, externalIds: true };
        const [document] = await fieldDocuments(store, [row], shown, site);
        return document!;
      },
    }),
    route({
      ...write,
      method: 'PUT',
      path: onField,
      says: 'Creates or updates a metadata field. Elements that the document leaves out stay.',
      reads: metadataFieldDocument,
      answers: metadataFieldDocument,
      async handle(call, { field: name }) {
        const row = await changeField(parts, call, name, call.body);
        const [document] = await fieldDocuments(store, [row], plainView, site);
        return document!;
      },
    }),
    route({
      ...write,
      method: 'DELETE',
      path: onField,
      says: 'Deletes a field definition. The field leaves its groups, and its values are hidden.',
      entities: { field: deletable },
      handle: (call, { field: { row } }) => call.commit(deleteField(row)),
    }),
    route({
      method: 'GET',
      path: `${onField}/values`,
      says: 'The enumeration of a field: suggested values for forms.',
      entities: { field },
      query: choiceFilter,
      answers: simpleMetadataDocument,
      access: readField,
      handle: async (call, { field: { id } }) => enumerationFrom(filterChoices(await choicesOf(id), call.query)),
    }),
    route({
      ...write,
      method: 'PUT',
      path: `${onField}/values`,
      says: 'Replaces the enumeration of a field. It only suggests values: metadata takes others, too.',
      entities: { field },
      reads: simpleMetadataDocument,
      handle: (call, { field: { row } }) => call.commit(putValues(row, choicesFrom(call.body, settings))),
    }),
    route({ ...allowed, method: 'GET' }),
    route({ ...allowed, method: 'POST', reads: optional(valueConstraintListDocument), acting: 'allowed' }),
  ];
}

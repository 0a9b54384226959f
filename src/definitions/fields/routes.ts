import { simpleMetadataDocument } from '../../documents/index.ts';
import { pageWithin } from '../../entities/page-weight.ts';
import { optionalDocument, requireDocument } from '../../http/call.ts';
import { documentOrText, documentTypes, type MediaType } from '../../http/negotiation.ts';
import { flag, page, pageOf } from '../../http/parameters/index.ts';
import { renderList } from '../../http/render-list.ts';
import { done, lines, type Reply } from '../../http/reply.ts';
import { type Route, route, segment } from '../../http/route.ts';
import type { CoreContext } from '../../room/context.ts';
import { accountOf } from '../../security/caller.ts';
import { data, keyFilterOf } from '../data.ts';
import {
  constraintValueListDocument,
  metadataFieldDocument,
  metadataFieldListDocument,
  valueConstraintListDocument,
} from '../documents.ts';
import { fieldNamed, onField, readField, writeField } from '../kinds.ts';
import { refuseTaken } from '../names.ts';
import { changeField } from './change.ts';
import { enumerationFrom, fieldDocuments, plainView } from './documents.ts';
import { choicesFrom, deleteField, putValues } from './rules.ts';
import { type Choice, checkDataPage, checkValuesPage, listFields, valuesOf } from './store.ts';
import { terseSchema } from './terse-schema.ts';
import { choiceFilter, filterChoices } from './values.ts';

export function fieldRoutes(parts: CoreContext): readonly Route[] {
  const { store, settings, limits, render } = parts;
  const { site } = settings;
  const view = { includeValues: flag('Adds the enumerations', false), data };
  const read = { access: readField, produces: documentTypes } as const;
  const write = { access: writeField, acting: 'allowed' } as const;

  const allowed = {
    path: `${onField}/allowed-values`,
    says: 'The enumeration of a field, for forms. Values of other fields do not restrict it.',
    answers: constraintValueListDocument,
  } as const;

  return [
    route({
      ...read,
      method: 'GET',
      path: '/metadata-field',
      says: 'The metadata fields ordered by name, ignoring case and punctuation.',
      query: { ...view, ...page(settings.maxPage) },
      answers: [metadataFieldListDocument, 'text'],
      produces: documentOrText,
      async handle(call, type) {
        const { query } = call;
        const reader = store.reader(accountOf(call));
        const rows = await pageWithin(listFields, reader, { ...pageOf(query) }, settings.maxPageValues);
        const names = rows.map(({ name }) => name);
        if (type === 'text/plain') return lines(names.map((name) => [name]));
        const keys = keyFilterOf(query.data);
        const { includeValues } = query;
        if (includeValues) await checkValuesPage(reader, names, settings.maxPageValues);
        else if (keys) await checkDataPage(reader, names, settings.maxPageValues);
        const field = await fieldDocuments(reader, rows, { keys, includeValues }, site);
        return renderList(render, type, metadataFieldListDocument, { field }, 'field');
      },
    }),
    route({
      method: 'GET',
      path: '/metadata-field/terse-schema',
      says: 'The XML Schema or JSON Schema of metadata in its terse form, with an element for each field.',
      answers: 'text',
      access: readField,
      // Some clients ask for JSON with every call.
      produces: documentTypes,
      handle(call, type): Reply {
        return { status: 200, type, body: terseSchema(type, store.reader(accountOf(call)), settings.schemaNamespace) };
      },
    }),
    route({
      ...read,
      method: 'GET',
      path: onField,
      says: 'The definition of one metadata field.',
      query: view,
      answers: metadataFieldDocument,
      async handle(call, type, params) {
        const { data: wanted, includeValues } = call.query;
        const row = await fieldNamed(store, params.field);
        const shown = { keys: keyFilterOf(wanted), includeValues, externalIds: true };
        const [document] = await fieldDocuments(store, [row], shown, site);
        return render(type, metadataFieldDocument, document!);
      },
    }),
    {
      ...write,
      method: 'PUT',
      path: onField,
      says: 'Creates or updates a metadata field. Elements that the document leaves out stay.',
      reads: metadataFieldDocument,
      answers: metadataFieldDocument,
      produces: documentTypes,
      async handle(call, type, params) {
        const given = await requireDocument(call, metadataFieldDocument, limits);
        const row = await changeField(parts, call, segment(params, 'field'), given);
        const [document] = await fieldDocuments(store, [row], plainView, site);
        return render(type, metadataFieldDocument, document!);
      },
    },
    {
      ...write,
      method: 'DELETE',
      path: onField,
      says: 'Deletes a field definition. The field leaves its groups, and its values are hidden.',
      produces: [],
      async handle(call, _type, params) {
        refuseTaken(segment(params, 'field'));
        await call.commit(deleteField(await fieldNamed(store, segment(params, 'field'))));
        return done;
      },
    },
    route({
      ...read,
      method: 'GET',
      path: `${onField}/values`,
      says: 'The enumeration of a field: suggested values for forms.',
      query: choiceFilter,
      answers: simpleMetadataDocument,
      async handle(call, type, params) {
        const choices = filterChoices(await choicesOf(params.field), call.query);
        return render(type, simpleMetadataDocument, enumerationFrom(choices));
      },
    }),
    {
      ...write,
      method: 'PUT',
      path: `${onField}/values`,
      says: 'Replaces the enumeration of a field. It only suggests values: metadata takes others, too.',
      reads: simpleMetadataDocument,
      produces: [],
      async handle(call, _type, params) {
        const choices = choicesFrom(await requireDocument(call, simpleMetadataDocument, limits), settings);
        await call.commit(putValues(await fieldNamed(store, segment(params, 'field')), choices));
        return done;
      },
    },
    {
      ...read,
      ...allowed,
      method: 'GET',
      handle: async (_call, type, params) => offered(type, segment(params, 'field')),
    },
    {
      ...read,
      ...allowed,
      method: 'POST',
      reads: ['nothing', valueConstraintListDocument],
      acting: 'allowed',
      async handle(call, type, params) {
        await optionalDocument(call, valueConstraintListDocument, limits);
        return offered(type, segment(params, 'field'));
      },
    },
  ];

  async function offered(type: MediaType, path: string): Promise<Reply> {
    const value = (await choicesOf(path)).map((each) => ({ id: each.key, value: each.value }));
    return renderList(render, type, constraintValueListDocument, { value }, 'value');
  }

  async function choicesOf(path: string): Promise<readonly Choice[]> {
    const { name } = await fieldNamed(store, path);
    return (await valuesOf(store, [name])).get(name) ?? [];
  }
}

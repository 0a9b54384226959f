import { existing } from '../../core/lib/checks.ts';
import { answer } from '../../http/answers.ts';
import { page, pageOf } from '../../http/parameters/index.ts';
import { type Route, role, route } from '../../http/route.ts';
import { pageWithin } from '../../room/entities/page-weight.ts';
import { administrator } from '../../security/subject.ts';
import {
  type ConfigurationProperty,
  configurationPropertyDocument,
  configurationPropertyListDocument,
} from './documents.ts';
import type { ConfigurationParts } from './parts.ts';
import { noSuchProperty, type PropertyValue, removeProperty, setProperties } from './properties.ts';
import { findProperty, listProperties, type PropertyRow } from './store.ts';

const read = role('_configuration_read');
const write = role(administrator);

export function propertyRoutes(parts: ConfigurationParts): readonly Route[] {
  const { store, settings } = parts;
  const path = '/configuration/properties';
  const set = (values: readonly PropertyValue[], place: string) =>
    setProperties(parts.properties, values, place, parts.clock.now());
  return [
    route({
      method: 'GET',
      path,
      says: 'The configuration properties that are set.',
      query: page(settings.maxPage),
      answers: configurationPropertyListDocument,
      access: read,
      async handle({ query }) {
        const rows = await pageWithin(listProperties, store, { ...pageOf(query) }, settings.maxPageValues);
        return { property: rows.map(documentOf) };
      },
    }),
    route({
      method: 'PUT',
      path,
      says: 'Sets one configuration property.',
      reads: configurationPropertyDocument,
      access: write,
      acting: 'refused',
      handle: (call) => call.commit(set([propertyValueOf(call.body)], '/ConfigurationPropertyDocument')),
    }),
    route({
      method: 'POST',
      path,
      says: 'Sets several configuration properties. One invalid property refuses all.',
      reads: configurationPropertyListDocument,
      access: write,
      acting: 'refused',
      handle: (call) =>
        call.commit(
          set((call.body.property ?? []).map(propertyValueOf), '/ConfigurationPropertyListDocument/property'),
        ),
    }),
    route({
      method: 'GET',
      path: `${path}/:key`,
      says: 'One configuration property.',
      answers: answer(configurationPropertyDocument, { text: ({ value = '' }) => value }),
      access: read,
      async handle(_call, { key }) {
        const row = existing(await findProperty(store, { key }), noSuchProperty, key);
        return documentOf(row);
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/:key`,
      says: 'Sets one configuration property to the text that is sent.',
      reads: 'text',
      status: 204,
      access: write,
      acting: 'refused',
      handle: (call, { key }) => call.commit(set([{ key, value: call.body }], 'body')),
    }),
    route({
      method: 'DELETE',
      path: `${path}/:key`,
      says: 'Removes one configuration property. Its default applies again.',
      status: 204,
      access: write,
      acting: 'refused',
      handle: (call, { key }) => call.commit(removeProperty(key)),
    }),
  ];
}

const propertyValueOf = ({ key, value = '' }: ConfigurationProperty): PropertyValue => ({ key, value });

const documentOf = ({ key, value, changedAt }: PropertyRow): ConfigurationProperty => ({
  key,
  value,
  lastChange: changedAt,
});

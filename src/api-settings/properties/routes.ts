import { pageWithin } from '../../entities/page-weight.ts';
import { requireDocument, sentText } from '../../http/call.ts';
import { documentTypes, textOnly } from '../../http/negotiation.ts';
import { page, pageOf } from '../../http/parameters/index.ts';
import { done, noContent, plain } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import { administrator } from '../../security/subject.ts';
import {
  type ConfigurationProperty,
  configurationPropertyDocument,
  configurationPropertyListDocument,
} from '../documents/property.ts';
import type { ConfigurationParts } from '../parts.ts';
import { noSuchProperty, type PropertyValue, removeProperty, setProperties } from './rules.ts';
import { findProperty, listProperties, type PropertyRow } from './store.ts';

const read = role('_configuration_read');
const write = role(administrator);

export function propertyRoutes(parts: ConfigurationParts): readonly Route[] {
  const { store, clock, settings, render } = parts;
  const path = '/configuration/properties';
  return [
    route({
      method: 'GET',
      path,
      says: 'The configuration properties that are set.',
      query: page(settings.maxPage),
      answers: configurationPropertyListDocument,
      access: read,
      produces: documentTypes,
      async handle({ query }, type) {
        const rows = await pageWithin(listProperties, store, { ...pageOf(query) }, settings.maxPageValues);
        return render(type, configurationPropertyListDocument, { property: rows.map(documentOf) });
      },
    }),
    route({
      method: 'PUT',
      path,
      says: 'Sets one configuration property.',
      reads: configurationPropertyDocument,
      access: write,
      acting: 'refused',
      produces: [],
      async handle(call) {
        const document = await requireDocument(call, configurationPropertyDocument, parts.limits);
        const work = setProperties(parts.properties, [wishOf(document)], '/ConfigurationPropertyDocument', clock.now());
        await call.commit(work);
        return done;
      },
    }),
    route({
      method: 'POST',
      path,
      says: 'Sets several configuration properties. One invalid property refuses all.',
      reads: configurationPropertyListDocument,
      access: write,
      acting: 'refused',
      produces: [],
      async handle(call) {
        const { property = [] } = await requireDocument(call, configurationPropertyListDocument, parts.limits);
        const place = '/ConfigurationPropertyListDocument/property';
        await call.commit(setProperties(parts.properties, property.map(wishOf), place, clock.now()));
        return done;
      },
    }),
    route({
      method: 'GET',
      path: `${path}/:key`,
      says: 'One configuration property.',
      answers: [configurationPropertyDocument, 'text'],
      access: read,
      produces: [...documentTypes, ...textOnly],
      async handle(_call, type, params) {
        const row = await findProperty(store, { key: params.key });
        if (!row) throw noSuchProperty(params.key);
        return type === 'text/plain' ? plain(row.value) : render(type, configurationPropertyDocument, documentOf(row));
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/:key`,
      says: 'Sets one configuration property to the text that is sent.',
      reads: 'text',
      access: write,
      acting: 'refused',
      produces: [],
      async handle(call, _type, params) {
        const value = await sentText(call, parts.limits.bytes);
        await call.commit(setProperties(parts.properties, [{ key: params.key, value }], 'body', clock.now()));
        return noContent;
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/:key`,
      says: 'Removes one configuration property. Its default applies again.',
      access: write,
      acting: 'refused',
      produces: [],
      async handle(call, _type, params) {
        await call.commit(removeProperty(params.key));
        return noContent;
      },
    }),
  ];
}

const wishOf = ({ key, value = '' }: ConfigurationProperty): PropertyValue => ({ key, value });

const documentOf = ({ key, value, changedAt }: PropertyRow): ConfigurationProperty => ({
  key,
  value,
  lastChange: changedAt,
});

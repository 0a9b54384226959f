import { requireDocument } from '../../http/call.ts';
import { documentTypes, textOnly } from '../../http/negotiation.ts';
import { pageParameters } from '../../http/parameter.ts';
import { done, plain } from '../../http/reply.ts';
import { type Route, role } from '../../http/route.ts';
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
    {
      method: 'GET',
      path,
      access: read,
      produces: documentTypes,
      async handle({ parameters }, type) {
        const rows = await listProperties(store, { ...pageParameters(parameters, settings.maxPage) });
        return render(type, configurationPropertyListDocument, { property: rows.map(documentOf) });
      },
    },
    {
      method: 'PUT',
      path,
      access: write,
      acting: 'refused',
      produces: [],
      async handle(call) {
        const document = await requireDocument(call, configurationPropertyDocument, parts.limits);
        const work = setProperties(parts.properties, [wishOf(document)], '/ConfigurationPropertyDocument', clock.now());
        await parts.commit(work, call);
        return done;
      },
    },
    {
      method: 'POST',
      path,
      access: write,
      acting: 'refused',
      produces: [],
      async handle(call) {
        const { property = [] } = await requireDocument(call, configurationPropertyListDocument, parts.limits);
        const place = '/ConfigurationPropertyListDocument/property';
        await parts.commit(setProperties(parts.properties, property.map(wishOf), place, clock.now()), call);
        return done;
      },
    },
    {
      method: 'GET',
      path: `${path}/:key`,
      access: read,
      produces: [...documentTypes, ...textOnly],
      async handle(_call, type, params) {
        const row = await findProperty(store, { key: params['key']! });
        if (!row) throw noSuchProperty(params['key']!);
        return type === 'text/plain' ? plain(row.value) : render(type, configurationPropertyDocument, documentOf(row));
      },
    },
    {
      method: 'DELETE',
      path: `${path}/:key`,
      access: write,
      acting: 'refused',
      produces: [],
      async handle(call, _type, params) {
        await parts.commit(removeProperty(params['key']!), call);
        return done;
      },
    },
  ];
}

const wishOf = ({ key, value = '' }: ConfigurationProperty): PropertyValue => ({ key, value });

const documentOf = ({ key, value, changedAt }: PropertyRow): ConfigurationProperty => ({
  key,
  value,
  lastChange: changedAt,
});

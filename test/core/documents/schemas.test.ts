import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import {
  notificationDocument,
  placeholderNotificationDocument,
} from '../../../src/administration/notifications/documents/notification.ts';
import {
  type Description,
  jsonSchemaDefinitions,
  type Structure,
  xsdParts,
} from '../../../src/core/documents/index.ts';
import { catalogue } from '../../support/declared.ts';
import { descriptions } from './arbitrary.ts';

/** All structures that a description reaches, by name. */
function structuresOf({ structure }: Description): Map<string, Structure> {
  const found = new Map<string, Structure>();
  const open = [structure];
  for (let next = open.pop(); next; next = open.pop()) {
    if (found.has(next.name)) continue;
    found.set(next.name, next);
    for (const { data } of Object.values(next.fields)) {
      if (data.type.kind === 'structure') open.push(data.type);
      if (data.type.kind === 'lazy') open.push(data.type.target());
    }
  }
  return found;
}

type Schema = { [key: string]: unknown };

function referencesOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => (key === '$ref' ? [String(value)] : referencesOf(value)));
}

/** The elements of an XML text as paths with their attributes; throws when it is not well-formed. */
function elementsOf(xml: string): { path: string; attributes: Record<string, string> }[] {
  const parser = new SaxesParser({ xmlns: true } as const);
  const elements: { path: string; attributes: Record<string, string> }[] = [];
  const names: string[] = [];
  parser.on('opentag', (tag) => {
    const attributes = Object.fromEntries(Object.values(tag.attributes).map(({ name, value }) => [name, value]));
    names.push(attributes['name'] === undefined ? tag.local : `${tag.local}:${attributes['name']}`);
    elements.push({ path: names.join('/'), attributes });
  });
  parser.on('closetag', () => names.pop());
  parser.write(xml).close();
  return elements;
}

describe.each(descriptions.map((description) => [description.structure.name, description] as const))(
  '%s',
  (_, description) => {
    it('has a JSON Schema that mentions every field and refers to nothing that is missing', () => {
      const definitions = jsonSchemaDefinitions([description], '#/$defs/');
      expect(JSON.parse(JSON.stringify(definitions))).toEqual(definitions);
      for (const reference of referencesOf(definitions))
        expect(definitions).toHaveProperty(reference.replace('#/$defs/', ''));
      for (const [name, structure] of structuresOf(description)) {
        const definition = definitions[name] as { properties?: Schema; oneOf?: Schema[] };
        const properties = definition.properties ?? definition.oneOf?.[1]?.['properties'];
        const fields = Object.entries(structure.fields);
        const known = fields.filter(([, { data }]) => data.place !== 'named');
        expect(Object.keys(properties as Schema)).toEqual(known.map(([key]) => key));
        expect('additionalProperties' in definition).toBe(known.length < fields.length);
      }
    });

    it('has an XSD that is well-formed and mentions every field at its place', () => {
      const elements = elementsOf(xsdOf([description], 'urn:example:"schema"'));
      expect(elements[0]?.attributes).toMatchObject({
        targetNamespace: 'urn:example:"schema"',
        elementFormDefault: 'qualified',
      });
      const paths = elements.map(({ path }) => path);
      expect(paths).toContain(`schema/element:${description.name}`);
      for (const [name, structure] of structuresOf(description)) {
        for (const [key, { data }] of Object.entries(structure.fields)) {
          if (data.place === 'content') continue;
          const end = data.place === 'named' ? /\/any:?/ : new RegExp(`/${data.place}:${key}$`);
          const found = paths.filter((path) => path.startsWith(`schema/complexType:${name}/`) && end.test(path));
          expect(found).toHaveLength(1);
        }
      }
      const types = new Set(
        paths.filter((path) => path.startsWith('schema/complexType:')).map((path) => path.split('/')[1]),
      );
      for (const { attributes } of elements) {
        const type = attributes['type'];
        if (type !== undefined && !type.startsWith('xs:')) expect(types).toContain(`complexType:${type}`);
      }
    });
  },
);

const xsdOf = (...from: Parameters<typeof xsdParts>): string => [...xsdParts(...from)].join('');

describe('xsd', () => {
  it('of all documents names each root and each type once', () => {
    const paths = elementsOf(xsdOf([...catalogue, placeholderNotificationDocument], 'urn:x')).map(({ path }) => path);
    const named = paths.filter((path) => path.split('/').length === 2);
    expect(new Set(named).size).toBe(named.length);
    expect(named.filter((path) => path.startsWith('schema/element:'))).toHaveLength(catalogue.length);
  });

  it('turns "exactly one of" into a choice', () => {
    const paths = elementsOf(xsdOf([notificationDocument], 'urn:x')).map(({ path }) => path);
    expect(paths).toContain('schema/complexType:NotificationActionType/sequence/choice/element:http');
    expect(paths).toContain('schema/complexType:JobDataFilterType/sequence/choice/element:key-regex');
  });
});

describe('jsonSchemaDefinitions', () => {
  it('says which fields are written only, read only and required', () => {
    const definitions = jsonSchemaDefinitions(catalogue, '#/components/schemas/');
    const user = definitions['UserType'] as { properties: Record<string, Schema>; required: string[] };
    expect(user.required).toEqual(['userName']);
    expect(user.properties['password']).toMatchObject({ type: 'string', writeOnly: true });
    expect(user.properties['disabled']).toMatchObject({ type: 'boolean', readOnly: true });
    expect(user.properties['groupList']).toEqual({ $ref: '#/components/schemas/GroupListType' });
    for (const reference of referencesOf(definitions)) {
      expect(definitions).toHaveProperty([reference.replace('#/components/schemas/', '')]);
    }
    for (const { name } of catalogue) expect(definitions).toHaveProperty(name);
  });

  it('says that an error names all nine faults', () => {
    expect(jsonSchemaDefinitions(catalogue, '')['ExceptionType']!['required']).toHaveLength(9);
  });
});

import type { Description, FieldData, Lazy, Marker, Rule, Scalar, Structure } from './describe.ts';
import { scalarForms } from './scalars.ts';

type Schema = Record<string, unknown>;

/**
 * Schemas of documents as they are written, for the components of an OpenAPI document. Readers take more: quoted numbers,
 * single values for lists. `definitions`: those made before.
 */
export function jsonSchemaDefinitions(
  descriptions: readonly Description[],
  prefix: string,
  definitions: Record<string, Schema> = {},
): Record<string, Schema> {
  for (const { name, structure } of descriptions) definitions[name] = reference(structure, definitions, prefix);
  return definitions;
}

function reference(structure: Structure, definitions: Record<string, Schema>, prefix: string): Schema {
  if (!Object.hasOwn(definitions, structure.name)) {
    // Named before it is filled: a recursive structure refers to itself.
    const schema: Schema = {};
    definitions[structure.name] = schema;
    Object.assign(schema, objectSchema(structure, definitions, prefix));
  }
  return { $ref: `${prefix}${structure.name}` };
}

function objectSchema(structure: Structure, definitions: Record<string, Schema>, prefix: string): Schema {
  const traits = new Set(structure.traits.map(({ kind }) => kind));
  const nulls = traits.has('nullsInJson');
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  let others: Schema | undefined;
  for (const [key, { data }] of Object.entries(structure.fields)) {
    if (data.place === 'named') {
      others = { type: 'array', items: typeSchema(data.type, definitions, prefix) };
      continue;
    }
    const schema = fieldSchema(data, definitions, prefix);
    properties[key] = nulls ? { anyOf: [schema, { type: 'null' }] } : schema;
    if (data.mandatory || nulls) required.push(key);
  }
  const object: Schema = { type: 'object', properties };
  if (others) object['additionalProperties'] = others;
  if (required.length > 0) object['required'] = required;
  if (structure.rules.length > 0) object['allOf'] = structure.rules.map((rule) => ruleSchema(rule, nulls));
  const [content] = Object.values(structure.fields).filter(({ data }) => data.place === 'content');
  if (content === undefined || !traits.has('bareInJson')) return object;
  return { oneOf: [typeSchema(content.data.type, definitions, prefix), object] };
}

function fieldSchema(data: FieldData, definitions: Record<string, Schema>, prefix: string): Schema {
  const one = typeSchema(data.type, definitions, prefix);
  const schema = data.repeated ? { type: 'array', items: one } : one;
  return {
    ...schema,
    ...(data.sentence === '' ? {} : { description: data.sentence }),
    ...(data.direction === 'in' ? { writeOnly: true } : {}),
    ...(data.direction === 'out' ? { readOnly: true } : {}),
    // A word of OpenAPI, which readers of plain JSON Schema pass over.
    ...(data.place === 'attribute' ? { xml: { attribute: true } } : {}),
  };
}

function typeSchema(type: Scalar | Structure | Lazy | Marker, definitions: Record<string, Schema>, prefix: string) {
  if (type.kind === 'scalar') return scalarForms[type.name].schema(type);
  if (type.kind === 'marker') return { type: 'string', const: '' };
  return reference(type.kind === 'lazy' ? type.target() : type, definitions, prefix);
}

function ruleSchema({ kind, keys }: Rule, nulls: boolean): Schema {
  const present = keys.map((key): Schema => {
    return nulls ? { properties: { [key]: { not: { type: 'null' } } } } : { required: [key] };
  });
  if (kind === 'exactlyOne') return { oneOf: present };
  if (kind === 'atLeastOne') return { anyOf: present };
  return { oneOf: [...present, { not: { anyOf: present } }] };
}

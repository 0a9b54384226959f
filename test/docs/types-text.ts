import { type Description, jsonSchemaDefinitions } from '../../src/core/documents/index.ts';

/**
 * The TypeScript types of `portico/types`: documents as JSON carries them. Types inside the program differ: a date is a
 * number there. They come from the JSON Schemas, so both tell the same.
 */

interface Schema {
  readonly [key: string]: unknown;
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly description?: string;
}

const head =
  '/** The documents of the API, as JSON carries them. `npm run docs` writes this file from their descriptions. */\n';

export const typesText = (documents: readonly Description[]): string =>
  [head, ...Object.entries(typesOf(documents)).map(([name, schema]) => declared(name, schema))].join('\n');

/** Schemas by the names of their types. A type that one document alone has is named as the document. */
export function typesOf(documents: readonly Description[]): Readonly<Record<string, Schema>> {
  const schemas = jsonSchemaDefinitions(documents, '') as Readonly<Record<string, Schema>>;
  const used = JSON.stringify(schemas).match(/(?<="\$ref":")\w+/g) ?? [];
  const isOwn = (name: string) => used.filter((each) => each === name).length === 1;
  const own = new Set(Object.values(schemas).flatMap(({ $ref = '' }) => (isOwn($ref) ? [$ref] : [])));
  const named = Object.entries(schemas).filter(([name]) => !own.has(name));
  return Object.fromEntries(
    named.map(([name, each]) => [name, own.has(each.$ref ?? '') ? schemas[each.$ref!]! : each]),
  );
}

function declared(name: string, schema: Schema): string {
  const text = typeText(schema, '');
  return text.startsWith('{') ? `export interface ${name} ${text}\n` : `export type ${name} = ${text};\n`;
}

function typeText(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref;
  const several = schema.oneOf ?? schema.anyOf;
  if (several !== undefined) return several.map((one) => typeText(one, indent)).join(' | ');
  if (schema.const !== undefined) return quoted(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(quoted).join(' | ');
  if (schema.items !== undefined) return listText(typeText(schema.items, indent));
  if (schema.properties !== undefined) return objectText(schema, indent);
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'string' || schema.type === 'boolean' || schema.type === 'null') return schema.type;
  throw new TypeError(`Expected a schema that has a type: ${JSON.stringify(schema).slice(0, 80)}`);
}

const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;
const listText = (item: string): string => (item.includes(' | ') ? `(${item})[]` : `${item}[]`);

function objectText({ properties = {}, required = [], additionalProperties: others }: Schema, indent: string): string {
  const lines = Object.entries(properties).map(([key, schema]) => {
    const says = schema.description === undefined ? '' : `${indent}  /** ${schema.description} */\n`;
    const type = typeText(schema, `${indent}  `);
    const name = /^\w+$/.test(key) ? key : quoted(key);
    return `${says}${indent}  ${name}${required.includes(key) ? `: ${type}` : `?: ${type} | undefined`};\n`;
  });
  if (others) {
    const types = [others, ...Object.values(properties)].map((schema) => typeText(schema, indent));
    lines.push(`${indent}  [name: string]: ${[...new Set(types)].join(' | ')} | undefined;\n`);
  }
  return `{\n${lines.join('')}${indent}}`;
}

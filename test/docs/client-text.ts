import { type BodyForm, formList } from '../../src/http/forms.ts';
import { isDocument } from '../../src/http/openapi/operation.ts';
import { pathTemplate } from '../../src/http/openapi/path.ts';
import type { Parameter, ParameterTable } from '../../src/http/parameters/read.ts';
import type { Route } from '../../src/http/route.ts';

/** The calls of `portico/client`, from the same rows as the OpenAPI document. */

const head = `import type * as types from '../types.ts';

/** The calls of the API. \`npm run docs\` writes this file from its routes. */

export interface Call<Query, Body, Answer> {
  readonly query: Query;
  readonly body: Body;
  readonly answer: Answer;
}

/** Parameters that no route declares: some take others, too. */
type None = Readonly<Record<never, never>>;
type Bytes = Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer> | ReadableStream<Uint8Array>;
`;

export function callsText(routes: readonly Route[]): string {
  const queries = new Map<string, string>();
  const nameOf = (route: Route): string => {
    const text = queryText(route);
    if (text === '') return 'None';
    if (!queries.has(text)) queries.set(text, `Query${queries.size + 1}`);
    return queries.get(text)!;
  };
  const lines = routes
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .map((route) => {
      const call = `Call<${nameOf(route)}, ${bodyText(route)}, ${answerText(route)}>`;
      return `  /** ${route.says}${tag(route)} */\n  '${keyOf(route)}': ${call};\n`;
    });
  const interfaces = [...queries].map(([text, name]) => `interface ${name} {\n${text}}\n`);
  return [head, ...interfaces, `export interface Calls {\n${lines.join('')}}\n`].join('\n');
}

/** Editors strike out what ends. */
const tag = ({ ends }: Pick<Route, 'ends'>): string =>
  ends ? ` @deprecated since ${ends.since}, ends on ${ends.on}: use ${ends.instead}` : '';

/** `PUT /user/:name/metadata/:key*`: behind a star are slashes. */
function keyOf({ method, path }: Route): string {
  const { template, params } = pathTemplate(path);
  const rest = new Set(params.flatMap(({ name, rest }) => (rest ? [name] : [])));
  return `${method} ${template.replace(/\{(\w+)\}/g, (_, name: string) => `:${name}${rest.has(name) ? '*' : ''}`)}`;
}

function queryText({ query = {}, otherNames }: Route): string {
  const own = Object.entries(query as ParameterTable).map(([name, parameter]) => {
    const { says, schema, required } = parameter;
    const key = /^\w+$/.test(name) ? name : `'${name}'`;
    return `  /** ${says}${tag(parameter)} */\n  readonly ${key}${required ? '' : '?'}: ${valueText(schema)}${required ? '' : ' | undefined'};\n`;
  });
  const others = otherNames ? [`  /** ${otherNames} */\n  readonly [name: string]: unknown;\n`] : [];
  return [...own, ...others].join('');
}

function valueText(schema: Parameter['schema']): string {
  if (schema.type === 'array') return `readonly ${listed(valueText(schema.items!))}[]`;
  if (schema.enum) return schema.enum.map((value) => `'${value}'`).join(' | ');
  return schema.type === 'integer' ? 'number' : schema.type;
}

const listed = (text: string): string => (text.includes(' | ') ? `(${text})` : text);

const union = (names: readonly string[]): string => [...new Set(names)].join(' | ');

const typeOf = (form: BodyForm): string =>
  isDocument(form)
    ? `types.${form.name}`
    : ({ nothing: 'undefined', bytes: 'Bytes | string', text: 'string', xml: 'string' } as const)[form];

function bodyText({ reads }: Route): string {
  const forms = formList(reads);
  return forms.length === 0 ? 'undefined' : union(forms.map(typeOf));
}

function answerText({ answers, produces }: Route): string {
  const forms = formList(answers);
  const documents = forms
    .filter(isDocument)
    .map(({ name }, at) => (at === 0 ? `types.${name}` : `Partial<types.${name}>`));
  const none = forms.includes('nothing') || produces.length === 0 ? ['undefined'] : [];
  // Parameters choose one of several documents: the answer has the properties of one of them.
  if (documents.length > 0) return union([documents.join(' & '), ...none]);
  if (forms.some((form) => form === 'bytes' || form === 'events')) return 'Response';
  const texts = forms.includes('text') ? [/json/.test(produces[0]!) ? 'unknown' : 'string'] : [];
  return union([...texts, ...none]);
}

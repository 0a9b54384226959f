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
  const sorted = routes.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const shared = sharedParameters(sorted);
  const queries = new Map<string, string>();
  const nameOf = (route: Route): string => {
    const text = queryText(route, shared);
    if (text === undefined) return 'None';
    if (!queries.has(text)) queries.set(text, nameOfQuery(route));
    return queries.get(text)!;
  };
  const lines = sorted.map((route) => {
    const call = `Call<${nameOf(route)}, ${bodyText(route)}, ${answerText(route)}>`;
    return `  /** ${route.says}${tag(route)} */\n  '${keyOf(route)}': ${call};\n`;
  });
  const names = [...shared.keys()].toSorted();
  const interfaces = [...queries].map(([text, name]) => `interface ${name}${text}\n`);
  return [
    head,
    `/** Parameters of several calls. */\ninterface Shared {\n${names.map((name) => shared.get(name)).join('')}}\n`,
    ...interfaces,
    `export interface Calls {\n${lines.join('')}}\n`,
  ].join('\n');
}

/** The form of each parameter that most routes with its name have, where several have it. */
function sharedParameters(routes: readonly Route[]): ReadonlyMap<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const route of routes) {
    for (const [name, text] of parameterTexts(route)) {
      const forms = counts.get(name) ?? new Map<string, number>();
      counts.set(name, forms.set(text, (forms.get(text) ?? 0) + 1));
    }
  }
  return new Map(
    [...counts].flatMap(([name, forms]) => {
      const [form, count] = [...forms].reduce((a, b) => (b[1] > a[1] ? b : a));
      return count > 1 ? [[name, form] as const] : [];
    }),
  );
}

/** `GetItemIdMetadataQuery`, by the first route that has it. */
const nameOfQuery = ({ method, path }: Route): string =>
  `${[method.toLowerCase(), ...pathTemplate(path).template.split(/\W+/)]
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}Query`;

/** Editors strike out what ends. */
const tag = ({ ends }: Pick<Route, 'ends'>): string =>
  ends ? ` @deprecated since ${ends.since}, ends on ${ends.on}: use ${ends.instead}` : '';

/** `PUT /user/:name/metadata/:key*`: behind a star are slashes. */
function keyOf({ method, path }: Route): string {
  const { template, params } = pathTemplate(path);
  const rest = new Set(params.flatMap(({ name, rest }) => (rest ? [name] : [])));
  return `${method} ${template.replace(/\{(\w+)\}/g, (_, name: string) => `:${name}${rest.has(name) ? '*' : ''}`)}`;
}

const parameterTexts = ({ query = {} }: Route): readonly (readonly [name: string, text: string])[] =>
  Object.entries(query as ParameterTable).map(([name, parameter]) => {
    const { says, schema, required } = parameter;
    const key = /^\w+$/.test(name) ? name : `'${name}'`;
    const value = `${valueText(schema)}${required ? '' : ' | undefined'}`;
    return [name, `  /** ${says}${tag(parameter)} */\n  readonly ${key}${required ? '' : '?'}: ${value};\n`];
  });

/** Text behind the name of the interface. Undefined: the route has no parameters. */
function queryText(route: Route, shared: ReadonlyMap<string, string>): string | undefined {
  const parameters = parameterTexts(route);
  const picked = parameters.flatMap(([name, text]) => (shared.get(name) === text ? [`'${name}'`] : []));
  const own = parameters.flatMap(([name, text]) => (shared.get(name) === text ? [] : [text]));
  if (route.otherNames) own.push(`  /** ${route.otherNames} */\n  readonly [name: string]: unknown;\n`);
  if (own.length === 0 && picked.length === 0) return undefined;
  const base = picked.length === 0 ? '' : ` extends Pick<Shared, ${picked.toSorted().join(' | ')}>`;
  return `${base} {${own.length === 0 ? '' : `\n${own.join('')}`}}`;
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

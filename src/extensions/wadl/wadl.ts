import { escapeAttribute, escapeText } from '../../core/documents/escape.ts';
import type { Description } from '../../core/documents/index.ts';
import { groupBy } from '../../core/lib/group-by.ts';
import { type AnswerForm, formList } from '../../http/forms.ts';
import type { Api } from '../../http/openapi/index.ts';
import { isDocument } from '../../http/openapi/operation.ts';
import { operationId, type PathParam, pathTemplate } from '../../http/openapi/path.ts';
import type { Parameter, ParameterSchema, ParameterTable } from '../../http/parameters/index.ts';
import type { Route } from '../../http/route.ts';

export const wadlType = 'application/vnd.sun.wadl+xml';

const about =
  'Each query parameter of a method may also be a matrix parameter of its resource. A refusal is an ExceptionDocument.';

/**
 * The WADL document of these routes, a resource in each part, for clients that know no OpenAPI. It is made from the same
 * rows.
 */
export function* wadlParts({ routes, version, namespace }: Omit<Api, 'documents'>): Generator<string, void> {
  const names = { xmlns: 'http://wadl.dev.java.net/2009/02', 'xmlns:xs': 'http://www.w3.org/2001/XMLSchema' };
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `${begin('application', { ...names, 'xmlns:p': namespace })}>\n`;
  yield text(1, [
    `<doc title="${escapeAttribute(`Portico, API ${version}`)}">${escapeText(about)}</doc>`,
    ...element('grammars', {}, element('include', { href: 'schema.xsd' })),
    // Base without the host, as in the OpenAPI document.
    `${begin('resources', { base: '/API/' })}>`,
  ]);
  for (const [path, methods] of groupBy(routes, (route) => route.path)) yield text(2, resource(path, methods));
  yield '  </resources>\n</application>\n';
}

const text = (depth: number, lines: readonly string[]): string =>
  lines.map((line) => `${'  '.repeat(depth)}${line}\n`).join('');

type Attributes = Readonly<Record<string, string | boolean | undefined>>;

function element(name: string, attributes: Attributes, inside: readonly string[] = []): string[] {
  const head = begin(name, attributes);
  if (inside.length === 0) return [`${head}/>`];
  return [`${head}>`, ...inside.map((line) => `  ${line}`), `</${name}>`];
}

function begin(name: string, attributes: Attributes): string {
  let head = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) head += ` ${key}="${escapeAttribute(String(value))}"`;
  }
  return head;
}

const doc = (sentence: string): string => `<doc>${escapeText(sentence)}</doc>`;

function resource(path: string, methods: readonly Route[]): string[] {
  const { template, params } = pathTemplate(path);
  const queries: ParameterTable = Object.assign({}, ...methods.map(({ query }) => query));
  return element('resource', { path: template.slice(1) }, [
    ...params.flatMap(templateParam),
    ...Object.entries(queries).flatMap(([name, { schema }]) => element('param', param(name, 'matrix', schema))),
    ...methods.flatMap(method),
  ]);
}

const templateParam = ({ name, rest }: PathParam): string[] =>
  element('param', { name, style: 'template', type: 'xs:string', required: true }, rest ? [restOfPath] : []);
const restOfPath = doc('The rest of the path: it may have parts with "/" between them.');

function method({ method: name, path, says, query = {}, reads, answers, produces, status }: Route): string[] {
  const request = [
    ...Object.entries(query).flatMap(queryParam),
    ...formList(reads).flatMap((form) => bodyTypes(form).flatMap((type) => representation(type, form))),
  ];
  const documents = formList(answers).filter(isDocument);
  const response = produces.flatMap((type) => answerOf(type, documents));
  return element('method', { name, id: operationId(name, path) }, [
    doc(says),
    ...(request.length === 0 ? [] : element('request', {}, request)),
    ...element('response', { status: String(status ?? 200) }, response),
  ]);
}

function queryParam([name, { says, schema, required }]: readonly [string, Parameter]): string[] {
  const { enum: values = [], default: defaultValue } = schema.items ?? schema;
  return element(
    'param',
    { ...param(name, 'query', schema), required: required || undefined, default: worded(defaultValue) },
    [doc(says), ...values.flatMap((value) => element('option', { value }))],
  );
}

const worded = (value: unknown): string | undefined => (value === undefined ? undefined : String(value));

function param(name: string, style: 'query' | 'matrix', schema: ParameterSchema): Attributes {
  const { items = schema } = schema;
  const type = items.format === 'date-time' ? 'xs:dateTime' : `xs:${items.type}`;
  return { name, style, type, repeating: schema.type === 'array' || undefined };
}

const bodyTypes = (form: AnswerForm): readonly string[] => {
  if (isDocument(form)) return ['application/xml', 'application/json'];
  if (form === 'xml') return ['application/xml'];
  if (form === 'text') return ['text/plain'];
  return form === 'bytes' ? ['application/octet-stream'] : [];
};

/** Only XML has a root element that a schema describes. */
const representation = (mediaType: string, form: AnswerForm): string[] =>
  element('representation', {
    mediaType,
    element: isDocument(form) && mediaType === 'application/xml' ? `p:${form.name}` : undefined,
  });

const answerOf = (type: string, documents: readonly Description[]): string[] =>
  type === 'application/xml' && documents.length > 0
    ? documents.flatMap((form) => representation(type, form))
    : element('representation', { mediaType: type });

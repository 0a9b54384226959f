import type { Description } from '../../core/documents/index.ts';
import type { Ends } from '../../core/lib/ends.ts';
import { type AnswerForm, type BodyForm, formList } from '../forms.ts';
import type { ParameterTable } from '../parameters/index.ts';
import type { Acting, Needs, Route } from '../route.ts';
import { operationId, type PathParam, pathTemplate, tagOf } from './path.ts';

type Json = Readonly<Record<string, unknown>>;

/** OpenAPI operation of a route. */
export function operation(route: Route): Json {
  const { method, path, says, access, acting = 'allowed', query = {}, ends } = route;
  const parameters = [...pathTemplate(path).params.map(pathParameter), ...queryParameters(query)];
  const body = requestBody(formList(route.reads));
  const levels = routeLevels(route);
  return {
    operationId: operationId(method, path),
    tags: [tagOf(path)],
    summary: says,
    ...deprecated(ends),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body && { requestBody: body }),
    responses: responses(route),
    ...(access.needs.role === 'nothing' ? { security: [] } : {}),
    'x-role': access.needs.role,
    ...(access.needs.or && { 'x-or-role': access.needs.or.role }),
    ...(access.needs.also === undefined ? {} : { 'x-also-role': access.needs.also }),
    ...(access.needs.orSelf && { 'x-or-self': access.needs.orSelf }),
    ...(access.needs.besides === undefined ? {} : { 'x-besides': access.needs.besides }),
    ...(levels.length > 0 && { 'x-level': Object.fromEntries(levels) }),
    'x-acting': actingWord(acting),
  };
}

/**
 * The operation as generators of clients read it: JSON alone where there is JSON, and all media as bytes. Undefined: its
 * body is neither JSON nor bytes.
 */
export function jsonOperation(route: Route): Json | undefined {
  const { requestBody, responses, ...others } = operation(route) as Operation;
  const body = requestBody && picked(requestBody.content, /^application\/(?:json|octet-stream)$/);
  if (body && Object.keys(body).length === 0) return undefined;
  const answers = Object.entries(responses).map(([status, { content, ...answer }]) => [
    status,
    { ...answer, ...(content && { content: generatedAnswer(content) }) },
  ]);
  return {
    ...others,
    ...(body && { requestBody: { ...requestBody, content: body } }),
    responses: Object.fromEntries(answers),
  };
}

interface Operation extends Json {
  readonly requestBody?: { readonly content: Json };
  readonly responses: Readonly<Record<string, { readonly content?: Json }>>;
}

const picked = (content: Json, types: RegExp): Json =>
  Object.fromEntries(Object.entries(content).filter(([type]) => types.test(type)));

function generatedAnswer(content: Json): Json {
  if ('application/json' in content) return picked(content, /^application\/json$/);
  const texts = picked(content, /^text\/|\+json$/);
  return Object.keys(texts).length > 0 ? texts : { 'application/octet-stream': bytes };
}

/** Levels that the caller needs on entities of the path, by segment: `WRITE`, or `READ for URI`. */
export const routeLevels = ({ entities = {} }: Pick<Route, 'entities'>): readonly (readonly [string, string])[] =>
  Object.entries(entities).flatMap(([name, { level, operation }]) =>
    level === undefined ? [] : [[name, operation === undefined ? level : `${level} for ${operation}`] as const],
  );

/** A function refuses some targets. */
const actingWord = (acting: Acting): string => (typeof acting === 'function' ? 'partly' : acting);

const anyText = 'Any text but dot segments and control characters: "/", "\\", ";" and "%" percent-encoded, once.';

const pathParameter = ({ name, rest, opaque }: PathParam): Json => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string' },
  ...(rest ? { description: 'The rest of the path: it may have parts with "/" between them.', 'x-rest': true } : {}),
  ...(opaque ? { description: anyText, 'x-opaque': true } : {}),
});

const deprecated = (ends: Ends | undefined): Json => (ends ? { deprecated: true, 'x-ends': ends } : {});

function queryParameters(query: ParameterTable): Json[] {
  return Object.entries(query).map(([name, { says, schema, required, list, ends }]) => ({
    name,
    in: 'query',
    description: says,
    ...(required ? { required } : {}),
    ...deprecated(ends),
    schema,
    // Repeated, which is always understood; some lists also take commas.
    ...(list === false ? {} : { style: 'form', explode: true, 'x-commas': list === 'commas' }),
    'x-matrix': true,
  }));
}

export const isDocument = (form: AnswerForm): form is Description => typeof form !== 'string';

function requestBody(reads: readonly BodyForm[]): Json | undefined {
  const forms = reads.filter((form) => form !== 'nothing');
  if (forms.length === 0) return undefined;
  const documents = forms.filter(isDocument);
  const content = {
    ...(documents.length > 0 && documentContent(documents)),
    ...(forms.includes('xml') && { 'application/xml': text }),
    ...(forms.includes('text') && { 'text/plain': text }),
    ...(forms.includes('bytes') && { 'application/octet-stream': bytes }),
  };
  return { required: forms.length === reads.length, content };
}

const documentContent = (documents: readonly Description[]): Json => {
  const body = { schema: documentSchema(documents) };
  return { 'application/json': body, 'application/xml': body };
};

/** OpenAPI 3.1 needs no schema for bytes; generators of clients do. */
const bytes: Json = { schema: { type: 'string', format: 'binary' } };
const text: Json = { schema: { type: 'string' } };

/** Several documents are a component, whose name becomes that of a type: some generators cannot name it themselves. */
const documentSchema = (documents: readonly Description[]): Json => referenceTo(unionName(documents));

const unionName = (documents: readonly Description[]): string => documents.map(({ name }) => name).join('Or');

const referenceTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** Components of bodies that are one of several documents. */
export function unionSchemas(routes: readonly Route[]): Record<string, Json> {
  const unions = routes
    .flatMap(({ reads, answers }) => [formList(reads), formList(answers)])
    .map((forms: readonly AnswerForm[]) => forms.filter(isDocument))
    .filter(({ length }) => length > 1);
  return Object.fromEntries(
    unions.map((documents) => [unionName(documents), { anyOf: documents.map(({ name }) => referenceTo(name)) }]),
  );
}

/** Statuses of a route that succeeds: with a body, and without one. */
export const successes = ({ produces, status }: Pick<Route, 'produces' | 'status'>) => ({
  withBody: produces.length === 0 ? undefined : status === 201 ? status : 200,
  silent: produces.length === 0 ? (status ?? 200) : status === 201 ? undefined : status,
});

function responses(route: Route): Json {
  const { produces, answers, access } = route;
  const { withBody, silent } = successes(route);
  const forms: readonly AnswerForm[] = formList(answers);
  const content = Object.fromEntries(produces.map((type) => [type, answerContent(type, forms)]));
  const { role } = access.needs;
  return {
    ...(withBody && { [withBody]: { description: 'The answer.', content } }),
    ...(silent && {
      [silent]: {
        description: silent === 303 ? 'The header `location` has the next address.' : 'Done. The answer has no body.',
      },
    }),
    ...(role === 'nothing' ? {} : { '401': { $ref: '#/components/responses/NotAuthenticated' } }),
    ...(isRole(access.needs) ? { '403': { $ref: '#/components/responses/NotAllowed' } } : {}),
    default: { $ref: '#/components/responses/Refused' },
  };
}

const isRole = ({ role }: Needs): boolean => role !== 'nothing' && role !== 'any caller';

function answerContent(type: string, forms: readonly AnswerForm[]): Json {
  const documents = forms.filter(isDocument);
  const isForm = type === 'application/json' || type === 'application/xml';
  if (isForm && documents.length > 0) return { schema: documentSchema(documents) };
  if (type.startsWith('text/')) return text;
  return forms.includes('bytes') && !/[/+]json$/.test(type) ? bytes : {};
}

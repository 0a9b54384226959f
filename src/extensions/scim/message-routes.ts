import { readPlainJson } from '../../core/documents/index.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { baseOf } from '../../http/address.ts';
import { sentBytes } from '../../http/body.ts';
import type { Call } from '../../http/call.ts';
import { raw } from '../../http/forms.ts';
import { scimJson } from '../../http/negotiation.ts';
import { choice, type QueryOf, text } from '../../http/parameters/index.ts';
import type { Reply } from '../../http/reply.ts';
import { readingMethods, role } from '../../http/route.ts';
import { provisioner } from '../../security/subject.ts';
import type { ResourceKind } from './attributes.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { badSyntax } from './patch.ts';

/** Bytes of one body. Ten thousand members of a group have fewer, and so has every user. */
const mostBytes = { Group: 1_048_576, User: 131_072 };

/** Each member of a group is an object with up to four values. */
const limits = { depth: 16, values: 100_000 };

const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** Bodies of both media types, in and out. */
export const answersScim = raw(['text', 'nothing'], [scimJson, 'application/json']);
export const readsScim = raw(['bytes']);

export const path = '/scim/v2';

export const provisions = role(provisioner);

/** Parameters that choose attributes of answers. */
export const chosen = {
  attributes: text('The only attributes of the answer, with commas between'),
  excludedAttributes: text('Attributes that the answer leaves out, with commas between'),
};

type Chosen = Partial<QueryOf<typeof chosen>>;
export type Asked = Call<Chosen>;

export const paged = {
  filter: text('Condition of RFC 7644, with `eq` on an attribute that has an index'),
  startIndex: text('Position of the first resource, from 1'),
  count: text('Maximum number of resources'),
  cursor: text('Where the page begins, from `nextCursor` of the answer before. Empty: at the first resource'),
  sortBy: text('Attribute that orders the list: the name, or `meta.lastModified`'),
  sortOrder: choice('Order of the list', ['ascending', 'descending'], { defaultValue: 'ascending' }),
  ...chosen,
};

const jsonType = /^application\/(?:scim\+)?json(?:\s*;|$)/i;

export async function bodyOf({ request }: Call, { name }: ResourceKind): Promise<JsonObject> {
  const type = request.headers.get('content-type')?.trim() ?? scimJson;
  if (!jsonType.test(type)) {
    const explanation = `Expected ${scimJson} or application/json`;
    throw new ServiceError('media-type-unsupported', {
      context: 'header Content-Type',
      explanation,
      value: type.slice(0, 80),
    });
  }
  const bytes = await sentBytes(request, mostBytes[name]);
  if (bytes.byteLength === 0) throw new ServiceError('body-missing', { context: 'body', explanation: 'Expected JSON' });
  const value = readPlainJson(textIn(bytes), limits, 'JSON in UTF-8', badSyntax);
  if (!isObject(value)) throw badSyntax('body', 'an object');
  return value;
}

function textIn(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badSyntax('body', 'JSON in UTF-8');
  }
}

/** Answers a value. A handler of a HEAD request makes the same. */
export const answerJson = (call: Call, value: unknown, status = 200, headers: Record<string, string> = {}): Reply => ({
  status,
  type: call.type,
  body: JSON.stringify(value),
  headers,
});

export const addressAt = (call: Call, kind: ResourceKind, id: string): string =>
  `${baseOf(call)}${path}${kind.endpoint}/${encodeURIComponent(id)}`;

interface Changed {
  readonly id: string;
  readonly createdAt: number;
  readonly modifiedAt: number;
}

/** The attribute `meta` of resources. */
export function metasOf(call: Call, kind: ResourceKind, times: readonly Changed[]) {
  const byId = new Map(times.map((each) => [each.id, each]));
  return ({ id, version }: { readonly id: string; readonly version: number }): JsonObject => {
    const { createdAt = 0, modifiedAt = 0 } = byId.get(id) ?? {};
    return {
      resourceType: kind.name,
      created: new Date(createdAt).toISOString(),
      lastModified: new Date(modifiedAt).toISOString(),
      location: addressAt(call, kind, id),
      version: tagOf(version),
    };
  };
}

export const tagOf = (version: number): string => `W/"${version}"`;

/** Throws unless the resource is in the state that the caller knows. */
export function checkMatch({ request }: Call, version: number): void {
  const match = request.headers.get('if-match')?.trim();
  if (match === undefined || match === '*' || tagsIn(match).includes(String(version))) return;
  const explanation = 'Expected the version that If-Match names: the resource has changed';
  throw new ServiceError('condition-failed', { context: 'header If-Match', explanation }, { etag: tagOf(version) });
}

/** Versions of tags, weak or not: both mean the same state. */
const tagsIn = (header: string): readonly string[] =>
  [...header.matchAll(/(?:W\/)?"([^"]*)"/g)].map(([, version]) => version ?? '');

const isKnown = ({ request }: Call, version: number): boolean => {
  const none = request.headers.get('if-none-match')?.trim();
  return none === '*' || tagsIn(none ?? '').includes(String(version));
};

/** Answer with one resource, or 304. */
export function answerOne(call: Asked, resource: JsonObject, version: number, status: number): Reply {
  const etag = tagOf(version);
  if (readingMethods.has(call.method) && isKnown(call, version)) return { status: 304, headers: { etag } };
  const { location } = resource['meta'] as { readonly location: string };
  return answerJson(call, shownOf(resource, call.query), status, { etag, ...(status === 201 ? { location } : {}) });
}

/** Part of a resource that the caller asks for. `id`, `schemas` and `meta` are in each. */
function shownOf(resource: JsonObject, { attributes, excludedAttributes }: Chosen): JsonObject {
  if (attributes === undefined && excludedAttributes === undefined) return resource;
  const named = (list: string) =>
    list.split(',').map((name) =>
      name
        .trim()
        .toLowerCase()
        .replace(/^urn:.*:(?=\w+(?:\.\w+)?$)/, ''),
    );
  const only = attributes === undefined ? undefined : named(attributes);
  const not = new Set(named(excludedAttributes ?? ''));
  const pick = (object: JsonObject, prefix: string, isWhole: boolean): JsonObject =>
    Object.fromEntries(
      Object.entries(object).flatMap(([name, value]) => {
        const full = `${prefix}${name.toLowerCase()}`;
        if (prefix === '' && always.has(name)) return [[name, value]];
        if (not.has(full)) return [];
        const isNamed = isWhole || only?.includes(full) === true;
        const inner = only?.some((each) => each.startsWith(`${full}.`)) === true || hasInner(not, full);
        if (!isNamed && !inner) return [];
        const part = inner ? within(value, (each) => pick(each, `${full}.`, isNamed)) : value;
        return [[name, part]];
      }),
    );
  return pick(resource, '', only === undefined);
}

const always: ReadonlySet<string> = new Set(['id', 'schemas', 'meta']);
const hasInner = (names: ReadonlySet<string>, full: string): boolean =>
  [...names].some((each) => each.startsWith(`${full}.`));

function within(value: Json, change: (object: JsonObject) => JsonObject): Json {
  if (Array.isArray(value)) return value.map((each: Json) => (isObject(each) ? change(each) : each));
  return isObject(value) ? change(value) : value;
}

export type ListQuery = QueryOf<typeof paged>;

/** Offset and length of a page. RFC 7644: less than 1 is 1, and less than 0 is 0. */
export function pageFrom({ startIndex, count }: ListQuery) {
  const first = Math.max(1, wholeOf('startIndex', startIndex, 1));
  return { offset: first - 1, limit: Math.min(maxListed, Math.max(0, wholeOf('count', count, maxListed))) };
}

/** Resources of one answer. Each may have kilobytes that the provider keeps here. */
export const maxListed = 100;

function wholeOf(name: string, sent: string | undefined, defaultValue: number): number {
  if (sent === undefined) return defaultValue;
  if (/^-?\d{1,9}$/.test(sent)) return Number(sent);
  throw new ServiceError('bad-parameter', {
    context: 'parameter',
    id: name,
    explanation: 'Expected a whole number',
    value: sent.slice(0, 80),
  });
}

/** Where the rows of an answer are in their list. */
interface Position {
  readonly total: number;
  /** Undefined: the list has cursors. */
  readonly offset?: number;
  readonly next?: string;
}

export function answerList(call: Asked, { total, offset, next }: Position, rows: readonly JsonObject[]): Reply {
  return answerJson(call, {
    schemas: [listSchema],
    totalResults: total,
    ...(offset !== undefined && { startIndex: offset + 1 }),
    itemsPerPage: rows.length,
    ...(next !== undefined && { nextCursor: next }),
    Resources: rows.map((row) => shownOf(row, call.query)),
  });
}

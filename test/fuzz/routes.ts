import fc from 'fast-check';
import { type Description, writeJson, writeXml } from '../../src/core/documents/index.ts';
import { formList } from '../../src/http/forms.ts';
import { isDocument } from '../../src/http/openapi/operation.ts';
import type { Route } from '../../src/http/route.ts';
import { valuesOf } from '../core/documents/arbitrary.ts';
import { all, filled, nameOf } from '../security/roles/routes.ts';
import { rules } from '../security/roles/rules.ts';
import type { Sent } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin } from '../support/service.ts';
import { hostile } from './edits.ts';
import { type FuzzWorld, guest } from './world.ts';

/** Differences of a request from the one that the tests of roles make. Plain data, which is kept as JSON. */
export interface Twist {
  readonly as: 'admin' | 'guest' | 'nobody';
  /** Another text for a segment of the path. */
  readonly segment?: readonly [number: number, text: string] | undefined;
  readonly parameters: readonly (readonly [name: string, value: string, isMatrix: boolean])[];
  readonly headers: Readonly<Record<string, string>>;
  /** Another body, or another value at a place of a JSON body. */
  readonly body?:
    | { readonly type: string; readonly text: string }
    | { readonly place: number; readonly value: unknown }
    | undefined;
}

const rare = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 2, nil: undefined });
const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostile) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
);
const values: readonly unknown[] = [
  ...[
    null,
    '',
    'a',
    true,
    false,
    0,
    -1,
    1.5,
    2 ** 53,
    1e300,
    [],
    {},
    [[]],
    [null],
    [{}],
    { a: 1 },
    ['a'],
    'x'.repeat(5000),
  ],
  ...[
    '\0',
    '\ud800',
    '😀',
    '__proto__',
    'VX-1',
    'VX-9999999',
    '2024-01-01T00:00:00Z',
    '0@PAL',
    '1@0',
    '-INF',
    '*',
    'a/b',
    '..',
  ],
  ...[{ value: 'a' }, [{ value: 'a' }], Array.from({ length: 300 }, () => 'a'), { __proto__: null, constructor: {} }],
];

/** Values that headers of this service have, and some that they should not. */
const headerValues: Readonly<Record<string, readonly string[]>> = {
  accept: [
    'application/json',
    'application/xml',
    'text/plain',
    '*/*;q=0',
    'a/b;q=x',
    ',',
    'application/problem+json',
    'image/*',
  ],
  'content-type': [
    'application/json',
    'application/xml',
    'text/plain',
    'multipart/form-data; boundary=a',
    'x',
    'application/json; charset=latin1',
  ],
  range: ['bytes=0-', 'bytes=5-1', 'bytes=-1', 'bytes=0-0,2-2', 'bytes=99999999999999999999-', 'items=1', 'bytes=-'],
  'if-match': ['*', '"a"', 'W/"a"', '"', 'a,b'],
  'if-none-match': ['*', '"a"', 'W/"a"', ','],
  'if-range': ['"a"', 'Thu, 01 Jan 1970 00:00:00 GMT', 'x'],
  'if-modified-since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'x', '9'.repeat(30)],
  'if-unmodified-since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'x'],
  'content-length': ['0', '-1', '5', '99999999999999999999'],
  'content-encoding': ['gzip', 'identity', 'x'],
  prefer: ['return=minimal', 'return=representation', 'respond-async', '=', 'wait=-1'],
  runas: ['guest', 'admin', 'nobody', '*', ''],
  origin: ['null', 'http://a.example', 'http://portico.test', 'x'],
  cookie: ['__Host-portico=x', 'a=b; c', '='],
  'x-request-id': ['a', 'a b', 'x'.repeat(200)],
  'x-forwarded-for': ['1.2.3.4', '::1', 'x, y'],
  'x-forwarded-proto': ['https', 'ftp'],
  traceparent: ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '00-0-0-0'],
  'tus-resumable': ['1.0.0', '2.0.0', ''],
  'upload-offset': ['0', '-1', '6', 'x', '1e3'],
  'upload-length': ['0', '5', '-1', '9007199254740993'],
  'upload-metadata': ['storage VlgtMQ==', ',', 'a'],
  'upload-checksum': ['sha1 a', 'md5 ', 'x y'],
  'want-repr-digest': ['sha-256=1', 'sha-256=a,', '('],
  'last-event-id': ['1', '-1', 'x'],
  'cache-control': ['no-cache'],
  index: ['1', 'x'],
  size: ['5', '-1'],
};

const header = fc.constantFrom(...Object.entries(headerValues)).chain(([name, of]) =>
  fc.tuple(
    fc.constant(name),
    fc.oneof(
      fc.constantFrom(...of),
      anyText.map((text) => text.replaceAll(/[^\x20-\x7e]/g, '').trim()),
    ),
  ),
);

/** Values of the schema of a parameter, and those beside it. */
function textFor(schema: Readonly<Record<string, unknown>>): fc.Arbitrary<string> {
  const {
    minimum,
    maximum,
    enum: names,
    items,
    default: given,
  } = schema as { minimum?: number; maximum?: number; enum?: string[]; items?: object; default?: unknown };
  const bounds = [minimum, maximum].flatMap((bound) => (bound === undefined ? [] : [bound - 1, bound, bound + 1]));
  const of = [
    ...bounds,
    ...(names ?? []),
    ...(given === undefined ? [] : [given]),
    ...(schema['type'] === 'boolean' ? ['true', 'false', '1'] : []),
  ].map(String);
  const own = items
    ? fc.array(textFor(items as Record<string, unknown>), { maxLength: 3 }).map((list) => list.join())
    : of.length > 0
      ? fc.constantFrom(...of)
      : anyText;
  return fc.oneof({ weight: 2, arbitrary: own }, { weight: 1, arbitrary: anyText });
}

function parameterOf({ query = {} }: Route) {
  const names = Object.entries(query).map(([name, { schema }]) =>
    fc.tuple(fc.constant(name), textFor({ ...schema }), fc.boolean()),
  );
  const unknown = fc.tuple(
    anyText.map((text) => text.slice(0, 20)),
    anyText,
    fc.boolean(),
  );
  return fc.oneof(...names.map((arbitrary) => ({ weight: 4, arbitrary })), { weight: 1, arbitrary: unknown });
}

const replaced = fc.record({ place: fc.nat(60), value: fc.constantFrom(...values) });

/** Bodies by the schema, and one value beside it. */
function bodyOf({ reads }: Route): fc.Arbitrary<Twist['body']> {
  const documents: readonly Description[] = formList(reads).filter(isDocument);
  const others = fc.record({ type: fc.constantFrom(...headerValues['content-type']!), text: anyText });
  if (documents.length === 0) return fc.oneof(replaced, others);
  return fc.constantFrom(...documents).chain((document) => {
    const value = valuesOf(document.structure);
    const json = { type: 'application/json' };
    return fc.oneof(
      replaced,
      value.map((each) => ({ ...json, text: writeJson(document, each) })),
      value.map((each) => ({ type: 'application/xml', text: writeXml(document, each, 'urn:x') })),
      fc.tuple(value, replaced).map(([each, { place, value: other }]) => ({
        ...json,
        text: withValue(writeJson(document, each), place, other),
      })),
      others,
    );
  });
}

/** The JSON text with another value at one of its places. */
function withValue(json: string, place: number, value: unknown): string {
  const holders: [holder: Record<string, unknown>, key: string][] = [];
  const root = { '': JSON.parse(json) as unknown };
  const walk = (holder: Record<string, unknown>, key: string): void => {
    holders.push([holder, key]);
    const inner = holder[key];
    if (typeof inner === 'object' && inner !== null)
      for (const each of Object.keys(inner)) walk(inner as Record<string, unknown>, each);
  };
  walk(root, '');
  const [holder, key] = holders[place % holders.length]!;
  holder[key] = value;
  return JSON.stringify(root['']);
}

export const twists = (route: Route): fc.Arbitrary<Twist> =>
  fc.record({
    as: fc.oneof(
      { weight: 6, arbitrary: fc.constant('admin') },
      { weight: 1, arbitrary: fc.constantFrom('guest', 'nobody') },
    ) as fc.Arbitrary<Twist['as']>,
    segment: rare(fc.tuple(fc.nat(12), anyText)),
    parameters: fc.array(parameterOf(route), { maxLength: 3 }),
    headers: fc.array(header, { maxLength: 2 }).map((pairs) => Object.fromEntries(pairs)),
    body: fc.option(bodyOf(route), { freq: 2, nil: undefined }),
  });

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/** The request with its differences. */
export function twisted({ request, headers, body }: Omit<Sent, 'as'>, twist: Twist): Sent {
  const [method, target] = request.split(/ (.*)/s) as [string, string];
  const [path, query] = target.split(/\?(.*)/s) as [string, string?];
  const segments = path.split('/');
  // The first segment is the beginning of all paths.
  if (twist.segment && segments.length > 2)
    segments[2 + (twist.segment[0] % (segments.length - 2))] = encoded(twist.segment[1]);
  const pairs = (isMatrix: boolean) =>
    twist.parameters
      .filter((each) => each[2] === isMatrix)
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  const queries = [...(query === undefined ? [] : [query]), ...pairs(false)];
  const sent = {
    ...(twist.as !== 'nobody' && { as: twist.as === 'admin' ? admin : guest }),
    request: `${method} ${segments.join('/')}${pairs(true)
      .map((pair) => `;${pair}`)
      .join('')}${queries.length > 0 ? `?${queries.join('&')}` : ''}`,
    headers: { accept: 'application/json', ...headers, ...twist.headers },
  };
  if (method === 'GET' || method === 'OPTIONS') return sent;
  if (twist.body && 'text' in twist.body)
    return {
      ...sent,
      headers: { 'content-type': twist.body.type, ...sent.headers },
      body: twist.body.text.toWellFormed(),
    };
  const isJson = typeof body === 'object' && !(body instanceof Uint8Array) && !(body instanceof ReadableStream);
  if (!isJson) return { ...sent, body };
  const text = JSON.stringify(body);
  return {
    ...sent,
    headers: { 'content-type': 'application/json', ...sent.headers },
    body: twist.body ? withValue(text, twist.body.place, twist.body.value) : text,
  };
}

const byRoute = new Map(rules.map((rule) => [rule.route, rule]));

/** Every route, and the request that its tests of roles make once they have prepared it. */
export const walked: readonly Route[] = all;
export { nameOf };

let last = 0;

/** Prepares a route for its next requests. */
export async function preparedRequest(route: Route, world: FuzzWorld): Promise<Omit<Sent, 'as'>> {
  const rule = byRoute.get(nameOf(route));
  if (!rule) return { request: `${route.method} /API${filledPath(route.path)}`, ...(route.reads && { body: {} }) };
  const who = `walk-${++last}`;
  await prepare(world, [
    { as: admin, request: 'POST /API/user?passwordType=raw', body: { userName: who, password: 'p' } },
    ...(rule.given?.(who) ?? []),
  ]);
  await rule.rows?.(world, who);
  return rule.request(who);
}

/** Routes of notifications and other addresses of files have no request in those tests. */
const filledPath = (path: string): string => {
  try {
    return filled(
      path.replaceAll(/:(storage|file|item|collection)\b/g, 'VX-1').replaceAll(/:\w+\{[^}]*\}/g, 'a'),
    ).replaceAll('undefined', 'VX-1');
  } catch {
    return path.replaceAll(/:\w+/g, 'VX-1');
  }
};

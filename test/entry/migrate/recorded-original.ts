import type { Clock } from '../../../src/core/lib/clock.ts';
import type { Ask } from '../../../src/entry/migrate/calls.ts';

export type Json = Record<string, unknown>;

/**
 * An original of release 4.17.9, which answers as the recordings and the schema of 4.9 say, and no Portico is behind it.
 * It refuses what that release refuses, and whatever this test does not know. It is slow, fails, and repeats entries.
 */
export interface RecordedOriginal {
  readonly ask: Ask;
  /** The same, without troubles, for a program that compares. */
  readonly calm: Ask;
  /** Requests that it would have refused, or that it does not know. */
  readonly wrong: readonly string[];
}

const kindsOfFaults = [
  ...['notFound', 'internalServer', 'forbidden', 'notYetImplemented', 'conflict', 'invalidInput', 'licenseFault'],
  ...['fileAlreadyExists', 'notAuthorized'],
];
export const fault = (kind: string, detail: object): Json =>
  Object.fromEntries(kindsOfFaults.map((each) => [each, each === kind ? detail : null]));

export const time = '2020-09-21T20:36:07.332+0000';
export const authored = (value: string, more: object = {}) => ({
  ...{ value, uuid: 'bb0f7c67-1d8a-4f0c-9d0f-0c2f3f7cf2c1', user: 'admin', timestamp: time, change: 'VX-794' },
  ...more,
});
export const field = (name: string, ...values: readonly Json[]) => ({
  ...{
    name,
    value: values,
    uuid: 'c3b1f3b0-6a7f-4a52-8a56-4f3d4f0b8d11',
    user: 'admin',
    timestamp: time,
    change: 'VX-794',
  },
});
const timeBase = { numerator: 1, denominator: 25 };

export const metadataOf = (at: number): Json => ({
  revision: `VX-${at},VX-794,VX-793`,
  group: ['Film'],
  timespan: [
    {
      field: [
        field('title', authored(`Film ${at}`)),
        field('portal_note', authored('egg', { lang: 'en' }), authored('ägg', { lang: 'sv' })),
        field('created', authored(`2020-09-${String(10 + at)}T10:57:34.048Z`)),
        field('user', authored('ann')),
        field('mediaType', authored('video')),
        field('shapeTag', authored('original')),
        field('__shape', { value: `VX-${100 + at}` }),
        field('__version_count', { value: '1' }),
        field('originalFilename', authored(`film ${at}.mxf`)),
      ],
      group: [],
      start: '-INF',
      end: '+INF',
    },
    {
      field: [field('portal_note', authored('bells'))],
      group: [
        { name: 'Broadcast date', field: [field('portal_day', authored('2020-09-21'))], uuid: 'x', user: 'admin' },
      ],
      start: '0@PAL',
      end: '50@PAL',
    },
  ],
});

const fileOf = (at: number) => ({
  id: `VX-${200 + at}`,
  path: `film ${at}.mxf`,
  uri: [`file:///srv/media1/film%20${at}.mxf`],
  state: 'CLOSED',
  size: 1000 + at,
  hash: '3f24f48dac74de775ccfb8184d3b5d28cd561613',
  timestamp: time,
  refreshFlag: 1,
  storage: 'VX-1',
  metadata: {},
});

export const shapeOf = (at: number): Json => ({
  id: `VX-${100 + at}`,
  created: time,
  essenceVersion: 0,
  tag: ['original'],
  mimeType: ['application/mxf'],
  containerComponent: {
    file: [fileOf(at)],
    id: `VX-${300 + at}`,
    metadata: [],
    duration: { samples: 1_000_000, timeBase: { numerator: 1, denominator: 1_000_000 } },
    format: 'mxf',
  },
  audioComponent: [
    { file: [fileOf(at)], id: `VX-${400 + at}`, metadata: [], codec: 'pcm_s24le', timeBase, itemTrack: 'A1' },
  ],
  videoComponent: [
    { file: [fileOf(at)], id: `VX-${500 + at}`, metadata: [], codec: 'mpeg2video', timeBase, itemTrack: 'V1' },
  ],
  metadata: { field: [{ key: 'originalFilename', value: `film ${at}.mxf` }] },
});

const origin = 'VX';
export const group = { groupName: 'desk', description: 'The desk', role: false };
export const roleGroup = { groupName: '_item_read', description: 'Role', role: true };
export const user = {
  id: 'VX-2',
  loc: 'http://localhost:8080/API/user/ann',
  ...{
    userName: 'ann',
    realName: 'Ann',
    groupList: { group: [group] },
    metadata: { field: [] },
    origin,
    disabled: false,
  },
};

export const fields: readonly Json[] = [
  { name: 'created', type: 'date-noindex', origin, system: 'true' },
  { name: 'fieldValidationError', type: 'string', index: 'extend', stringRestriction: {}, values: {}, origin },
  { name: 'portal_day', type: 'date', defaultValue: '', origin },
  { name: 'portal_note', type: 'string', stringRestriction: { maxLength: 40 }, values: {}, origin },
  { name: 'title', type: 'string', stringRestriction: {}, values: {}, origin },
];
export const fieldGroups: readonly Json[] = [
  {
    name: 'Broadcast date',
    schema: { min: 0, max: -1, name: 'Broadcast date' },
    field: [{ name: 'portal_day', schema: { min: 0, max: 1, name: 'portal_day' } }],
    origin,
    inheritance: 'false',
  },
  { name: 'Film', schema: { min: 0, max: 1, name: 'Film' }, origin, inheritance: 'false' },
];

export const storage = {
  ...{ id: 'VX-1', state: 'NONE', type: 'LOCAL', capacity: 1_000_240_963_584, freeCapacity: 331_430_416_384 },
  timestamp: time,
  method: [
    { id: 'VX-1', uri: 'memory:///in/', read: true, write: true, browse: true, lastSuccess: time, type: 'NONE' },
  ],
  metadata: { field: [{ key: 'name', value: 'media1' }] },
  ...{ lowWatermark: 1_000_240_963_584, highWatermark: 1_000_240_963_584, lowWatermarkPercentage: 100 },
  ...{ highWatermarkPercentage: 100, autoDetect: true, showImportables: true },
};

const access = {
  access: [
    {
      loc: 'http://localhost:8080/API/item/VX-1/access/VX-9',
      grantor: 'admin',
      permission: 'OWNER',
      user: 'ann',
      id: 'VX-9',
    },
    { grantor: 'admin', recursive: true, permission: 'READ', priority: 0, group: 'desk', id: 'VX-10' },
  ],
};
const noFacets = { facet: [], suggestion: [], autocomplete: [] };

/** Lists that a page may repeat entries of. */
export type Paged = readonly [name: string, entries: readonly Json[], hasHits: boolean];

/** Answers of an original in place of the recorded ones. */
export interface Dialect {
  readonly pages: readonly (readonly [RegExp, (ids: RegExpExecArray) => Paged])[];
  readonly documents: readonly (readonly [RegExp, (ids: RegExpExecArray) => Json | undefined])[];
  /** Writes an answer. `place`: of the request. */
  render(document: Json, place: string): Json;
  /** An answer in the place of the right one. `isCalm`: for a program that compares. */
  instead(place: string, isCalm: boolean): Response | undefined;
}

export function recordedOriginal(clock: Clock, dialect?: Dialect, items = 7): RecordedOriginal {
  const wrong: string[] = [];
  let requests = 0;
  let isHalfPage = true;
  const ids = Array.from({ length: items }, (_, at) => at + 1);
  const itemOf = (at: number): Json => ({
    metadata: metadataOf(at),
    ...{ shape: [shapeOf(at)], access: [], externalId: [], id: `VX-${at}`, start: '-INF', end: '+INF' },
  });
  const collection = { loc: 'http://localhost:8080/API/collection/VX-1', id: 'VX-1', name: 'Reel' };
  const members = ids.toReversed().map((at) => ({ id: `VX-${at}`, type: 'item', metadata: {} }));

  const pages: readonly (readonly [RegExp, Paged])[] = [
    [/^GET \/user$/, ['user', [{ ...user, userName: 'admin' }, user], true]],
    [/^GET \/group$/, ['group', [group, roleGroup], true]],
    [/^GET \/storage$/, ['storage', [storage], false]],
    [/^PUT \/item$/, ['item', ids.map(itemOf), true]],
    [/^PUT \/collection$/, ['collection', [collection], true]],
  ];
  const relation = {
    id: 'VX-1',
    direction: { source: 'VX-1', target: 'VX-2', type: 'D' },
    value: [{ value: 'x', key: 'why' }],
  };
  const documents: readonly (readonly [RegExp, (at: number) => Json | undefined])[] = [
    [/^\/version$/, () => ({ component: [{ name: 'API', version: '4.17.9-g6e43cb3ce4-19215' }] })],
    [/^\/user\/ann$/, () => user],
    [
      /^\/group\/desk$/,
      () => ({ ...group, childGroupList: {}, parentGroupList: { group: [roleGroup] }, userList: {}, origin }),
    ],
    [/^\/external-id$/, () => ({ namespace: [] })],
    [/^\/metadata-field$/, () => ({ field: fields })],
    [/^\/metadata-field\/field-group$/, () => ({ group: fieldGroups })],
    [/^\/metadata-field\/(?:field-group\/)?[^/]+\/access$/, () => ({ access: [] })],
    [
      /^\/shape-tag$/,
      () => ({ uri: ['http://localhost:8080/API/shape-tag/original', 'http://localhost:8080/API/shape-tag/lowres'] }),
    ],
    [
      /^\/shape-tag\/lowres$/,
      () => ({ format: 'mp4', video: { codec: 'h264', bitrate: 400_000 }, overlay: [], textOverlay: [] }),
    ],
    [/^\/storage\/storage-group\/?$/, () => ({ group: [] })],
    [/^\/(?:item|collection)\/VX-\d+\/access$/, () => access],
    [/^\/item\/VX-(\d+)\/relation$/, (at) => ({ relation: at < 3 ? [relation] : [] })],
    [
      /^\/(?:item|collection)\/VX-\d+\/metadata\/changes$/,
      () => ({ changeSet: [{ id: 'VX-794', metadata: metadataOf(1) }] }),
    ],
    [/^\/item\/VX-\d+\/external-id$/, () => ({ id: [] })],
    [
      /^\/collection\/VX-1$/,
      () => ({ ...collection, content: members, metadata: { revision: 'VX-563', timespan: [] } }),
    ],
    [/^\/library$/, () => ({ hits: 0, uri: [] })],
    [/^\/deletion-lock$/, () => ({ count: 0, lock: [] })],
    [/^\/(?:[a-z-]+\/)+notification$/, () => ({ uri: [] })],
    [/^\/import\/settings$/, () => ({ uri: [] })],
    [/^\/quota$/, () => ({ rule: [], tag: [] })],
    [/^\/(?:shape-tag\/lowres\/script|scheduled-request)$/, () => undefined],
  ];

  function answer(method: string, place: string, parameters: URLSearchParams): Json | undefined {
    for (const [form, listed] of dialect?.pages ?? []) {
      const ids = form.exec(`${method} ${place}`);
      if (ids) return pageOf(listed(ids), parameters);
    }
    for (const [form, document] of dialect?.documents ?? []) {
      const ids = form.exec(`${method} ${place}`);
      if (ids) return document(ids);
    }
    const listing = pages.find(([form]) => form.test(`${method} ${place}`));
    if (listing) return pageOf(listing[1], parameters);
    if (method === 'GET')
      for (const [form, document] of documents) {
        const [, at = '0'] = form.exec(place) ?? [undefined];
        if (form.test(place)) return document(Number(at));
      }
    wrong.push(`${method} ${place}`);
    return undefined;
  }

  /** Half of what was asked for, behind the last entry of the page before. */
  function pageOf([name, entries, hasHits]: Paged, parameters: URLSearchParams): Json {
    const cursor = parameters.get('cursor');
    const number = Number(parameters.get('number') ?? 100);
    const first = cursor === null ? Number(parameters.get('first') ?? 1) - 1 : cursor === '*' ? 0 : Number(cursor);
    const size = number > 1 ? Math.ceil(Math.min(number, entries.length) / (isHalfPage ? 2 : 1)) : 1;
    const page = entries.slice(first, first + size);
    const repeated = isHalfPage && number > 1 && first > 0 ? [entries[first - 1]!] : [];
    const next = Math.min(first + size, entries.length);
    return {
      ...(hasHits && { hits: entries.length }),
      [name]: [...repeated, ...page],
      ...noFacets,
      // The last page has a cursor, too: the same one again.
      ...(cursor !== null && { nextCursor: String(next) }),
    };
  }

  async function ask(path: string, init: RequestInit): Promise<Response> {
    await clock.sleep(40_000);
    if (++requests % 6 === 0) return answerOf(fault('internalServer', { reason: 'Deadlock' }), 500);
    return calm(path, init, true);
  }

  async function calm(
    path: string,
    { method = 'GET', headers: given, body }: RequestInit,
    isHalf = false,
  ): Promise<Response> {
    const headers = new Headers(given);
    const [before = '', query = ''] = path.split('?');
    const [place = '', ...matrix] = before.split(';').map(decodeURIComponent);
    const instead = dialect?.instead(place, !isHalf);
    if (instead) return instead;
    if (headers.get('content-type') !== null && body == null) wrong.push(`${path}: a type of content without content`);
    if (headers.get('accept') !== 'application/json') wrong.push(`${path}: ${headers.get('accept')}`);
    // Releases before 5 read places of pages as matrix parameters alone.
    const parameters = new URLSearchParams(matrix.join('&'));
    for (const [name, value] of new URLSearchParams(query))
      if (dialect || !['first', 'number', 'cursor'].includes(name)) parameters.append(name, value);
    isHalfPage = isHalf;
    const document = answer(method, place, parameters);
    return document
      ? answerOf(dialect ? dialect.render(document, place) : document, 200)
      : answerOf(fault('notFound', { type: 'Entity', id: place, context: null }), 404);
  }

  const answerOf = (document: Json, status: number) =>
    new Response(JSON.stringify(document), {
      status,
      headers: { 'content-type': 'application/json', 'set-cookie': 'rememberMe=deleteMe; Path=/; Max-Age=0' },
    });
  return { ask, calm, wrong };
}

import type { Clock } from '../../../src/core/lib/clock.ts';
import { jpegFile } from '../../../src/production/transcoding/codecs/jpeg-writer.ts';
import * as recorded from './recorded-original.ts';
import { authored, type Dialect, field, type Json, type RecordedOriginal } from './recorded-original.ts';

/** State of the original, for tests that change it. */
export interface ForeignHouse extends RecordedOriginal {
  /** Entries by the path of their entity. */
  readonly access: Map<string, Json[]>;
  readonly relations: Json[];
  readonly locks: Json[];
  /** Metadata of each file, by the number of its item. */
  readonly pairs: Map<number, Json[]>;
  /** Answers by paths, in the place of the right ones. */
  readonly instead: Map<RegExp, () => Response>;
  /** Moves lists that have no order by one. */
  turn(): void;
}

export const items = 8;
const ids = Array.from({ length: items }, (_, at) => at + 1);
const host = 'http://10.1.2.3:8080/API';

export const entry = (id: number, grantee: object, permission: string, more: object = {}): Json => ({
  ...{ id: `VX-${id}`, loc: `${host}/item/x/access/VX-${id}`, grantor: 'admin', permission, ...grantee, ...more },
});

/** The longest that a field may have. */
export const longName = `gnm_${'master_category_'.repeat(16)}`.slice(0, 254) + 'z';
const everything = { appliesTo: [{ value: 'all' }] };

const relation = (id: number, source: number, target: number) => ({
  id: `VX-${id}`,
  direction: { type: 'D', target: `VX-${target}`, source: `VX-${source}` },
  value: [
    { key: 'kind', value: 'trailer' },
    { key: 'year', value: String(2000 + id) },
  ],
});
const lock = (id: number, item: number) => ({
  ...{ id: `VX-${id}`, entityType: 'Item', entityId: `VX-${item}`, user: 'admin', created: recorded.time },
  expiryTime: `20${40 + id}-01-01T00:00:00.000+0000`,
  metadata: { field: [{ key: 'why', value: 'contract' }] },
});

/** Fields of releases that answer other optional members than Portico does, in another order. */
const fields: readonly Json[] = [
  ...recorded.fields,
  { type: 'string', name: longName, data: [{ value: 'Category', key: 'label' }], externalId: ['KP-1-x'] },
  { type: 'string-exact', name: 'portal_plain' },
  { name: 'representativeThumbnail', type: 'string-exact', origin: 'VX' },
];

/** Fields that a media check has written. */
const ofMedia = {
  ...{ mimeType: 'application/mxf', originalFormat: 'mxf', originalVideoCodec: 'mpeg2video' },
  ...{ originalAudioCodec: 'pcm_s24le', durationSeconds: '1', durationTimeCode: '1000000@1000000' },
};

const day = { name: 'portal_day', type: 'date', schema: { name: 'portal_day', min: 0, max: 1 } };
const fieldGroups = recorded.fieldGroups.map((group) => ({ ...group, ...(group['field'] ? { field: [day] } : {}) }));

function metadataOf(at: number): Json {
  const { timespan, ...rest } = recorded.metadataOf(at) as { timespan: { field: Json[]; group: Json[] }[] };
  const [generic, ...timed] = timespan;
  const more = [
    ...Object.entries(ofMedia).map(([name, value]) => field(name, authored(value))),
    field('portal_plain', authored(`plain ${at}`)),
    field(longName, authored(`category ${at}`)),
    field('representativeThumbnail', authored(`/API/thumbnail/VX-7/VX-${at};version=0/25@PAL`)),
  ];
  const group = {
    name: 'Broadcast date',
    referenced: { type: 'GLOBAL', uuid: 'x' },
    field: [field('portal_day', authored('2021-01-01'))],
  };
  return { ...rest, timespan: [{ ...generic, field: [...generic!.field, ...more], group: [group] }, ...timed] };
}

/** An answer as Portico never gives it: nothing empty, single values alone, other orders, and members of later releases. */
function rendered(value: unknown, turns: number): unknown {
  if (Array.isArray(value)) {
    const all = value.map((each) => rendered(each, turns)).filter((each) => each !== undefined);
    if (all.length < 2) return all[0];
    const [first] = all as Json[];
    const hasNoOrder =
      first?.['key'] ?? first?.['permission'] ?? first?.['direction'] ?? (first?.['value'] && first['name']);
    const at = hasNoOrder ? turns % all.length : 0;
    return [...all.slice(at), ...all.slice(0, at)];
  }
  if (typeof value !== 'object' || value === null) return value === null || value === '' ? undefined : value;
  const members = Object.entries(value)
    .map(([name, each]) => [name, rendered(each, turns)] as const)
    .filter(([, each]) => each !== undefined)
    .toReversed();
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** An original of release 25.2, written from its description. No Portico is behind it. */
export function foreignOriginal(clock: Clock): ForeignHouse {
  let turns = 0;
  const access = new Map(
    ids.map((at) => [
      `item/VX-${at}`,
      [
        entry(10 * at, { user: 'ann' }, 'OWNER', everything),
        entry(10 * at + 1, { group: 'desk' }, 'READ'),
        entry(10 * at + 2, { user: 'ann' }, 'WRITE', { operation: { metadata: { field: 'title' } } }),
        entry(10 * at + 3, { group: 'desk' }, 'NONE', { operation: { uri: {} }, priority: 4 }),
      ],
    ]),
  );
  access.set('library/VX*4', [entry(901, { user: 'admin' }, 'OWNER', everything)]);
  access.set('collection/VX-1', [
    entry(902, { user: 'admin' }, 'OWNER', everything),
    entry(900, { group: 'desk' }, 'READ', { appliesTo: [{ value: 'self' }, { value: 'item', recursive: true }] }),
  ]);
  const relations = [relation(1, 1, 2), relation(2, 1, 3), relation(3, 4, 1)];
  const locks = [lock(1, 1), lock(2, 5)];
  const pairs = new Map(
    ids.map((at) => [
      at,
      [
        { key: 'tape', value: `T${at}` },
        { key: 'mtime', value: '1' },
      ],
    ]),
  );
  const instead = new Map<RegExp, () => Response>();

  const shapeOf = (at: number): Json => {
    const text = JSON.stringify(recorded.shapeOf(at), (name, value) =>
      name === 'file' ? value.map((file: Json) => ({ ...file, metadata: { field: pairs.get(at) } })) : value,
    );
    return JSON.parse(text) as Json;
  };
  const uris = (at: number) => ['0@PAL', '25@PAL'].map((time) => `/API/thumbnail/VX-7/VX-${at};version=0/${time}`);
  const itemOf = (at: number): Json => ({
    ...{ id: `VX-${at}`, start: '-INF', end: '+INF', metadata: metadataOf(at), shape: [shapeOf(at)] },
    ...{ thumbnails: { uri: uris(at) }, externalId: [], access: [] },
  });
  const collection = { id: 'VX-1', name: 'Reel', loc: `${host}/collection/VX-1/` };
  const members = [...ids.toReversed(), 3].map((at) => ({
    ...{ id: `VX-${at}`, type: 'item', reference: `r${at}` },
    metadata: { field: at === 2 ? [{ key: 'role', value: 'lead' }] : [] },
  }));
  const reel = [
    field('title', authored('Reel')),
    field('user', authored('admin')),
    field('created', authored('2030-01-01T00:00:00.000Z')),
  ];
  const ofCollection = { revision: 'VX-1', timespan: [{ field: reel, group: [], start: '-INF', end: '+INF' }] };
  const settings = { id: 'VX*4', username: 'ann', updateMode: 'REPLACE', autoRefresh: false };
  const storages = [
    {
      ...{ ...recorded.storage, bandwidth: 8_000_000, sequenceTimeout: 90, showImportables: false, bean: 'x' },
      method: [...recorded.storage.method, { id: 'VX-2', uri: 'http://10.1.2.3/media/', read: true, type: 'NONE' }],
    },
  ];
  const group = { name: 'online', storage: [{ id: 'VX-1' }], data: [{ key: 'room', value: 'cellar' }] };
  const ann = { ...recorded.user, alias: ['annie'] };
  const admin = { ...recorded.user, userName: 'admin', realName: 'The boss', alias: ['root'] };

  const dialect: Dialect = {
    pages: [
      [/^PUT \/item$/, () => ['item', ids.map(itemOf), true]],
      [/^GET \/user$/, () => ['user', [admin, ann], true]],
      [/^GET \/storage$/, () => ['storage', storages, false]],
      [/^PUT \/collection$/, () => ['collection', [collection], true]],
      [/^GET \/library$/, () => ['uri', [`${host}/library/VX*4`] as never, true]],
      [/^GET \/library\/VX\*4$/, () => ['item', [1, 3].map((at) => ({ id: `VX-${at}` })), true]],
      [
        /^GET \/item\/VX-(\d+)\/relation$/,
        ([, at]) => [
          'relation',
          relations.filter(({ direction }) => [direction.source, direction.target].includes(`VX-${at}`)),
          false,
        ],
      ],
    ],
    documents: [
      [/^GET \/version$/, () => ({ component: [{ version: '25.2', name: 'API' }] })],
      [/^GET \/user\/ann$/, () => ann],
      [
        /^GET \/group\/desk$/,
        () => ({ groupName: 'desk', description: 'The desk', parentGroupList: { group: [recorded.roleGroup] } }),
      ],
      [/^GET \/external-id$/, () => ({ namespace: [{ name: 'house', pattern: '[A-Z]+-[0-9]+-x', priority: 3 }] })],
      [/^GET \/metadata-field$/, () => ({ field: fields.map(({ externalId: _own, ...each }) => each) })],
      [/^GET \/metadata-field\/field-group$/, () => ({ group: fieldGroups.toReversed() })],
      [
        /^GET \/metadata-field\/(.+)\/external-id$/,
        ([, name]) => ({
          id: many(fields.find((each) => each['name'] === name)?.['externalId']).map((externalId) => ({ externalId })),
        }),
      ],
      [
        /^GET \/(item|collection|library)\/([^/]+)\/access$/,
        ([, kind, id]) => ({ access: access.get(`${kind}/${id}`) ?? [] }),
      ],
      [/^GET \/item\/VX-(\d+)\/shape$/, ([, at]) => ({ uri: [`VX-${100 + Number(at)}`] })],
      [/^GET \/item\/VX-(\d+)\/shape\/VX-\d+$/, ([, at]) => shapeOf(Number(at))],
      [/^GET \/item\/VX-(\d+)$/, ([, at]) => (Number(at) <= items ? itemOf(Number(at)) : undefined)],
      [/^GET \/(?:item|collection)\/VX-\d+\/external-id$/, () => ({ id: [] })],
      [/^GET \/collection\/VX-1$/, () => ({ ...collection, content: members, metadata: ofCollection })],
      [/^GET \/library\/VX\*4\/settings$/, () => settings],
      [/^GET \/storage\/storage-group\/?$/, () => ({ group: [{ name: 'online', storage: group.storage }] })],
      [/^GET \/storage\/storage-group\/online$/, () => group],
      [/^GET \/deletion-lock$/, () => ({ count: locks.length, lock: locks })],
      [/^GET \/deletion-lock\/(.+)$/, ([, id]) => locks.find((each) => each.id === id)],
      [/^GET \/storage\/storage-group\/online$/, () => group],
    ],
    render: (document) => (rendered(document, turns++) as Json | undefined) ?? {},
    instead(place, isCalm) {
      if (place.startsWith('/thumbnail/VX-7/'))
        return new Response(jpegFile({ width: 1, height: 1, data: new Uint8Array(4) }), {
          headers: { 'content-type': 'image/jpeg' },
        });
      // A login that may not read these.
      if (/^\/(?:scheduled-request|import\/settings|job\/notification)$/.test(place))
        return new Response('', { status: 403 });
      return isCalm ? undefined : [...instead].find(([form]) => form.test(place))?.[1]();
    },
  };
  const original = recorded.recordedOriginal(clock, dialect, items);
  return { ...original, access, relations, locks, pairs, instead, turn: () => void turns++ };
}

const many = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

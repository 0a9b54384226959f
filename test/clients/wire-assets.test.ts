import { expect } from 'vitest';
import { startOfTime } from '../support/clock.ts';
import type { Sent } from '../support/matrix.ts';
import { all, ask, describeForms, type Form, field } from './forms.ts';

/** Answers that clients of items, metadata, collections, searches, access and locks read, call by call. */

const span = (...fields: readonly object[]) => ({ timespan: [{ ...all, field: fields }] });
const text = { accept: 'text/plain' };
const dated = (low: string, high: string) => ({ field: [{ name: 'c_day', range: [{ value: [low, high] }] }] });

const forms: readonly Form[] = [
  {
    name: 'clients.md 33: an item has its parts in the order of the schema',
    given: [ask('POST /item/VX-1/shape/create')],
    sent: ask('GET /item/VX-1?content=external,access,merged-access,shape,uri,poster,thumbnail,metadata&field=title'),
    contains: [
      '"start":"-INF","end":"+INF"}]},"thumbnails":{"uri":[]},"posters":{"uri":[]},"files":{"uri":[]},"shape":[{',
      ',"merged-access":{',
      ',"access":[{"type":"GENERIC"',
    ],
  },
  {
    name: 'clients.md 33: an entry of access has its parts in the order of the schema, and its id last',
    sent: ask('POST /item/VX-1/access', { permission: 'READ', user: 'admin', operation: { uri: {} }, priority: 2 }),
    contains: ['"permission":"READ","priority":2,"operation":{"uri":{}},"user":"admin","id":"VX-'],
  },
  {
    name: 'clients.md 39: a shape that is found has its metadata in front of its item',
    given: [ask('POST /item/VX-2/shape/create'), ask('PUT /item/VX-2/shape/VX-5/metadata/c_key', 'v', text)],
    sent: ask('PUT /search/shape?content=metadata', { field: [{ name: 'c_key', value: [{ value: 'v' }] }] }),
    contains: ['{"id":"VX-5","metadata":{"field":[{"key":"c_key","value":"v"}]},"item":[{"id":"VX-2"}]}'],
  },
  {
    name: 'clients.md 33: the history of searches tells when, who and what in this order',
    given: [ask('PUT /item', { field: [field('title', 'remembered')] })],
    sent: ask('GET /item/history'),
    contains: ['{"search":[{"timestamp":"', '"user":"admin","query":{"field":[{"name":"title"'],
  },
  {
    name: 'client-calls.md adm: the list of deletion locks tells how many there are on all pages',
    given: ['2998', '2999'].map((year) =>
      ask('POST /item/VX-1/deletion-lock', { expiryTime: `${year}-01-01T00:00:00.000Z` }),
    ),
    sent: ask('GET /deletion-lock/?first=1&number=1'),
    json: { count: 2, lock: [{ entityId: 'VX-1', entityType: 'Item' }] },
  },
  {
    name: 'client-calls.md adm: so does that of one item',
    sent: ask('GET /item/VX-1/deletion-lock/?first=2&number=1'),
    json: { count: 2, lock: [expect.anything()] },
  },
  {
    name: 'client-calls.md adm: only effective locks have no number',
    sent: ask('GET /item/VX-1/deletion-lock/?onlyEffective=true'),
    lacks: ['count'],
  },
  {
    name: 'client-calls.md vdt: a change whose answer is a text is made for a client that takes JSON',
    sent: ask('PUT /item/VX-1/re-index'),
  },
  {
    name: 'client-calls.md adm: a placeholder shape is made for a client that takes JSON',
    sent: ask('POST /item/VX-1/shape/placeholder?container=1', {}),
    contains: ['VX-'],
  },
  {
    name: 'clients.md 90: clients transcode to lowres without making it',
    sent: ask('GET /shape-tag/lowres'),
    json: { format: 'mp4' },
  },
  {
    name: 'client-calls.md ada: a transcode of an item without media is a job',
    sent: ask('POST /item/VX-3/transcode?tag=lowres'),
    json: { jobId: expect.any(String), status: 'READY', type: 'TRANSCODE', priority: 'MEDIUM', user: 'admin' },
  },
  {
    name: 'a range of dates goes by the time of the search',
    sent: ask('PUT /item', dated('NOW-7DAYS', 'NOW')),
    json: { hits: 1, item: [{ id: 'VX-3' }] },
  },
  {
    name: 'a range of dates goes by the start of a day, month or year',
    sent: ask('PUT /item', dated('NOW/DAY-1MONTH', 'NOW/DAY')),
    json: { hits: 1, item: [{ id: 'VX-3' }] },
  },
  {
    name: 'a time of the search without a day in it finds nothing',
    sent: ask('PUT /item', dated('NOW', 'NOW+1YEAR')),
    json: { hits: 0 },
  },
  {
    name: 'a facet counts by such ranges',
    sent: ask('PUT /item?number=0', { facet: [{ field: 'c_day', range: [{ start: 'NOW-7DAYS', end: 'NOW' }] }] }),
    json: { facet: [{ field: 'c_day', range: [{ start: 'NOW-7DAYS', end: 'NOW', value: 1 }] }] },
  },
  {
    name: 'the time of the search is no text of a date',
    sent: ask('PUT /item', dated('NOWADAYS', 'NOW')),
    status: 400,
  },
  {
    name: 'clients.md 69: an item is found by the long form of its id, and tells the short one',
    sent: ask('GET /item/ITEM-VX-1'),
    json: { id: 'VX-1' },
  },
  {
    name: 'clients.md 69: the long form of another kind is none of an item',
    sent: ask('GET /item/COLLECTION-VX-1'),
    status: 404,
  },
  {
    name: 'media-assets.md 2.5: an item that is deleted is named in small letters',
    given: [ask('POST /import/placeholder'), ask('DELETE /item/VX-4')],
    sent: ask('GET /item/VX-4'),
    status: 404,
    json: { notFound: { type: 'item', id: 'VX-4', context: null } },
  },
  {
    name: 'media-assets.md 2.5: one that never was is not',
    sent: ask('GET /item/VX-1000000'),
    status: 404,
    json: { notFound: { type: 'Item', id: 'VX-1000000', context: null } },
  },
  {
    name: 'a field takes the place of that of its own timespan alone',
    given: [
      ask('PUT /item/VX-2/metadata', {
        timespan: [
          { start: '1', end: '2', field: [field('title', 'timed', 'more')] },
          { start: '3', end: '4', field: [field('title', 'later')] },
        ],
      }),
      ask('PUT /item/VX-2/metadata', { timespan: [{ start: '1', end: '2', field: [field('title', 'other')] }] }),
    ],
    sent: ask('GET /item/VX-2/metadata?interval=1-4&field=title&terse=true'),
    contains: ['"start":"1"', '"value":"other"', '"start":"3"', '"value":"later"', '"value":"two"'],
    lacks: ['"value":"more"', '"value":"timed"'],
  },
  {
    name: 'a change set is undone, and what was before it is there again',
    given: [
      ask('PUT /item/VX-2/metadata', span(field('title', 'undone'))),
      ask('DELETE /item/VX-2/metadata/changes/VX-13'),
    ],
    sent: ask('GET /item/VX-2/metadata?interval=generic&field=title'),
    contains: ['"value":"two"'],
    lacks: ['"value":"undone"'],
  },
  {
    name: 'a value of a collection is seen on its items, with where it comes from',
    given: [
      ask('PUT /metadata-field/c_above', { type: 'string', inheritance: 'true' }),
      ask('POST /collection?name=above'),
      ask('PUT /collection/VX-1/VX-2'),
      ask('PUT /collection/VX-1/metadata', span(field('c_above', 'from above'))),
    ],
    sent: ask('GET /item/VX-2/metadata?field=c_above'),
    contains: ['"value":"from above"', '"inheritance":"Collection/VX-1"'],
  },
  {
    name: 'an item with an effective lock is not deleted',
    sent: ask('DELETE /item/VX-1'),
    status: 409,
    json: { conflict: { id: 'VX-1' } },
  },
  {
    name: 'a relation has the other parameters as its metadata, and both items tell of it',
    given: [ask('POST /item/VX-1/relation/VX-2?direction=S&type=portal&note=a')],
    sent: ask('GET /item/VX-2/relation?type=portal'),
    json: {
      relation: [
        {
          direction: { source: 'VX-1', target: 'VX-2', type: 'D' },
          value: expect.arrayContaining([expect.objectContaining({ key: 'note', value: 'a' })]),
        },
      ],
    },
  },
];

const yesterday = new Date(startOfTime - 86_400_000).toISOString();

const given: readonly Sent[] = [
  ask('PUT /metadata-field/c_day', { type: 'date' }),
  ...['one', 'two'].map((title) => ask('POST /import/placeholder?container=1', span(field('title', title)))),
  ask('POST /import/placeholder?container=1', span(field('title', 'three'), field('c_day', yesterday))),
];

describeForms('production clients and what they read', given, forms);

import { expect } from 'vitest';
import { startOfTime } from '../support/clock.ts';
import type { Sent } from '../support/matrix.ts';
import { all, ask, describeForms, type Form, field } from './forms.ts';

/** What clients of items, metadata, collections, searches, access and locks read, call by call. */

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
    name: 'M12: a range of dates goes by the time of the search',
    sent: ask('PUT /item', dated('NOW-7DAYS', 'NOW')),
    json: { hits: 1, item: [{ id: 'VX-3' }] },
  },
  {
    name: 'M12: and by the start of a day, month or year',
    sent: ask('PUT /item', dated('NOW/DAY-1MONTH', 'NOW/DAY')),
    json: { hits: 1, item: [{ id: 'VX-3' }] },
  },
  {
    name: 'M12: a time of the search without a day in it finds nothing',
    sent: ask('PUT /item', dated('NOW', 'NOW+1YEAR')),
    json: { hits: 0 },
  },
  {
    name: 'M12: a facet counts by such ranges',
    sent: ask('PUT /item?number=0', { facet: [{ field: 'c_day', range: [{ start: 'NOW-7DAYS', end: 'NOW' }] }] }),
    json: { facet: [{ field: 'c_day', range: [{ start: 'NOW-7DAYS', end: 'NOW', value: 1 }] }] },
  },
  {
    name: 'M12: the time of the search is no text of a date',
    sent: ask('PUT /item', dated('NOWADAYS', 'NOW')),
    status: 400,
  },
];

const yesterday = new Date(startOfTime - 86_400_000).toISOString();

const given: readonly Sent[] = [
  ask('PUT /metadata-field/c_day', { type: 'date' }),
  ...['one', 'two'].map((title) => ask('POST /import/placeholder?container=1', span(field('title', title)))),
  ask('POST /import/placeholder?container=1', span(field('title', 'three'), field('c_day', yesterday))),
];

describeForms('production clients and what they read', given, forms);

import type { Database } from '../../../src/core/store/contract.ts';
import type { MemoryStorage } from '../../../src/kit/testing/storage/memory-storage.ts';
import { work } from '../../simulation/victim.ts';
import type { TestClock } from '../../support/clock.ts';
import { requestOf } from '../../support/matrix.ts';
import { admin, type TestService } from '../../support/service.ts';
import { storageRows } from '../../support/world.ts';
import { png, wav } from '../checking/samples.ts';

export interface Stage {
  readonly opened: TestService;
  readonly clock: TestClock;
  readonly database: Database;
  readonly storage: MemoryStorage;
}

/** A job that a client asks for once. */
export interface Plot {
  readonly type: string;
  readonly name: string;
  readonly request: string;
  readonly body?: object;
  /** Adds to the stage, which has an item with a sound and one with a picture. */
  before?(stage: Stage): Promise<unknown>;
}

/** Answers the JSON of the answer, or nothing. */
export async function send(
  { opened }: Pick<Stage, 'opened'>,
  request: string,
  body?: object,
  accept = 'application/json',
): Promise<string> {
  const isBytes = body instanceof Uint8Array;
  const headers = { accept, ...(isBytes && { 'content-type': 'application/octet-stream' }) };
  const sent = { as: admin, request, headers, ...(body !== undefined && { body: body as unknown as string }) };
  const answer = await opened.service.fetch(requestOf('http://portico.test', sent));
  const text = await answer.text();
  if (answer.status >= 300) throw new Error(`${request}: ${answer.status} ${text}`);
  return text;
}

const out = (name: string): string => encodeURIComponent(`memory:///out/${name}`);
const titled = {
  timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value: 'Harbour' }] }] }],
};
const at = (samples: number) => ({ samples, timeBase: { numerator: 1, denominator: 25 } });
const half = { in: at(0), out: at(1), sourceIn: at(0) };
/** The items with a sound and with a picture, and the shape of the first one. */
const [sound, picture, shape] = ['VX-1', 'VX-2', 'VX-1'];

export const plots: readonly Plot[] = [
  {
    type: 'SHAPE_IMPORT',
    name: 'another shape of an item',
    request: `POST /API/item/${sound}/shape?uri=memory:///in/b.wav&storageId=VX-2&tag=web`,
  },
  {
    type: 'ESSENCE_VERSION',
    name: 'the next version of the essence',
    request: `POST /API/item/${sound}/shape/essence?uri=memory:///in/b.wav&storageId=VX-2`,
  },
  {
    type: 'SHAPE_UPDATE',
    name: 'another check of a shape',
    request: `POST /API/item/${sound}/shape/${shape}/update`,
  },
  {
    type: 'THUMBNAIL',
    name: 'thumbnails of an item',
    request: `POST /API/item/${picture}/thumbnail?createThumbnails=true`,
  },
  { type: 'ANALYZE', name: 'a measure of sound', request: `POST /API/item/${sound}/analyze`, body: {} },
  {
    type: 'EXPORT',
    name: 'an export of a picture',
    request: `POST /API/poster/VX-1/${picture}/0/export?uri=${out('poster.png')}`,
    before: async (stage) => {
      await send(stage, `PUT /API/item/${picture}/posterresource`);
      return send(stage, `PUT /API/poster/VX-1/${picture}/0`, png(3, 4), 'text/plain');
    },
  },
  {
    type: 'RESTORE',
    name: 'a restore of an archived file',
    request: `PUT /API/item/${sound}/restore?expirationInDays=1`,
    before: async ({ database, storage }) => {
      storage.place('memory:///in/').archived.set('a.wav', undefined);
      await database.write([{ sql: `UPDATE file SET state = 'ARCHIVED' WHERE path = 'a.wav'`, args: [] }]);
    },
  },
  { type: 'LIST_ITEMS', name: 'a list of items', request: `POST /API/item/list?destinationUri=${out('items.csv')}` },
  {
    type: 'UPDATE_LIBRARY_ITEM_METADATA',
    name: 'metadata of all items of a library',
    request: 'PUT /API/library/VX*1/item-metadata',
    body: titled,
    before: (stage) => send(stage, 'POST /API/library', { item: [{ id: sound }, { id: picture }] }),
  },
  {
    type: 'DELETE_LIBRARY',
    name: 'a deletion of a library',
    request: 'DELETE /API/library/VX*1?async=true',
    before: (stage) => send(stage, 'POST /API/library', { item: [{ id: sound }] }),
  },
  {
    type: 'DELETE_USER',
    name: 'a deletion of a user',
    request: 'DELETE /API/user/ann?hard=true',
    before: (stage) => send(stage, 'POST /API/user', { userName: 'ann', password: 'password of ann' }),
  },
  {
    type: 'CONFORM',
    name: 'an assembly of sounds',
    request: `PUT /API/item/${picture}/conform?tag=web`,
    body: { conform: { timeline: { segment: [{ source: { id: sound } }] } } },
  },
  {
    type: 'TIMELINE',
    name: 'a rendering of a sequence of sound',
    request: `POST /API/sequence/render?tag=web&destinationItem=${picture}`,
    body: { sequence: { track: [{ audio: true, segment: [{ item: sound, sourceTrack: 1, ...half }] }] } },
  },
];

/** Two storages, an item with a sound and one with a picture, a preset, and what the plot has. */
export async function prepare(stage: Stage, plot: Plot): Promise<void> {
  const { opened, database, storage } = stage;
  await storageRows(opened);
  await storageRows(opened, { id: 'VX-2', uri: 'memory:///out/' });
  await send(stage, 'PUT /API/shape-tag/web', { format: 'wav' });
  const from = storage.place('memory:///in/');
  from.put('a.wav', await wav({ seconds: 0.1 }));
  from.put('b.wav', await wav({ seconds: 0.2 }));
  from.put('c.png', png(3, 4));
  for (const name of ['a.wav', 'c.png']) {
    await send(stage, `POST /API/import?uri=memory:///in/${name}&createThumbnails=false`);
    await work(stage, 2);
  }
  await plot.before?.(stage);
  await database.write(['job', 'event'].map((table) => ({ sql: `DELETE FROM ${table}`, args: [] })));
}

import { afterAll, beforeAll, expect, it } from 'vitest';
import { conformOf } from '../../security/roles/attachments.ts';
import { newUser } from '../../support/cast.ts';
import { ended, type JobSeen } from '../../support/files.ts';
import { openBehind } from '../../support/matrix.ts';
import { fileWith, openTranscoding, setPreset, type TranscodingWorld, withOriginal } from '../../support/media.ts';
import { ask, done } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import type { Credentials } from '../../support/service.ts';

const item = '/API/item/VX-100';
const at = (samples: number) => ({ samples, timeBase: { numerator: 1, denominator: 25 } });
const segment = { item: 'VX-100', sourceTrack: 1, in: at(0), out: at(50), sourceIn: at(0) };
const sequence = { track: [{ segment: [segment] }] };
const document = { timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value: 'x' }] }] }] };

/** Names that requests are made of. */
interface Names {
  readonly file: string;
  readonly shape: string;
  readonly library: string;
  readonly placeholder: string;
}
interface Order {
  readonly request: (names: Names) => string;
  readonly body?: object | string;
}

/** A request for each type of jobs that read or write an entity in the name of their user. */
const orders: Readonly<Record<string, Order>> = {
  TRANSCODE: { request: () => `POST ${item}/transcode?tag=lowres` },
  THUMBNAIL: { request: () => `POST ${item}/thumbnail?createThumbnails=true` },
  ANALYZE: { request: () => `POST ${item}/analyze?` },
  SHAPE_UPDATE: { request: ({ shape }) => `POST ${item}/shape/${shape}/update?` },
  TIMELINE: {
    request: () => 'POST /API/sequence/render?tag=lowres&destinationItem=VX-100',
    body: { sequence },
  },
  CONFORM: { request: () => `POST ${item}/conform?tag=lowres`, body: conformOf('VX-100') },
  PLACEHOLDER_IMPORT: {
    request: ({ placeholder }) => `POST /API/import/placeholder/${placeholder}/container?uri=memory:///in/other.mp4`,
  },
  RAW_IMPORT: { request: () => 'POST /API/import/raw?filename=a.txt', body: 'bytes of a text' },
  SHAPE_IMPORT: { request: () => `POST ${item}/shape?uri=memory:///in/other.mp4&tag=lowres` },
  ESSENCE_VERSION: { request: () => `POST ${item}/shape/essence?uri=memory:///in/other.mp4` },
  SIDECAR_IMPORT: { request: () => 'POST /API/import/sidecar/VX-100?sidecar=memory:///in/a.srt' },
  RESTORE: { request: () => `PUT ${item}/restore?expirationInDays=1` },
  EXPORT: { request: () => `POST ${item}/export?uri=memory:///out/web/` },
  LIST_ITEMS: { request: ({ library }) => `POST /API/library/${library}/list?destinationUri=memory:///out/lists/` },
  UPDATE_LIBRARY_ITEM_METADATA: {
    request: ({ library }) => `PUT /API/library/${library}/item-metadata?`,
    body: document,
  },
  DELETE_LIBRARY: { request: ({ library }) => `DELETE /API/library?id=${library}&async=true` },
  COPY_FILE: { request: ({ file }) => `POST /API/storage/file/${file}/storage/VX-2?` },
  MOVE_FILE: { request: ({ file }) => `POST /API/storage/file/${file}/storage/VX-2?move=true` },
};

/** Types whose jobs have no right of a user to lose. */
const others: Readonly<Record<string, string>> = {
  AUTO_IMPORT: 'starts by a rule, and owns its item',
  DELETE_FILE: 'needs the role of its route alone',
  METADATA_TABLE_IMPORT: 'asks for each row: test/extensions/metadata-tables/rights.test.ts',
  METADATA_TABLE_UNDO: 'asks for each row: test/extensions/metadata-tables/rights.test.ts',
};

const roles = [
  ...['_item_read', '_item_write', '_item_shape_read', '_item_shape_write', '_import', '_export'],
  ...['_job_write', '_library_read', '_library_write', '_file_write'],
];
const wayOut =
  /^Expected (an access entry|a user that is enabled|a file that the user|media of the item|the right to delete|READ for)/;

let world: TranscodingWorld;
let names: Names;
const ends: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  world = await openTranscoding({}, (given) => openBehind('fetch', given ?? {}, (end) => ends.push(end)));
  const { fileId: file, shapeId: shape } = await withOriginal(world);
  await fileWith(world, 'other.mp4', new TextEncoder().encode('bytes of another clip'));
  await fileWith(world, 'a.srt', new TextEncoder().encode('1\n00:00:01,000 --> 00:00:02,000\nHello\n'));
  await setPreset(world, 'lowres');
  const library = (await done<{ uri: string[] }>(world, ask('POST /API/library', { item: [] }))).uri[0]!;
  const placeholder = (await done<{ id: string }>(world, ask('POST /API/import/placeholder?container=1'))).id;
  names = { file, shape, library, placeholder };
});
afterAll(async () => {
  for (const end of ends) await end();
});

it('the table of orders has each type of jobs', async () => {
  const { uri } = await done<{ uri: string[] }>(world, ask('GET /API/jobtype'));
  const remedy = 'Remedy: a row in `orders` of this file, or in `others` why its user has no right to lose';
  expect([...Object.keys(orders), ...Object.keys(others)].toSorted(), remedy).toEqual(uri.toSorted());
});

const places = () => [item, `/API/library/${names.library}`, `/API/item/${names.placeholder}`];
const gives = async (who: Credentials, permission: string, priority: number) => {
  for (const place of places()) await done(world, ask(`POST ${place}/access`, { permission, user: who[0], priority }));
};

const takes: Readonly<Record<string, (who: Credentials) => Promise<unknown>>> = {
  'lost its entries': (who) => gives(who, 'NONE', 9),
  'was disabled': ([name]) => done(world, ask(`DELETE /API/user/${name}`)),
  'was deleted': ([name]) => done(world, ask(`DELETE /API/user/${name}?hard=true`)),
};

const tried = Object.keys(takes).flatMap((how) => Object.keys(orders).map((type) => [how, type] as const));
it.each(tried.filter(([how, type]) => type !== 'RAW_IMPORT' || how !== 'lost its entries'))(
  'a job fails whose user %s after the order: %s',
  async (how, type) => {
    const who: Credentials = [`${type}-${how}`.toLowerCase().replaceAll(/[^a-z]/g, '-'), 'p'];
    await prepare(world, [newUser(who, roles)]);
    await gives(who, 'ALL', 1);
    const { request, body } = orders[type]!;
    const order = request(names);
    const held = `${order}${order.includes('?') ? '&' : '?'}holdJob=true`;
    const { jobId } = await done<JobSeen>(world, { ...ask(held, body), as: who });
    await takes[how]!(who);
    await world.clock.advance(1_000);
    await done(world, ask(`PUT /API/job/${jobId}?status=READY`));
    const job = await ended(world, jobId);
    expect([job.type, job.status, job.log!.task.at(-1)!.errorMessage]).toEqual([
      type,
      'FAILED_TOTAL',
      expect.stringMatching(wayOut),
    ]);
    expect(world.fake.orders.length + world.fake.stillOrders.length + world.fake.joinOrders.length).toBe(0);
  },
);

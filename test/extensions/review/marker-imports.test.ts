import { expect, it } from 'vitest';
import { openWorld, type World } from '../../support/matrix.ts';
import { by, json, jsonOf, send } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import { ann, ben, cat, comment, dan, people, place } from './support.ts';

const markers = `${place}/markers`;
const sent = (body: string, as = ben, to = markers) => ({
  ...{ as, request: `POST ${to}`, body },
  headers: { ...json, 'content-type': 'application/vnd.pixar.opentimelineio+json' },
});

interface Seen {
  readonly annotation: readonly Record<string, string>[];
}
const listed = async (world: World, item = 'VX-1', as = ann) =>
  (await jsonOf<Seen>(world, `GET /API/item/${item}/annotation`, as)).annotation;

async function open(): Promise<World> {
  const world = await openWorld('fetch');
  await prepare(world, [
    ...people,
    comment({ text: 'Cut here', start: '500@PAL', end: '525@PAL' }, ann),
    comment({ text: 'Dark', start: '10', rectangle: 'percent:1,2,3,4', assignedTo: 'ann' }),
    comment({ text: 'Yes, @ben', start: '500@PAL', parent: 'VX-1' }),
    by('PUT /user/ben', { userName: 'ben', realName: 'Ben Berg' }, json),
    by(`PUT ${place}/VX-1`, { state: 'done' }, json, ann),
  ]);
  return world;
}

const time = (value: number, rate = 25) => ({ OTIO_SCHEMA: 'RationalTime.1', rate, value });
const range = (from: number, length: number, rate = 25) => ({
  ...{ OTIO_SCHEMA: 'TimeRange.1', start_time: time(from, rate), duration: time(length, rate) },
});
const marker = (name: string, marked_range: object, more: object = {}) => ({
  ...{ OTIO_SCHEMA: 'Marker.2', name, marked_range },
  ...more,
});
const clip = (marks: readonly object[], more: object = {}) => ({
  ...{ OTIO_SCHEMA: 'Clip.2', source_range: range(0, 1000), markers: marks },
  ...more,
});
const timeline = (children: readonly object[], marks: readonly object[] = []) =>
  JSON.stringify({
    OTIO_SCHEMA: 'Timeline.1',
    tracks: {
      OTIO_SCHEMA: 'Stack.1',
      markers: marks,
      children: [{ OTIO_SCHEMA: 'Track.1', kind: 'Video', children }],
    },
  });

it('markers that an export wrote come back to another item with their replies, and to their own as nothing new', async () => {
  const world = await open();
  const { body } = await send(world, { as: cat, request: `GET ${markers}?format=otio` });
  const before = await world.sequence();
  expect(JSON.parse((await send(world, sent(body))).body)).toMatchObject({ hits: 0 });
  expect(await world.events(before)).toEqual([]);
  const other = '/API/item/VX-2/annotation/markers';
  const added = JSON.parse((await send(world, sent(body, ann, other))).body) as Seen;
  expect(added.annotation).toHaveLength(3);
  expect((await world.events(before)).map(({ name }) => name)).toEqual(Array(3).fill('annotation/create'));
  const [dark, cutHere, yes] = await listed(world, 'VX-2');
  expect(dark).toMatchObject({
    ...{ text: 'Dark', start: '250@PAL', rectangle: 'percent:1,2,3,4', state: 'open', assignedTo: 'ann', user: 'ann' },
  });
  expect(cutHere).toMatchObject({ text: 'Cut here', start: '500@PAL', end: '525@PAL', state: 'done' });
  expect([yes?.['text'], yes?.['parent'], yes?.['end']]).toEqual(['Yes, @Ben Berg', cutHere?.['id'], undefined]);
  expect(JSON.parse((await send(world, sent(body, ann, other))).body)).toMatchObject({ hits: 0 });
});

it('markers of other programs count from the start of the media, on clips and on the tracks around one', async () => {
  const world = await open();
  const media = { OTIO_SCHEMA: 'MissingReference.1', available_range: range(90_000, 1000) };
  const one = clip([marker('on the clip', range(90_100, 1)), marker('', range(0, 1))], {
    ...{ source_range: range(90_050, 100), media_reference: media },
  });
  await send(world, sent(timeline([one], [marker('on the stack', range(10, 2), { comment: 'twice as long' })])));
  expect((await listed(world)).slice(3).map(({ text, start, end }) => [text, start, end])).toEqual([
    ['twice as long', '60@PAL', '62@PAL'],
    ['on the clip', '100@PAL', undefined],
  ]);
  const timeCode = [{ name: 'startTimeCode', value: [{ value: '90000@25' }] }];
  const timespan = [{ start: '-INF', end: '+INF', field: timeCode }];
  await send(world, by('PUT /API/item/VX-1/metadata', { timespan }));
  const bare = clip([marker('in time code', range(90_200, 1))], { source_range: range(90_050, 200) });
  await send(world, sent(timeline([bare])));
  expect((await listed(world)).at(-1)).toMatchObject({ text: 'in time code', start: '200@PAL' });
});

it('of several clips only those of the item are read', async () => {
  const world = await open();
  const of = (item: string) => clip([marker(`of ${item}`, range(5, 1))], { metadata: { portico: { item } } });
  await send(world, sent(timeline([of('VX-2'), of('VX-1')])));
  expect((await listed(world)).slice(3).map(({ text }) => text)).toEqual(['of VX-1']);
  const none = await world.send(sent(timeline([of('VX-2'), of('VX-2')])));
  expect([none.status, none.body]).toEqual([400, expect.stringContaining('one clip, or clips of the item')]);
});

it.each<[string, string, string]>([
  ['no JSON', 'PK\u0003\u0004', 'JSON of OpenTimelineIO'],
  [
    'more markers than a file may have',
    timeline([clip(Array(1001).fill(marker('a', range(0, 1))))]),
    'at most 1000 markers',
  ],
  ['a text that is too long', timeline([clip([marker('x'.repeat(4001), range(0, 1))])]), 'at most 4000 characters'],
  [
    'a rectangle that is none',
    timeline([clip([marker('a', range(0, 1), { metadata: { portico: { rectangle: 'x' } } })])]),
    'a part of the picture',
  ],
  ['values in values', `${'['.repeat(65)}${']'.repeat(65)}`, 'at most 64 values in values'],
])('a file with %s is refused, and nothing is added', async (_, body, sentence) => {
  const world = await open();
  const answer = await world.send(sent(body));
  expect([answer.status, answer.body]).toEqual([400, expect.stringContaining(sentence)]);
  expect(await listed(world)).toHaveLength(3);
});

it('somebody who may not comment, or not read the item, adds none', async () => {
  const world = await open();
  const body = timeline([clip([marker('a', range(0, 1))])]);
  expect((await world.send(sent(body, cat))).status).toBe(403);
  expect((await world.send(sent(body, dan))).status).toBe(403);
  expect(await listed(world)).toHaveLength(3);
});

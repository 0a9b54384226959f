import { expect, it } from 'vitest';
import { openWorld, type World } from '../../support/matrix.ts';
import { by, json, send } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { ann, ben, cat, dan, people } from './support.ts';

const context = 'http://www.w3.org/ns/anno.jsonld';
const type = `application/ld+json; profile="${context}"`;
const ld = { accept: type, 'content-type': type };
const svg = '<svg viewBox="0 0 9 9"><path d="M 1 1 L 2 3"/></svg>';

interface Annotation {
  readonly id: string;
  readonly target: unknown;
  readonly creator: { readonly nickname: string };
  readonly [name: string]: unknown;
}
interface Page {
  readonly type: string;
  readonly items: readonly Annotation[];
  readonly next?: string;
}

const write = (item: string, body: object, as: Credentials = ben) =>
  by(`POST /API/item/${item}/annotation`, body, json, as);
const jsonOf = (page: unknown): string =>
  JSON.stringify(page).replace(/\{"levels":(\d+)\}/g, (_, levels) => '['.repeat(levels) + ']'.repeat(levels));
const imports = (item: string, page: unknown, as: Credentials = admin) =>
  by(`POST /API/item/${item}/annotation`, jsonOf(page), ld, as);

async function open(): Promise<World> {
  const world = await openWorld('fetch');
  await prepare(world, [
    ...people,
    by('POST /API/item/VX-2/access', { user: 'ben', permission: 'READ' }),
    write('VX-1', {
      start: '250@PAL',
      end: '12.5',
      rectangle: 'percent:1,2,3,4',
      drawing: svg,
      text: 'Dark',
      assignedTo: 'ann',
    }),
    write('VX-1', { text: 'Yes', parent: 'VX-1', state: 'done' }, ann),
    by(
      'POST /API/item/VX-1/annotation',
      JSON.stringify({
        '@context': context,
        id: 'http://site.example/1',
        type: 'Annotation',
        bodyValue: 'Alone',
        target: 'http://site.example/film',
        rights: 'CC0',
      }),
      ld,
      ben,
    ),
  ]);
  return world;
}

const pageOf = async (world: World, item: string, query = '') => {
  const { body } = await send(world, by(`GET /API/item/${item}/annotation?complete=true${query}`, undefined, ld));
  return JSON.parse(body) as Page;
};

/** A page without the ids of its place. */
const placeless = ({ items }: Page, item: string) =>
  items.map(({ id: _, ...each }) => {
    const ids = items.map(({ id }) => id);
    const text = JSON.stringify(each).replaceAll(`/API/item/${item}`, '/ITEM');
    return JSON.parse(
      ids.reduce((all, id, at) => all.replaceAll(id.replace(`/API/item/${item}`, '/ITEM'), `#${at}`), text),
    ) as object;
  });

it('annotations of an item go to another one and come out equal: authors, times, states, replies, parts and foreign members', async () => {
  const world = await open();
  const sent = await pageOf(world, 'VX-1');
  await world.clock.advance(3_600_000);
  const { body } = await send(world, imports('VX-2', sent));
  const imported = JSON.parse(body) as Page;
  expect(imported).toMatchObject({ type: 'AnnotationPage', items: [{ state: 'open' }, { state: 'done' }, {}] });
  const received = await pageOf(world, 'VX-2');
  expect(placeless(received, 'VX-2').map(({ via: _, ...each }: { via?: unknown }) => each)).toEqual(
    placeless(sent, 'VX-1').map(({ via: _, ...each }: { via?: unknown }) => each),
  );
  const plain = JSON.parse((await send(world, by('GET /API/item/VX-2/annotation', undefined, json))).body) as {
    annotation: object[];
  };
  expect(plain.annotation).toMatchObject([
    {
      start: '10',
      end: '12.5',
      rectangle: 'percent:1,2,3,4',
      drawing: svg,
      text: 'Dark',
      assignedTo: 'ann',
      user: 'ben',
    },
    { text: 'Yes', state: 'done', user: 'ann', parent: 'VX-4' },
    { text: 'Alone', user: 'ben' },
  ]);
  // The same page again, and in two pages: nothing is there twice.
  await send(world, imports('VX-2', sent));
  expect(await pageOf(world, 'VX-2')).toEqual(received);
  await send(world, imports('VX-1', sent));
  expect(await pageOf(world, 'VX-1')).toEqual(sent);
});

it('replies find what they reply to in an earlier page', async () => {
  const world = await open();
  for (const first of [1, 2, 3])
    await send(world, imports('VX-2', await pageOf(world, 'VX-1', `&first=${first}&number=1`)));
  const plain = JSON.parse((await send(world, by('GET /API/item/VX-2/annotation', undefined, json))).body) as {
    annotation: object[];
  };
  expect(plain.annotation).toMatchObject([{ id: 'VX-4' }, { parent: 'VX-4' }, { text: 'Alone' }]);
});

it('an attack: an importer who is no administrator writes in nobody else’s name and at no other time', async () => {
  const world = await open();
  const sent = await pageOf(world, 'VX-1');
  await world.clock.advance(3_600_000);
  await send(world, imports('VX-2', sent, ben));
  const { items } = await pageOf(world, 'VX-2');
  expect(new Set(items.map(({ creator, created }) => `${creator.nickname} ${created}`))).toEqual(
    new Set([`ben ${new Date(world.clock.now()).toISOString()}`]),
  );
  for (const [as, status] of [
    [cat, 403],
    [dan, 403],
  ] as const)
    expect((await world.send(imports('VX-1', sent, as))).status).toBe(status);
});

const one = { type: 'Annotation', bodyValue: 'a', target: 'http://site.example/film' };
const about = (selector: unknown) => ({ source: 'http://site.example/film', selector });
/** Becomes lists in lists, which are too deep for JSON.stringify. */
const nested = (levels: number): unknown => ({ levels });
const page = (...items: unknown[]) => ({ '@context': context, type: 'AnnotationPage', items });

it.each<[attack: string, page: object, says: string]>([
  ['no annotation', page(), 'a list of Web Annotations'],
  ['a list that is none', { ...page(), items: 'x' }, 'a list of Web Annotations'],
  ['one that is none', page(one, 7), 'items/1'],
  ['101 annotations', page(...Array.from({ length: 101 }, () => one)), 'at most 100 annotations'],
  ['one that is too long', page(one, { ...one, bodyValue: 'x'.repeat(40_000) }), 'at most'],
  [
    'a script in a drawing',
    page(one, { ...one, target: { source: 'x', selector: { type: 'SvgSelector', value: '<svg onload="a()"/>' } } }),
    'an svg of path',
  ],
  [
    'a reply to a reply',
    page({ ...one, id: 'x:1' }, { ...one, id: 'x:2', target: 'x:1' }, { ...one, id: 'x:3', target: 'x:2' }),
    'no reply itself',
  ],
  [
    'values in values',
    page({ ...one, target: Array.from({ length: 30 }).reduce<unknown>((inner) => [inner], 'x') }),
    'at most 20 values',
  ],
  ['one with 60,000 selectors', page({ ...one, target: about(Array(60_000).fill(1)) }), 'at most 20000 values'],
  ['one with 18,000 selectors', page({ ...one, target: about(Array(18_000).fill(1)) }), 'items/0'],
  [
    'one with 90,000 members',
    page({ ...one, ...Object.fromEntries(Array(90_000).fill(0).entries()) }),
    'at most 20000 values',
  ],
  ['one with 100,000 targets', page({ ...one, target: Array(100_000).fill('x') }), 'at most 20000 values'],
  [
    'a drawing that is an object',
    page({ ...one, target: about({ type: 'SvgSelector', value: { toString: 1 } }) }),
    'an svg of path',
  ],
  ['NUL in a member', page(one, { ...one, 'ex:a': { b: 'a\0' } }), 'items/1/ex:a/b'],
  [
    'half a surrogate pair in the name of a member',
    page(one, { ...one, 'ex:\ud800': 1 }),
    'text without half a surrogate pair',
  ],
  ['a type of 10,000 lists', page({ ...one, type: nested(10_000) }), 'at most 20 values in values'],
  ['a context of 10,000 lists', { ...page(one), '@context': nested(10_000) }, 'at most 20 values in values'],
  ['items of 10,000 lists', { ...page(), items: nested(10_000) }, 'at most 20 values in values'],
  ['one with too many members', page(one, { ...one, 'ex:a': 'x'.repeat(40_000) }), 'at most 32768 bytes'],
  ['a reply to itself', page({ ...one, id: 'x:1', target: 'x:1' }), 'no reply itself'],
])('an attack by a page with %s is refused, and leaves nothing', async (_, body, says) => {
  const world = await openWorld('fetch');
  await prepare(world, people);
  const answer = await world.send(imports('VX-2', body));
  expect([answer.status, answer.body]).toEqual([400, expect.stringContaining(says)]);
  expect((await pageOf(world, 'VX-2')).items).toEqual([]);
});

it('an author in the future or without a name is of now, and of the administrator', async () => {
  const world = await openWorld('fetch');
  await prepare(world, people);
  const now = new Date(world.clock.now()).toISOString();
  const items = [
    { ...one, creator: { nickname: 'x'.repeat(300) }, created: '2999-01-01T00:00:00Z' },
    { ...one, creator: [{ name: 'Gone' }], created: '2001-02-03T04:05:06Z', modified: 'never' },
  ];
  await send(world, imports('VX-2', page(...items)));
  expect((await pageOf(world, 'VX-2')).items).toMatchObject([
    { creator: { nickname: 'admin' }, created: now, modified: now },
    { creator: { nickname: 'Gone' }, created: '2001-02-03T04:05:06.000Z', modified: '2001-02-03T04:05:06.000Z' },
  ]);
});

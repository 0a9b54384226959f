import { expect, it } from 'vitest';
import { openWorld, type World } from '../../support/matrix.ts';
import { by, json, jsonOf, send } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import { ben, cat, comment, people, place } from './support.ts';

const context = 'http://www.w3.org/ns/anno.jsonld';
const type = `application/ld+json; profile="${context}"`;
const ld = { accept: type, 'content-type': type };
const film = 'http://media.example/film.mp4';
const media = 'http://www.w3.org/TR/media-frags/';
const svg = '<svg:svg xmlns:svg="http://www.w3.org/2000/svg"><svg:ellipse cx="5" cy="5" rx="1" ry="2"/></svg:svg>';
const fragment = (value: string, more: object = {}) => ({
  type: 'FragmentSelector',
  conformsTo: media,
  value,
  ...more,
});
const about = (selector: object) => ({ target: { source: film, selector } });

const write = (body: object, as = ben) => by(`POST ${place}`, JSON.stringify(body), ld, as);
const anno = (members: object) => ({
  '@context': context,
  id: 'http://site.example/anno1',
  type: 'Annotation',
  ...members,
});
const bodyOf = ({ body }: { readonly body: string }) => JSON.parse(body) as Record<string, unknown>;

async function open(): Promise<World> {
  const world = await openWorld('fetch');
  await prepare(world, people);
  return world;
}

/** In the forms of the examples of the recommendation that have media, and what the plain form has of each. */
const examples: readonly (readonly [what: string, members: object, plain: object])[] = [
  ['a resource as body', { body: 'http://site.example/post1', target: film }, {}],
  [
    'external resources with their properties',
    {
      body: { id: 'http://site.example/a.mp3', format: 'audio/mpeg', language: 'fr' },
      target: { id: 'http://site.example/b.pdf', language: ['en', 'ar'], textDirection: 'ltr' },
    },
    {},
  ],
  [
    'types of resources',
    { body: { id: film, type: 'Video' }, target: { id: 'http://site.example/1', type: 'Text' } },
    {},
  ],
  [
    'a part of a picture in the address',
    {
      body: 'http://site.example/d1',
      target: { id: `${film}#xywh=100,100,300,300`, type: 'Image', format: 'image/jpeg' },
    },
    { rectangle: 'pixel:100,100,300,300' },
  ],
  [
    'a textual body with markup',
    {
      body: { type: 'TextualBody', value: "<p>j'adore !</p>", format: 'text/html', language: 'fr' },
      target: 'http://site.example/photo1',
    },
    { text: "<p>j'adore !</p>" },
  ],
  ['a text alone', { bodyValue: 'A word', target: film }, { text: 'A word' }],
  [
    'several bodies and targets',
    {
      body: ['http://site.example/d1', { type: 'TextualBody', value: 'tag1' }],
      target: ['http://site.example/1.jpg', 'http://site.example/2.jpg'],
    },
    { text: 'tag1' },
  ],
  [
    'a choice of bodies',
    { body: { type: 'Choice', items: ['http://site.example/1', 'http://site.example/2'] }, target: film },
    {},
  ],
  [
    'purposes, of which a tag is no comment',
    {
      motivation: 'bookmarking',
      body: [
        { type: 'TextualBody', value: 'readme', purpose: 'tagging' },
        { type: 'TextualBody', value: 'A good description', purpose: 'describing' },
      ],
      target: film,
    },
    { text: 'A good description' },
  ],
  ['a tag', { motivation: 'tagging', body: { type: 'TextualBody', value: 'night' }, target: film }, { text: 'night' }],
  [
    'seconds of a film',
    { body: 'http://site.example/note1', ...about(fragment('t=30,60')) },
    { start: '30', end: '60' },
  ],
  [
    'a region of a picture',
    {
      body: { source: film, purpose: 'describing', selector: fragment('xywh=50,50,640,480') },
      ...about(fragment('xywh=50,50,640,480')),
    },
    { rectangle: 'pixel:50,50,640,480' },
  ],
  [
    'a drawing that is elsewhere',
    { body: 'http://site.example/road1', ...about({ id: 'http://site.example/svg1', type: 'SvgSelector' }) },
    {},
  ],
  ['a drawing', { body: 'http://site.example/road1', ...about({ type: 'SvgSelector', value: svg }) }, { drawing: svg }],
  [
    'a selector that refines another',
    { bodyValue: 'Here', ...about(fragment('t=npt:1:10.5', { refinedBy: { type: 'SvgSelector', value: svg } })) },
    { start: '70.5', drawing: svg, text: 'Here' },
  ],
  [
    'time and part at once',
    { bodyValue: 'Here', ...about(fragment('t=smpte-25:0:00:10:05,0:00:11:00&xywh=percent:25,25,50,50')) },
    { start: '255@PAL', end: '275@PAL', rectangle: 'percent:25,25,50,50', text: 'Here' },
  ],
  [
    'a time up to a second',
    { bodyValue: 'Here', ...about(fragment('t=,20')) },
    { start: '0', end: '20', text: 'Here' },
  ],
  ['a time in a form that is none', { bodyValue: 'Here', ...about(fragment('t=noon')) }, { text: 'Here' }],
  [
    'members that the model does not know',
    { bodyValue: 'Here', target: film, rights: 'https://site.example/by', 'ex:grade': { 'ex:of': [1, null, true] } },
    { text: 'Here' },
  ],
  [
    'a style, a state and who rendered it',
    {
      stylesheet: { id: 'http://site.example/style1', type: 'CssStylesheet' },
      body: 'http://site.example/c1',
      target: {
        source: film,
        styleClass: 'red',
        state: { type: 'TimeState', sourceDate: '2015-07-20T13:30:00Z' },
        scope: film,
      },
    },
    {},
  ],
];

const said = ['creator', 'created', 'modified'];
const withoutSaid = (members: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !said.includes(name)));

it.each(examples)('a Web Annotation comes back as it went in: %s', async (_what, members, plain) => {
  const world = await open();
  const made = await send(world, write(anno(members)));
  expect(made.headers.get('content-type')).toBe(type);
  const id = made.headers.get('location')!;
  const back = await send(world, { as: cat, request: `GET ${place}/VX-1`, headers: { accept: type } });
  expect(bodyOf(back)).toEqual(bodyOf(made));
  expect(withoutSaid(bodyOf(back))).toEqual({ ...anno(members), id, via: 'http://site.example/anno1' });
  expect(bodyOf(back)['creator']).toEqual({ type: 'Person', nickname: 'ben' });
  const document = await jsonOf(world, `GET ${place}/VX-1`, cat);
  const content = ['start', 'end', 'rectangle', 'drawing', 'text', 'parent'];
  expect(Object.fromEntries(Object.entries(document).filter(([name]) => content.includes(name)))).toEqual(plain);
  // Sent back as it came, it stays what it is.
  await send(world, by(`PUT ${place}/VX-1`, back.body, ld, ben));
  const again = await send(world, { as: cat, request: `GET ${place}/VX-1`, headers: { accept: type } });
  expect(withoutSaid(bodyOf(again))).toEqual(withoutSaid(bodyOf(back)));
});

it('a comment in the plain form is a Web Annotation, and a reply is about its comment', async () => {
  const world = await open();
  const drawing = '<svg><path d="M1 1"/></svg>';
  await prepare(world, [
    comment({ text: 'Dark', start: '250@PAL', end: '12.5', rectangle: 'percent:1,2,3,4', drawing }),
    comment({ text: 'Yes', parent: 'VX-1' }),
    comment({ drawing }),
  ]);
  const page = bodyOf(await send(world, { as: cat, request: `GET ${place}?number=2`, headers: { accept: type } }));
  const base = String((page['partOf'] as { id: string }).id);
  const source = base.replace(/\/annotation$/, '');
  expect(page).toMatchObject({ '@context': context, type: 'AnnotationPage', startIndex: 0, partOf: { total: 3 } });
  expect(page['next']).toBe(`${base}?number=2&first=3`);
  expect(page['items']).toMatchObject([
    {
      id: `${base}/VX-1`,
      motivation: 'commenting',
      body: { type: 'TextualBody', value: 'Dark', format: 'text/plain' },
      target: {
        source,
        selector: fragment('t=10,12.5&xywh=percent:1,2,3,4', { refinedBy: { type: 'SvgSelector', value: drawing } }),
      },
    },
    { motivation: 'replying', body: { value: 'Yes' }, target: `${base}/VX-1` },
  ]);
  const last = bodyOf(
    await send(world, {
      as: cat,
      request: `GET ${page['next']}`.replace(/https?:\/\/[^/]+/, ''),
      headers: { accept: type },
    }),
  );
  expect(last['items']).toMatchObject([{ target: { selector: { type: 'SvgSelector', value: drawing } } }]);
  expect(last).not.toHaveProperty('next');
  // A reply by the standard is one here.
  const target = `${base}/VX-1`;
  await send(world, write(anno({ motivation: 'replying', bodyValue: 'Agreed', target })));
  expect(await jsonOf(world, `GET ${place}/VX-4`, cat)).toMatchObject({ parent: 'VX-1', text: 'Agreed' });
});

it('a change in the plain form changes what is said, and keeps other members', async () => {
  const world = await open();
  const members = { bodyValue: 'Old', rights: 'https://site.example/by', ...about(fragment('t=30,60')) };
  await send(world, write(anno(members)));
  await send(world, by(`PUT ${place}/VX-1`, { state: 'done' }, json, ben));
  const read = async () =>
    bodyOf(await send(world, { as: cat, request: `GET ${place}/VX-1`, headers: { accept: type } }));
  expect(await read()).toMatchObject(members);
  await send(world, by(`PUT ${place}/VX-1`, { text: 'New', start: '31' }, json, ben));
  const changed = await read();
  expect(changed).not.toHaveProperty('bodyValue');
  expect(changed).toMatchObject({
    rights: 'https://site.example/by',
    body: { value: 'New' },
    target: { selector: fragment('t=31,60') },
  });
});

const deep = (depth: number): unknown => (depth === 0 ? 1 : { 'ex:a': deep(depth - 1) });

it.each([
  ['no JSON', '{', 'Expected a Web Annotation in JSON'],
  ['a list', '[]', 'Expected a Web Annotation in JSON'],
  ['another context', { '@context': 'http://site.example/', type: 'Annotation', target: film }, `Expected ${context}`],
  ['another type', { '@context': context, type: 'Note', target: film }, 'Expected Annotation'],
  ['no target', { '@context': context, type: 'Annotation' }, 'Expected what the annotation is about'],
  [
    'a body nested a thousand times',
    anno({ target: film, 'ex:a': deep(1000) }),
    'Expected at most 20 values in values',
  ],
  ['a text that is too long', anno({ target: film, bodyValue: 'x'.repeat(4001) }), 'Expected at most 4000 characters'],
  ['a part that leaves the picture', anno(about(fragment('xywh=percent:90,0,20,1'))), 'Expected a part of the picture'],
  ['times in the wrong order', anno(about(fragment('t=60,30'))), 'Expected a time from the start on'],
  [
    'a script in the drawing of a second target',
    anno({ target: [film, { source: film, selector: { type: 'SvgSelector', value: '<svg onload="alert(1)"/>' } }] }),
    'Expected an svg of path',
  ],
  [
    'a script in a drawing that is no text',
    anno(about({ type: ['SvgSelector'], value: ['<svg><script/></svg>'] })),
    'Expected an svg of path',
  ],
])('refuses %s', async (_what, body, text) => {
  const world = await open();
  const answer = await world.send(
    by(
      `POST ${place}`,
      typeof body === 'string' ? body : JSON.stringify(body),
      { ...ld, accept: 'application/json' },
      ben,
    ),
  );
  expect([answer.status, answer.body]).toEqual([400, expect.stringContaining(text)]);
  expect((await world.service.store.read('SELECT count(*) FROM annotation'))[0]).toEqual([0]);
});

it('a Web Annotation claims to be by somebody else, at another time', async () => {
  const world = await open();
  const creator = { id: 'http://site.example/boss', type: 'Person', nickname: 'boss' };
  const made = await send(
    world,
    write(anno({ target: film, bodyValue: 'a', creator, created: '2000-01-01T00:00:00Z' })),
  );
  expect(made.body).not.toMatch(/boss|2000-01/);
});

it('a Web Annotation of more than 32 KiB is refused', async () => {
  const world = await open();
  const { status } = await world.send(write(anno({ target: film, 'ex:a': 'x'.repeat(33_000) })));
  expect(status).toBe(413);
});

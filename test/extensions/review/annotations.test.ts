import { expect, it } from 'vitest';
import { describeMatrix, openWorld } from '../../support/matrix.ts';
import { by, json, jsonOf, send, xml } from '../../support/requests.ts';
import { itHolds, prepare, type Scenario } from '../../support/scenario.ts';
import { ann, ben, cat, comment, dan, people, place } from './support.ts';

const drawing =
  '<svg viewBox="0 0 100 100"><path d="M 10 10 L 20.5,30"/><rect x="1" y="2" width="3" height="4"/></svg>';
const marked = {
  start: '250@PAL',
  end: '12.5',
  rectangle: 'percent:10,20,30.5,40',
  drawing,
  text: 'Too dark here, @cat',
  assignedTo: 'ann',
};
const bad = { 'portico-error': 'bad-value' };
const one = `${place}/VX-1`;
const reply = { text: 'Yes', parent: 'VX-1' };

const refused: readonly (readonly [what: string, body: object, says: string])[] = [
  ['nothing to say', { start: '1' }, 'Expected a text, a rectangle or a drawing'],
  ['a time that is none', { text: 'a', start: 'noon' }, 'Expected a time code from 0 on'],
  ['a time before the first picture', { text: 'a', start: '-1' }, 'Expected a time code from 0 on'],
  ['an attack: an absurd time', { text: 'a', start: '999999999999999999@1:9999999999' }, 'within 100,000 hours'],
  ['an attack: an absurd end', { text: 'a', start: '1', end: '360000001' }, 'within 100,000 hours'],
  ['a time without an end', { text: 'a', start: '+INF' }, 'Expected a time code from 0 on'],
  ['an end before its start', { text: 'a', start: '2', end: '25@PAL' }, 'Expected a time from the start on'],
  ['an end without a start', { text: 'a', end: '1' }, 'Expected a start'],
  ['a part that leaves the picture', { rectangle: 'percent:80,0,30,10' }, 'Expected a part of the picture'],
  ['a part without area', { rectangle: 'pixel:1,1,0,5' }, 'Expected a part of the picture'],
  ['a text of 4,001 characters', { text: 'x'.repeat(4001) }, 'Expected at most 4000 characters'],
  ['a version that is not there', { text: 'a', version: 7 }, 'Expected an essence version of the item'],
  ['nobody to act', { text: 'a', assignedTo: 'nobody' }, 'Expected a user who may read the item'],
  ['somebody to act who may not read the item', { text: 'a', assignedTo: 'dan' }, 'Expected a user who may read'],
];

const rows: readonly Scenario[] = [
  {
    name: 'an annotation has time, part, drawing, text and who is to act, and tells whom it mentions',
    ...comment(marked),
    status: 200,
    answers: { location: /\/API\/item\/VX-1\/annotation\/VX-1$/ },
    says: { jsonPart: { id: 'VX-1', item: 'VX-1', state: 'open', user: 'ben', ...marked } },
    events: [
      [
        'annotation/create',
        'VX-1',
        { itemId: 'VX-1', annotationId: 'VX-1', author: 'ben', state: 'open', assignedTo: 'ann', mention: ['cat'] },
      ],
    ],
  },
  {
    name: 'is read by every reader of the item',
    given: [comment(marked)],
    as: cat,
    request: `GET ${one}`,
    headers: json,
    status: 200,
    says: { jsonPart: marked },
  },
  {
    name: 'is a document in XML, too',
    given: [
      by(
        `POST ${place}`,
        '<AnnotationDocument><text>a &lt; b</text><start>1</start></AnnotationDocument>',
        { ...xml, 'content-type': 'application/xml' },
        ben,
      ),
    ],
    as: ben,
    request: `GET ${one}`,
    headers: xml,
    status: 200,
    says: { contains: ['<start>1</start><text>a &lt; b</text><state>open</state>'] },
  },
  {
    name: 'is done by its author, and keeps what the document leaves out',
    given: [comment(marked)],
    ...by(`PUT ${one}`, { state: 'done' }, json, ben),
    status: 200,
    says: { jsonPart: { ...marked, state: 'done' } },
    events: [['annotation/modify', 'VX-1', { annotationId: 'VX-1', state: 'done' }]],
  },
  {
    name: 'loses what the document has empty',
    given: [comment(marked)],
    ...by(`PUT ${one}`, { end: '', assignedTo: '', drawing: '' }, json, ben),
    status: 200,
    says: { lacks: ['"end"', 'assignedTo', 'drawing'], jsonPart: { start: '250@PAL' } },
    events: [['annotation/modify', 'VX-1']],
  },
  {
    name: 'tells of a mention once',
    given: [comment(marked)],
    ...by(`PUT ${one}`, { text: '@cat and @ann: look' }, json, ben),
    status: 200,
    events: [['annotation/modify', 'VX-1', { mention: ['ann'] }]],
  },
  {
    name: 'takes replies with it',
    given: [comment(marked), comment(reply)],
    ...by(`DELETE ${one}`, undefined, json, ben),
    status: 200,
    events: [['annotation/delete', 'VX-1', { annotationId: 'VX-1' }]],
  },
  {
    name: 'lists pages by state, user and version',
    given: [
      comment(marked),
      comment(reply),
      comment({ text: 'b' }),
      by(`PUT ${place}/VX-3`, { state: 'done' }, json, ben),
    ],
    as: cat,
    request: `GET ${place}?state=open&number=1&first=2`,
    headers: json,
    status: 200,
    says: { jsonPart: { hits: 2, annotation: [{ id: 'VX-2', parent: 'VX-1' }] } },
  },
  {
    name: 'lists what one user is to do',
    given: [comment({ text: 'a' }), comment(marked)],
    as: cat,
    request: `GET ${place}?assignedTo=ann`,
    headers: json,
    status: 200,
    says: { jsonPart: { hits: 1, annotation: [{ id: 'VX-2' }] } },
  },
  {
    name: 'replies to no reply',
    given: [comment(marked), comment(reply)],
    ...comment({ text: 'a', parent: 'VX-2' }),
    status: 400,
    answers: bad,
    says: { contains: ['Expected an annotation that is no reply itself'] },
  },
  {
    name: 'becomes no reply when it has replies itself',
    given: [comment(marked), comment(reply), comment({ text: 'b' })],
    ...by(`PUT ${one}`, { parent: 'VX-3' }, json, ben),
    status: 400,
    answers: bad,
    says: { contains: ['Expected none, since the annotation has replies itself'] },
  },
  ...refused.map(
    ([what, body, text]): Scenario => ({
      name: `refuses ${what}`,
      ...comment(body),
      status: 400,
      answers: bad,
      says: { contains: [text] },
    }),
  ),
];

describeMatrix('an annotation', (entry) => itHolds(entry, rows, { given: people }));

/** All shapes of the item are closed to Ben. */
const closed = by('POST /API/item/VX-1/access', {
  user: 'ben',
  permission: 'NONE',
  operation: { shape: {} },
  priority: 1,
});

const attacks: readonly Scenario[] = [
  {
    name: 'a user guesses versions whose shapes are all closed to that user',
    given: [closed],
    ...comment({ text: 'a', version: 0 }),
    status: 400,
    answers: bad,
    says: { contains: ['Expected an essence version of the item'] },
  },
  {
    name: 'a reader without the role comments',
    ...comment({ text: 'a' }, cat),
    status: 403,
    answers: { 'portico-error': 'role-missing' },
  },
  { name: 'a user who may not read the item comments on it', ...comment({ text: 'a' }, dan), status: 403 },
  {
    name: 'a user who may not read the item lists its annotations',
    given: [comment(marked)],
    as: dan,
    request: `GET ${place}`,
    headers: json,
    status: 403,
    says: { lacks: ['dark'] },
  },
  {
    name: 'ids are counted up below an item of the caller',
    given: [comment(marked)],
    as: ann,
    request: 'GET /API/item/VX-2/annotation/VX-1',
    headers: json,
    status: 404,
    says: { lacks: ['dark'] },
  },
  {
    name: 'ids are counted up to delete what is below another item',
    given: [comment(marked)],
    as: ann,
    request: 'DELETE /API/item/VX-2/annotation/VX-1',
    headers: json,
    status: 404,
  },
  {
    name: 'a reply joins the annotation of another item',
    given: [by('POST /API/item/VX-2/annotation', { text: 'a' }, json, ann)],
    ...comment({ text: 'b', parent: 'VX-1' }),
    status: 404,
  },
  {
    name: 'a reader with the role changes what another wrote',
    given: [comment(marked, ann)],
    ...by(`PUT ${one}`, { text: 'other words' }, json, ben),
    status: 403,
    answers: { 'portico-error': 'not-allowed' },
  },
  {
    name: 'a reader with the role deletes what another wrote',
    given: [comment(marked, ann)],
    ...by(`DELETE ${one}`, undefined, json, ben),
    status: 403,
    answers: { 'portico-error': 'not-allowed' },
  },
  {
    name: 'an author deletes the replies of others with the own annotation',
    given: [comment(marked), comment(reply, ann)],
    ...by(`DELETE ${one}`, undefined, json, ben),
    status: 403,
    answers: { 'portico-error': 'not-allowed' },
  },
  {
    name: 'a text mentions a user who may not read the item, and one who is not there',
    ...comment({ text: '@dan @nobody cat@cat @cat.' }),
    status: 200,
    events: [['annotation/create', 'VX-1', { mention: ['cat'] }]],
  },
  {
    name: 'a document claims another author and time',
    ...comment({ text: 'a', user: 'ann', id: 'VX-9', item: 'VX-2', created: '2000-01-01T00:00:00Z' }),
    status: 200,
    says: { jsonPart: { user: 'ben', id: 'VX-1', item: 'VX-1' }, lacks: ['2000-01'] },
    events: [['annotation/create', 'VX-1']],
  },
  {
    name: 'a text with markup stays a text',
    given: [comment({ text: '</text><script>alert(1)</script>' })],
    as: cat,
    request: `GET ${one}`,
    headers: xml,
    status: 200,
    says: { lacks: ['<script'], contains: ['&lt;script'] },
  },
  ...[
    '<svg><script>alert(1)</script></svg>',
    '<svg onload="alert(1)"><path d="M0 0"/></svg>',
    '<svg><path d="M0 0" onclick="alert(1)"/></svg>',
    '<svg><path d="javascript:alert(1)"/></svg>',
    '<svg><a href="http://evil.example/"><path d="M0 0"/></a></svg>',
    '<svg><image href="http://evil.example/"/></svg>',
    '<svg><foreignObject><p/></foreignObject></svg>',
    '<svg><use xlink:href="#a"/></svg>',
    `<svg><path d="M0 0' of a quote"/></svg>`,
    '<svg><path style="background:url(http://evil.example)" d="M0 0"/></svg>',
    '<!DOCTYPE svg [<!ENTITY a "b">]><svg><path d="M0 0"/></svg>',
    '<svg><path d="M0 0"/></svg><svg><path d="M0 0"/></svg>',
    '<svg><rect x="1"><path d="M0 0"/></rect></svg>',
    '<svg><path d="M0 0"/>',
    '<svg><path d="M0 0"/></svg:svg>',
    '<svg xmlns="http://evil.example"><path d="M0 0"/></svg>',
    '<svg><path d="M0 0" d="M1 1"/></svg>',
    '<svg></svg>',
    'M 0 0 L 1 1',
    `<svg><path d="M${' 0'.repeat(9000)}"/></svg>`,
    `<svg${' '.repeat(16_000)}x`,
  ].map(
    (sent): Scenario => ({
      name: `a drawing is more than shapes with numbers: ${sent.slice(0, 70)}`,
      ...comment({ drawing: sent }),
      status: 400,
      answers: bad,
    }),
  ),
];

describeMatrix('who may do what with annotations, by the attack', (entry) =>
  itHolds(entry, attacks, { given: people }),
);

it('a user with WRITE on the item changes and deletes what others wrote, with their replies', async () => {
  const world = await openWorld('fetch');
  await prepare(world, [...people, comment(marked), comment(reply, ben)]);
  expect(JSON.parse((await send(world, by(`PUT ${one}`, { state: 'done' }, json, ann))).body)).toMatchObject({
    user: 'ben',
    state: 'done',
  });
  await send(world, by(`DELETE ${one}`, undefined, json, ann));
  expect(await jsonOf(world, `GET ${place}`, cat)).toEqual({ hits: 0, annotation: [] });
});

it('annotations go with their item', async () => {
  const world = await openWorld('fetch');
  await prepare(world, [...people, comment(marked), comment(reply)]);
  await send(world, by('DELETE /API/item/VX-1', undefined, json, ann));
  expect(await world.service.store.read('SELECT count(*) FROM annotation')).toEqual([[0]]);
});

it('an annotation shows the name that its author has now', async () => {
  const world = await openWorld('fetch');
  await prepare(world, [...people, comment({ text: 'a' })]);
  await send(world, by('PUT /API/user/ben', { userName: 'benny' }));
  expect(await jsonOf(world, `GET ${one}`, cat)).toMatchObject({ user: 'benny' });
});

it('two changes at once lose nothing', async () => {
  const world = await openWorld('fetch');
  await prepare(world, [...people, comment(marked)]);
  await Promise.all([
    send(world, by(`PUT ${one}`, { text: 'new' }, json, ben)),
    send(world, by(`PUT ${one}`, { state: 'done' }, json, ann)),
  ]);
  expect(await jsonOf(world, `GET ${one}`, cat)).toMatchObject({ text: 'new', state: 'done' });
});

it('an item has so many annotations, and no more', async () => {
  const world = await openWorld('fetch');
  await prepare(world, people);
  const sql = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
    INSERT INTO annotation (id, serial, item_id, state, user_id, user, created_at, changed_at, version)
    SELECT 'T-' || i, i, 'VX-1', 'open', '', 'x', 0, 0, 1 FROM n`;
  await world.service.store.commit({ changes: [{ sql, args: [] }], events: [] }, { user: 'test' });
  const { status, body } = await world.send(comment({ text: 'a' }));
  expect([status, body]).toEqual([400, expect.stringContaining('Expected fewer than 10000 annotations')]);
});

it('the user to whom an annotation is assigned sets it done, and open again, with READ on the item, and changes nothing else', async () => {
  const world = await openWorld('fetch');
  await prepare(world, [...people, comment({ text: 'Too dark', assignedTo: 'cat' }), comment({ text: 'Loud' })]);
  const put = async (body: object, who = cat, path = one) =>
    (await world.send(by(`PUT ${path}`, body, json, who))).status;
  const before = await jsonOf(world, `GET ${one}`, ben);
  for (const more of [{ text: 'Fine' }, { assignedTo: '' }, { assignedTo: 'ann' }, { start: '1' }, { text: '' }])
    expect([more, await put({ state: 'done', ...more })]).toEqual([more, 403]);
  expect(await put({ text: 'Too dark' })).toBe(403);
  expect(await put({ state: 'done' }, cat, `${place}/VX-2`)).toBe(403);
  expect((await world.send(by(`DELETE ${one}`, undefined, json, cat))).status).toBe(403);
  expect(await jsonOf(world, `GET ${one}`, ben)).toEqual(before);
  expect(await put({ state: 'done', text: 'Too dark', assignedTo: 'cat' })).toBe(200);
  expect(await jsonOf(world, `GET ${one}`, ben)).toMatchObject({ state: 'done', text: 'Too dark', user: 'ben' });
  expect(await put({ state: 'open' })).toBe(200);
  expect(await jsonOf(world, `GET ${one}`, ben)).toMatchObject({ state: 'open', text: 'Too dark', user: 'ben' });
});

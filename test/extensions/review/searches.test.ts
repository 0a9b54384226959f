import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ItemSearch } from '../../../src/assets/search/documents.ts';
import { find } from '../../../src/assets/search/find.ts';
import type { SqlValue } from '../../../src/core/store/contract.ts';
import type { LimitedReader } from '../../../src/core/store/statement.ts';
import { approvalRows } from '../../../src/extensions/review/approval-sql.ts';
import { annotationRows } from '../../../src/extensions/review/store.ts';
import { add, catchUp, engineWorld, search } from '../../assets/search/engine/engine-world.ts';
import { join, newCollection, openSharedAssets } from '../../support/assets.ts';
import { newUser } from '../../support/cast.ts';
import { by, json, send } from '../../support/requests.ts';
import { admin, type Credentials, openService } from '../../support/service.ts';
import { ann, ben, cat, dan, people } from './support.ts';

const field = (name: string, value: string, more: object = {}) => ({ field: [{ name, value: [{ value, ...more }] }] });
const text = (value: string, noescape = false) => ({ text: [{ value, noescape }] });
const not = (criteria: object) => ({ operator: [{ operation: 'NOT', ...criteria }] });
const write = (item: string, body: object, as: Credentials = ann) =>
  by(`POST /API/item/${item}/annotation`, body, json, as);
const eve: Credentials = ['eve', 'p'];

/** VX-1 and VX-2 of Ann with comments, VX-3 of Ann without. Dan reads no item, and Eve none of the annotations. */
const comments = [
  by('POST /API/import/placeholder?container=1', undefined, json, ann),
  ...['ann', 'ben', 'cat', 'dan'].map((name) => by(`PUT /API/group/_item_search/user/${name}`)),
  ...['_library_read', '_library_write'].map((role) => by(`PUT /API/group/${role}/user/ann`)),
  newUser(eve, ['_item_search']),
  by('POST /API/item/VX-1/access', { user: 'eve', permission: 'READ' }),
  write('VX-1', { text: 'Too dark in the Häfen, at night', assignedTo: 'ann' }, ben),
  write('VX-1', { text: 'Yes', parent: 'VX-1' }),
  write('VX-1', { rectangle: 'percent:0,0,10,10', state: 'done' }),
  write('VX-2', { text: 'Dark secret' }),
  newCollection('?name=box'),
  join('VX-1', 'VX-1'),
];

describe('searches by annotations', () => {
  const world = openSharedAssets();
  beforeAll(async () => {
    for (const sent of [...people, ...comments]) await send(world(), sent);
  });

  async function seen(document: object, as: Credentials = ann, path = 'item') {
    const { body } = await send(world(), by(`PUT /API/${path}`, document, json, as));
    const page = JSON.parse(body) as Record<string, unknown> & { hits: number };
    const key = path.startsWith('search/') ? path.slice(7) : path === 'search' ? 'entry' : path;
    const ids = ((page[key] ?? []) as { readonly id: string }[]).map(({ id }) => id);
    expect(page.hits).toBe(ids.length);
    return ids;
  }
  const ids = (annotation: object, as?: Credentials) => seen({ annotation }, as);

  it.each<[what: string, annotation: object, items: readonly string[]]>([
    ['any of it', {}, ['VX-2', 'VX-1']],
    ['a word', text('DARK'), ['VX-2', 'VX-1']],
    ['a word with accents', text('hafen'), ['VX-1']],
    ['a beginning', text('secr*'), ['VX-2']],
    ['words in any order', text('night dark'), ['VX-1']],
    ['words of two comments', text('dark yes'), []],
    ['a phrase', text('"dark in"', true), ['VX-1']],
    ['a phrase in another order', text('"in dark"', true), []],
    ['a query', text('secret OR yes', true), ['VX-2', 'VX-1']],
    ['its text in order', field('text', 'too dark'), ['VX-1']],
    ['its text as a query', field('text', 'dark AND NOT secret', { noescape: true }), ['VX-1']],
    ['any text', field('text', '*'), ['VX-2', 'VX-1']],
    ['a state', field('state', 'open'), ['VX-2', 'VX-1']],
    ['another state', field('state', 'done'), ['VX-1']],
    ['one comment with both', { ...field('state', 'done'), ...text('dark') }, []],
    ['its author', field('user', 'ben'), ['VX-1']],
    ['names with a wildcard', field('user', 'b*'), ['VX-1']],
    ['who is to act', field('assignedTo', 'ann'), ['VX-1']],
    ['who is to act, of any', { field: [{ name: 'assignedTo' }] }, ['VX-1']],
    ['nobody', field('assignedTo', 'nobody'), []],
    ['no reply', { ...text('yes'), ...not({ field: [{ name: 'parent' }] }) }, []],
    ['a version', field('version', '7'), []],
    [
      'a time',
      { field: [{ name: 'created', range: [{ value: [{ value: '2000-01-01' }, { value: '' }] }] }] },
      ['VX-2', 'VX-1'],
    ],
    [
      'a time before',
      { field: [{ name: 'created', range: [{ value: [{ value: '' }, { value: '2000-01-01' }] }] }] },
      [],
    ],
  ])('find the items with %s', async (_, annotation, items) => {
    expect(await ids(annotation)).toEqual(items);
  });

  it('find items without any, with other criteria, by a field with a target, and by collections', async () => {
    expect(await seen(not({ annotation: {} }))).toEqual(['VX-3']);
    expect(await seen({ annotation: text('dark'), ...not({ annotation: text('secret') }) })).toEqual(['VX-1']);
    expect(await seen({ ...field('itemId', 'VX-1'), annotation: text('dark') })).toEqual(['VX-1']);
    expect(await seen({ field: [{ name: 'state', target: 'annotation', value: [{ value: 'done' }] }] })).toEqual([
      'VX-1',
    ]);
    expect(await seen({ annotation: text('night') }, admin, 'collection')).toEqual(['VX-1']);
    expect(await seen({ annotation: text('secret') }, admin, 'collection')).toEqual([]);
    expect(await seen({ annotation: text('night') }, admin, 'search')).toEqual(['VX-1', 'VX-1']);
    expect(await seen({ item: { annotation: text('night') } }, admin, 'collection')).toEqual(['VX-1']);
    const filter = [{ name: 'open', annotation: field('state', 'done') }];
    expect(await seen({ filter, facet: [{ field: 'title', exclude: ['open'] }] })).toEqual(['VX-1']);
  });

  it.each<[attack: string, annotation: object, says: string]>([
    [
      'a field that is none',
      field('members', 'x'),
      'Expected one of text, state, user, assignedTo, version, created, parent',
    ],
    ['a name of every object', field('constructor', 'x'), 'Expected one of text'],
    ['a version that is no number', field('version', 'x'), 'Expected a value of the type long'],
    [
      'a range of texts',
      { field: [{ name: 'text', range: [{ value: [{ value: 'a' }, { value: 'b' }] }] }] },
      'Expected no range of a text',
    ],
    ['wildcards that no index has', text('*ark'), 'Expected wildcards at the end of words only'],
    ['a long text', text('a '.repeat(200)), 'Expected a text of at most 256 characters'],
    [
      'many words',
      { field: [{ name: 'text', value: Array.from({ length: 501 }, (_, at) => ({ value: `w${at}` })) }] },
      'Expected at most 32 texts',
    ],
  ])('refuse %s', async (_, annotation, says) => {
    const { status, body } = await world().send(by('PUT /API/item', { annotation }, json, ann));
    expect([status, body]).toEqual([400, expect.stringContaining(says)]);
  });

  it('an attack by thousands of words is refused', async () => {
    const operator = Array.from({ length: 9 }, () => ({
      operation: 'OR',
      annotation: {
        text: Array.from({ length: 50 }, () => ({
          value: Array.from({ length: 90 }, () => 'a').join(' OR '),
          noescape: true,
        })),
      },
    }));
    const { status, body } = await world().send(by('PUT /API/item', { operator }, json, ann));
    expect([status, body]).toEqual([
      400,
      expect.stringContaining('Expected at most 500 values and words in one search'),
    ]);
  });

  it('an attack: who may not read the item or its annotations learns nothing of them by hits, counts, facets, suggestions or NOT', async () => {
    for (const criteria of [{}, text('dark'), field('state', 'open'), field('user', 'ann'), not(text('nothing'))]) {
      // Cat reads VX-1 alone, Dan nothing, and Eve reads items but no annotation.
      expect([await ids(criteria, cat), await ids(criteria, dan), await ids(criteria, eve)]).toEqual([
        ['VX-1'],
        [],
        [],
      ]);
    }
    expect(await ids(text('secret'), ben)).toEqual([]);
    expect(await seen(not({ annotation: text('dark') }), eve)).toEqual(
      await seen(not({ annotation: text('none') }), eve),
    );
    const document = {
      annotation: text('secret'),
      facet: [{ field: 'user' }],
      suggestion: { maximumSuggestions: 20, accuracy: 0.1 },
      autocomplete: [{ text: 'secr' }],
      highlight: {},
    };
    for (const as of [ben, eve]) {
      const { body } = await send(world(), by('PUT /API/item', document, json, as));
      expect([body.includes('"hits":0'), body.includes('ecret"')]).toEqual([true, false]);
    }
    const { body } = await send(world(), by('PUT /API/search/autocomplete', { text: 'secr' }, json, ann));
    expect(body).toBe('{"suggestion":[]}');
  });

  it('tell a renamed author by the new name alone, and one who is gone by the old one', async () => {
    await send(world(), write('VX-1', { text: 'from cat' }, ben));
    await send(world(), by('PUT /API/user/ben', { userName: 'benno' }));
    expect([await ids(field('user', 'ben')), await ids(field('user', 'benno'))]).toEqual([[], ['VX-1']]);
    await send(world(), by('PUT /API/user/benno', { userName: 'ben' }));
  });

  it('follow changes and deletions of annotations at once', async () => {
    const { body } = await send(world(), write('VX-3', { text: 'Volcano' }));
    const { id } = JSON.parse(body) as { id: string };
    expect(await ids(text('volcano'))).toEqual(['VX-3']);
    await send(world(), by(`PUT /API/item/VX-3/annotation/${id}`, { text: 'Glacier' }, json, ann));
    expect([await ids(text('volcano')), await ids(text('glacier'))]).toEqual([[], ['VX-3']]);
    await send(world(), by(`DELETE /API/item/VX-3/annotation/${id}`, undefined, json, ann));
    expect(await ids(text('glacier'))).toEqual([]);
    const rows = await world().service.store.read(
      'SELECT (SELECT count(*) FROM annotation) - (SELECT count(*) FROM annotation_text)',
    );
    expect(rows).toEqual([[0]]);
  });

  it('make a library, which finds the same', async () => {
    const { body } = await send(world(), by('PUT /API/item?result=library', { annotation: text('dark') }, json, ann));
    const { library } = JSON.parse(body) as { library: string };
    const list = await send(world(), by(`GET /API/library/${library}`, undefined, json, ann));
    expect(JSON.parse(list.body)).toMatchObject({ hits: 2 });
  });

  it.each<[what: string, document: object, index: RegExp]>([
    ['a state', { annotation: field('state', 'open') }, /annotation_state/],
    ['words', { annotation: text('dark') }, /annotation_serial/],
    ['an author', { annotation: field('user', 'ben') }, /annotation_author_name/],
    ['who is to act', { annotation: { ...field('assignedTo', 'ann') } }, /annotation_assignee_name/],
    ['a time', { annotation: field('version', '1') }, /annotation_item/],
    ['a word of the item, too', { ...text('none'), annotation: text('dark') }, /annotation_item/],
    ['collections', { item: { annotation: text('dark') } }, /annotation_serial/],
  ])('read no annotation without an index: %s', async (_, document, index) => {
    const statements: [string, readonly SqlValue[]][] = [];
    const { store } = world().service;
    const reader: LimitedReader = {
      isLimited: true,
      read(sql, args = [], max) {
        statements.push([sql, args]);
        return store.read(sql, args, max);
      },
    };
    const viewer = { administrator: true, userId: undefined, contexts: undefined };
    const kind = 'item' in document ? 'collection' : 'item';
    await find(
      reader,
      viewer,
      kind,
      document as ItemSearch,
      { first: 1, number: 10 },
      { joins: { annotation: annotationRows } },
    );
    const joined = statements.filter(([sql]) => sql.includes('annotation AS t'));
    expect(joined.length).toBeGreaterThan(0);
    for (const [sql, args] of joined) {
      const steps = (await store.read(`EXPLAIN QUERY PLAN ${sql}`, args)).map((row) => String(row[3]));
      expect(steps.filter((step) => /SCAN t\d/.test(step))).toEqual([]);
      expect(steps.join('\n')).toMatch(index);
    }
  });
});

describe('searches by the state of the latest version', () => {
  const world = openSharedAssets();
  const give = (item: string, state: string, version = 0) =>
    send(world(), by(`PUT /API/item/${item}/shape/version/${version}/approval`, { state }, json, admin));
  const state = (value: string) => ({ approval: field('state', value) });
  async function seen(document: object, as: Credentials = ann) {
    const { body } = await send(world(), by('PUT /API/item', document, json, as));
    return (JSON.parse(body) as { item?: { id: string }[] }).item?.map(({ id }) => id) ?? [];
  }

  beforeAll(async () => {
    for (const sent of people) await send(world(), sent);
    for (const name of ['ann', 'cat', 'dan']) await send(world(), by(`PUT /API/group/_item_search/user/${name}`));
    await send(world(), newUser(eve, ['_item_search', '_item_read']));
    await send(world(), by('POST /API/item/VX-1/access', { user: 'eve', permission: 'READ' }));
    for (const item of ['VX-1', 'VX-2'])
      await send(world(), by(`POST /API/item/${item}/shape/create?tag=original`, {}, json, admin));
  });

  it('find items by the newest state of the version alone', async () => {
    await give('VX-1', 'in-review');
    await give('VX-2', 'in-review');
    expect(await seen(state('in-review'))).toEqual(['VX-2', 'VX-1']);
    await give('VX-2', 'rejected');
    await give('VX-1', 'approved');
    expect([await seen(state('in-review')), await seen(state('rejected')), await seen(state('approved'))]).toEqual([
      [],
      ['VX-2'],
      ['VX-1'],
    ]);
    expect(await seen({ field: [{ name: 'state', target: 'approval', value: [{ value: 'approved' }] }] })).toEqual([
      'VX-1',
    ]);
  });

  it('find no item by the state of an earlier version, and find it again once the later one is gone', async () => {
    await send(world(), by('POST /API/item/VX-1/shape/version', undefined, json, admin));
    expect(await seen(state('approved'))).toEqual([]);
    await give('VX-1', 'in-review', 1);
    expect(await seen(state('in-review'))).toEqual(['VX-1']);
    await send(world(), by('DELETE /API/item/VX-1/shape/version/1', undefined, json, admin));
    expect([await seen(state('in-review')), await seen(state('approved'))]).toEqual([[], ['VX-1']]);
  });

  it('an attack: who may not read the item or its shapes learns no state', async () => {
    await give('VX-1', 'in-review');
    for (const as of [dan, eve]) {
      expect(await seen(state('in-review'), as)).toEqual([]);
      expect(
        await seen({ operator: [{ operation: 'OR', ...state('in-review'), ...field('itemId', 'none') }] }, as),
      ).toEqual([]);
    }
    expect(await seen(state('in-review'), cat)).toEqual(['VX-1']);
    expect(await seen(state('rejected'), cat)).toEqual([]);
  });

  it('refuse words, of which approvals have none', async () => {
    const { status, body } = await world().send(by('PUT /API/item', { approval: text('fine') }, json, ann));
    expect([status, body]).toEqual([400, expect.stringContaining('Expected fields: the approval has no text')]);
  });

  it('read no approval without an index, also beside other criteria for one person', async () => {
    const { store } = world().service;
    const forMe = {
      operator: [
        {
          operation: 'OR' as const,
          ...state('in-review'),
          annotation: { ...field('assignedTo', 'ann'), ...not(field('state', 'done')) },
          operator: [{ annotation: { ...field('text', '@ann'), ...not(field('state', 'done')) } }],
        },
      ],
    };
    for (const [document, indexes] of [
      [state('in-review'), [/approval_state/]],
      [{ ...text('none'), ...state('approved') }, [/approval_item/]],
      [forMe, [/MULTI-INDEX OR/, /approval_state/, /annotation_assignee/, /annotation_serial/]],
    ] as const) {
      const statements: [string, readonly SqlValue[]][] = [];
      const reader: LimitedReader = {
        isLimited: true,
        read(sql, args = [], max) {
          statements.push([sql, args]);
          return store.read(sql, args, max);
        },
      };
      const viewer = { administrator: true, userId: undefined, contexts: undefined };
      const joins = { annotation: annotationRows, approval: approvalRows };
      await find(reader, viewer, 'item', document as ItemSearch, { first: 1, number: 10 }, { joins });
      const joined = statements.filter(([sql]) => sql.includes('approval AS t'));
      expect(joined.length).toBeGreaterThan(0);
      for (const [sql, args] of joined) {
        const steps = (await store.read(`EXPLAIN QUERY PLAN ${sql}`, args)).map((row) => String(row[3]));
        expect(steps.filter((step) => /SCAN t\d/.test(step))).toEqual([]);
        for (const index of indexes) expect(steps.join('\n')).toMatch(index);
      }
    }
  });
});

it('a search engine leaves criteria of annotations to the database, and answers with them where it is alone', async () => {
  const noEngine = 'Expected no criteria on the annotation';
  const world = await engineWorld();
  const [one] = [await add(world, { x_tag: 'a' }), await add(world, { x_tag: 'a' })];
  await send(world, write(one!, { text: 'Too dark' }, admin));
  await catchUp(world);
  const document = { ...field('x_tag', 'a'), annotation: text('dark') };
  expect(await search(world, document)).toMatchObject({ ids: [one], hits: 1, noEngine });
  const alone = await engineWorld({ settings: { searchIndex: 'engine' } });
  const other = await add(alone, { x_tag: 'a' });
  await add(alone, { x_tag: 'a' });
  await send(alone, write(other, { text: 'Too dark' }, admin));
  await catchUp(alone);
  expect(await search(alone, document)).toMatchObject({ ids: [other], hits: 1, strategy: 'engine' });
});

it('without reviews, a criterion of annotations is refused with the name of the extension', async () => {
  const { service, close } = await openService({ settings: { without: ['review'] } });
  onTestFinished(close);
  const headers = { authorization: `Basic ${btoa(admin.join(':'))}`, 'content-type': 'application/json' };
  for (const [criteria, status] of [
    [{ annotation: {} }, 501],
    [{ operator: [{ field: [{ name: 'state', target: 'annotation' }] }] }, 501],
    [text('dark'), 200],
  ] as const) {
    const answer = await service.fetch(
      new Request('http://test/API/item', { method: 'PUT', headers, body: JSON.stringify(criteria) }),
    );
    expect(answer.status).toBe(status);
    expect((await answer.text()).includes('the extension')).toBe(status === 501);
  }
});

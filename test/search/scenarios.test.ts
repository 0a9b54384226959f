import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { by, join, json, newCollection, owner, people, send, xml } from '../assets/asset-support.ts';
import { newUser } from '../support/cast.ts';
import type { Sent, World } from '../support/matrix.ts';
import { requestOf } from '../support/matrix.ts';
import { admin, type Credentials, openService } from '../support/service.ts';
import { field, fieldsOf, item } from './search-support.ts';

const reader: Credentials = ['reader', 'password of reader'];

interface Result {
  readonly hits?: number;
  readonly item?: readonly {
    readonly id: string;
    readonly start: string;
    readonly end: string;
    readonly timespan?: unknown;
    readonly metadata?: unknown;
  }[];
  readonly entry?: readonly { readonly id: string; readonly type: string }[];
  readonly collection?: readonly { readonly id: string }[];
  readonly shape?: readonly { readonly id: string; readonly item: readonly { readonly id: string }[] }[];
  readonly facet?: readonly {
    readonly field: string;
    readonly count?: readonly { readonly fieldValue: string; readonly value: number }[];
    readonly range?: unknown;
  }[];
  readonly suggestion?: unknown;
  readonly autocomplete?: unknown;
  readonly nextCursor?: string;
}

describe('searches', () => {
  let opened: Awaited<ReturnType<typeof openService>>;
  let world: World;

  beforeAll(async () => {
    opened = await openService();
    const answer = async (sent: Sent) => {
      const response = await opened.service.fetch(requestOf('http://portico.test', sent));
      return { status: response.status, headers: response.headers, body: await response.text() };
    };
    world = { ...opened, send: answer };
    const all: readonly Sent[] = [
      newUser(reader, [
        '_item_search',
        '_item_read',
        '_collection_read',
        '_item_shape_read',
        '_import',
        '_metadata_read',
      ]),
      ...people,
      field('x_tag', 'string-exact'),
      field('x_count', 'integer'),
      field('x_day', 'date'),
      field('x_ratio', 'float'),
      field('x_done', 'boolean'),
      field('x_at', 'timeCode'),
      field('x_hidden', 'string', { index: 'noindex' }),
      field('x_fold', 'string-sortable', { caseSensitiveSorting: false }),
      field('x_actor', 'string'),
      field('x_role', 'string'),
      by('PUT /API/metadata-field/field-group/Scene', { field: [{ name: 'x_role' }] }),
      by('PUT /API/metadata-field/field-group/Film', {
        field: [{ name: 'x_actor' }, { name: 'x_role' }],
        group: [{ name: 'Scene' }],
      }),
      // VX-1 to VX-5
      item({
        title: 'Harbour at night',
        x_tag: 'sea',
        x_count: '3',
        x_day: '2026-01-10',
        x_ratio: '0.5',
        x_done: 'true',
        x_at: '25@PAL',
        x_fold: 'b',
      }),
      item({
        title: 'The old harbour',
        x_tag: ['sea', 'old'],
        x_count: '10',
        x_day: '2026-02-01T12:00:00+01:00',
        x_fold: 'A',
      }),
      item({
        title: 'Wälder im Süden',
        x_count: '7',
        x_ratio: '-2.5',
        x_done: 'false',
        x_hidden: 'secret',
        x_fold: 'C',
      }),
      item({}, { group: [filmGroup('Ann', 'lead'), filmGroup('Bob', 'extra')] }),
      item({ title: 'Interview 東京タワー' }),
      by('PUT /API/item/VX-5/metadata', {
        timespan: [
          { start: '10@PAL', end: '20@PAL', field: fieldsOf({ x_actor: 'Carla speaks' }) },
          { start: '30@PAL', end: '40@PAL', field: fieldsOf({ x_actor: 'Carla sings', x_role: 'singer' }) },
        ],
      }),
      newCollection('?name=Harbours'),
      newCollection('?name=Nothing'),
      join('VX-1', 'VX-2'),
      join('VX-1', 'VX-1'),
    ];
    for (const sent of all) await send(world, sent);
  });
  afterAll(() => opened.close());

  async function search(body: object | undefined, target = '/item', as = admin): Promise<Result> {
    return JSON.parse((await send(world, by(`PUT /API${target}`, body, json, as))).body) as Result;
  }
  const ids = async (body: object, target?: string, as?: Credentials) => {
    const found = await search(body, target, as);
    return (found.item ?? found.collection ?? found.shape ?? [])!.map(({ id }) => id);
  };
  const status = async (body: object | string, target = '/item') =>
    (
      await world.send(
        by(`PUT /API${target}`, body, typeof body === 'string' ? { 'content-type': 'application/xml' } : json),
      )
    ).status;
  const values = (...given: string[]) => given.map((value) => ({ value }));
  const named = (name: string, ...given: string[]) => ({ field: [{ name, value: values(...given) }] });
  const range = (name: string, low: string, high: string, more: object = {}) => ({
    field: [{ name, range: [{ value: values(low, high), ...more }] }],
  });
  const text = (value: string, noescape = false) => ({ text: [{ value, noescape }] });

  it('search 2: XML and JSON, plain texts in the place of values, one operator or several', async () => {
    const document = `<ItemSearchDocument xmlns="http://xml.vidispine.com/schema/vidispine" version="2"><operator operation="AND"><field><name>x_tag</name><value>sea</value><value>x</value></field></operator><facet count="true"><field>x_tag</field></facet></ItemSearchDocument>`;
    const answer = await send(
      world,
      by('PUT /API/item;first=1;number=1', document, { ...xml, 'content-type': 'application/xml' }),
    );
    expect(answer.body).toContain('<hits>2</hits>');
    expect(answer.body).toMatch(/<item [^>]*id="VX-2"[^>]* start="-INF" end="\+INF"/);
    expect(answer.body).toContain('<count fieldValue="sea"');
    expect(await ids({ field: [{ name: 'x_tag', value: ['old'] }] })).toEqual(['VX-2']);
    expect(
      await ids({
        operator: {
          operation: 'OR',
          ...named('x_tag', 'old'),
          operator: [{ operation: 'AND', ...named('x_count', '3') }],
        },
      }),
    ).toEqual(['VX-2', 'VX-1']);
  });

  it('search 4.1: values of one field are alternatives, criteria side by side are all met', async () => {
    expect(await ids(named('x_count', '3', '7'))).toEqual(['VX-3', 'VX-1']);
    expect(await ids({ field: [...named('x_count', '3', '10').field, ...named('x_tag', 'old').field] })).toEqual([
      'VX-2',
    ]);
    expect(await ids({ ...text('harbour'), operator: [{ operation: 'NOT', ...named('x_tag', 'old') }] })).toEqual([
      'VX-1',
    ]);
    expect(
      await ids({
        operator: [{ operation: 'NOT', field: [...named('x_tag', 'old').field, ...named('x_count', '3').field] }],
      }),
    ).toEqual(['VX-5', 'VX-4', 'VX-3']);
    expect(await ids({ operator: [{ operation: 'OR' }] })).toHaveLength(5);
  });

  it('search 4.2: a field without a value has some value', async () => {
    expect(await ids({ field: [{ name: 'x_tag' }] })).toEqual(['VX-2', 'VX-1']);
    expect(await ids(named('x_ratio', '*'))).toEqual(['VX-3', 'VX-1']);
    expect(await ids({ operator: [{ operation: 'NOT', field: [{ name: 'title' }] }] })).toEqual(['VX-4']);
  });

  it('search 4.3: wildcards stand for runs and characters, and noescape brings operators', async () => {
    expect(await ids(text('h?rb*'))).toEqual(['VX-2', 'VX-1']);
    expect(await ids(named('x_tag', '?ea'))).toEqual(['VX-2', 'VX-1']);
    expect(await ids(named('x_tag', 'SEA'))).toEqual([]);
    expect(await ids(text('harbour (night)'))).toEqual(['VX-1']);
    expect(await ids(text('"old harbour" OR wälder', true))).toEqual(['VX-3', 'VX-2']);
    expect(await ids(text('harbour -night', true))).toEqual(['VX-2']);
    expect(await ids({ field: [{ name: 'x_count', value: [{ value: '[4 TO 10}', noescape: true }] }] })).toEqual([
      'VX-3',
    ]);
    expect(await status(text('(harbour', true))).toBe(400);
  });

  it('search 4.4: words of one value stand in order, words of a text stand anywhere', async () => {
    expect(await ids(named('title', 'old harbour'))).toEqual(['VX-2']);
    expect(await ids(named('title', 'harbour old'))).toEqual([]);
    expect(await ids(text('harbour old'))).toEqual(['VX-2']);
    expect(await ids(text('WALDER suden'))).toEqual(['VX-3']);
    expect(await ids(text('東京'))).toEqual(['VX-5']);
    expect(await ids(text('タワー'))).toEqual(['VX-5']);
  });

  it('search 4.5: ranges include their ends unless they are open', async () => {
    expect(await ids(range('x_count', '3', '7'))).toEqual(['VX-3', 'VX-1']);
    expect(await ids(range('x_count', '3', '7', { exclusiveMinimum: true }))).toEqual(['VX-3']);
    expect(await ids(range('x_count', '', '7', { exclusiveMaximum: true }))).toEqual(['VX-1']);
    expect(
      await ids({ field: [{ name: 'x_count', range: [{ value: [{ value: '5' }, { value: '9', maximum: true }] }] }] }),
    ).toEqual(['VX-3', 'VX-2']);
    expect(await status({ field: [{ name: 'x_count', range: [{ value: values('1') }] }] })).toBe(400);
  });

  it('search 4.6: numbers, dates, booleans and time codes compare by value', async () => {
    expect(await ids(named('x_ratio', '0.50'))).toEqual(['VX-1']);
    expect(await ids(range('x_ratio', '-3', '0'))).toEqual(['VX-3']);
    expect(await ids(named('x_day', '2026-02-01T11:00:00Z'))).toEqual(['VX-2']);
    expect(await ids(range('x_day', '2026-01-01', '2026-01-31'))).toEqual(['VX-1']);
    expect(await ids(named('x_done', 'TRUE'))).toEqual(['VX-1']);
    expect(await ids(named('x_at', '1'))).toEqual(['VX-1']);
    expect(await status(named('x_count', 'many'))).toBe(400);
  });

  it('search 1: unknown and unindexed fields match nothing, unreadable documents are refused', async () => {
    expect(await ids(named('x_none', 'a'))).toEqual([]);
    expect(await ids(named('x_hidden', 'secret'))).toEqual([]);
    expect(await ids(text('secret'))).toEqual([]);
    expect(await status('<ItemSearchDocument><field>')).toBe(400);
    expect(await status({ operator: [{ operation: 'XOR' }] })).toBe(400);
    expect(await status({ sort: [{ field: 'title', order: 'sideways' }] })).toBe(400);
    expect(await status({ collection: {} })).toBe(400);
  });

  it('search 4.7: criteria in a group are met by one instance of it', async () => {
    const inGroup = (actor: string, role: string) => ({
      group: [{ name: 'Film', field: [...named('x_actor', actor).field, ...named('x_role', role).field] }],
    });
    expect(await ids({ field: inGroup('ann', 'extra').group[0]!.field })).toEqual(['VX-4']);
    expect(await ids(inGroup('ann', 'lead'))).toEqual(['VX-4']);
    expect(await ids(inGroup('ann', 'extra'))).toEqual([]);
    expect(await ids({ group: ['Film'] })).toEqual(['VX-4']);
    expect(await ids({ operator: [{ operation: 'NOT', group: [{ name: 'Film' }] }] })).toEqual([
      'VX-5',
      'VX-3',
      'VX-2',
      'VX-1',
    ]);
    const nested = { group: [{ name: 'Film', ...named('x_role', 'scene') }] };
    expect(await ids(nested)).toEqual([]);
    await send(
      world,
      by('PUT /API/configuration/properties/metadataGroupSearchStyle', 'mergeToTopLevelGroup', {
        'content-type': 'text/plain',
      }),
    );
    expect(await ids(nested)).toEqual(['VX-4']);
    await send(world, by('DELETE /API/configuration/properties/metadataGroupSearchStyle'));
  });

  it('search 4.8: each timespan that matches is a hit, together with what is not timed', async () => {
    const spans = async (body: object) => (await search(body)).item!.map(({ id, start, end }) => [id, start, end]);
    expect(await spans(named('x_actor', 'carla'))).toEqual([
      ['VX-5', '10@PAL', '20@PAL'],
      ['VX-5', '30@PAL', '40@PAL'],
    ]);
    expect((await search(named('x_actor', 'carla'))).hits).toBe(2);
    expect(await spans({ ...text('interview'), ...named('x_actor', 'sings') })).toEqual([['VX-5', '30@PAL', '40@PAL']]);
    expect(await spans({ field: [...named('x_actor', 'speaks').field, ...named('x_role', 'singer').field] })).toEqual(
      [],
    );
    expect(await spans({ intervals: 'generic', ...named('x_actor', 'carla') })).toEqual([]);
    expect(await spans({ intervals: 'timed', ...text('interview') })).toEqual([]);
    expect(await spans({ intervals: 'timed', ...named('x_role', 'singer') })).toEqual([['VX-5', '30@PAL', '40@PAL']]);
    expect(await status({ cursor: '*', intervals: 'timed' })).toBe(400);
  });

  it('search 4.9, 4.15: facets count values, and do without the filters that they exclude', async () => {
    const filter = [{ name: 'tag', operation: 'AND', ...named('x_tag', 'old') }];
    const facet = [{ field: 'x_tag' }, { field: 'x_tag', name: 'all', exclude: ['tag'] }, { field: 'x_none' }];
    const found = await search({ filter, facet });
    expect(found.hits).toBe(1);
    expect(found.facet).toEqual([
      {
        field: 'x_tag',
        count: [
          { value: 1, count: 1, fieldValue: 'old' },
          { value: 1, count: 1, fieldValue: 'sea' },
        ],
      },
      {
        field: 'x_tag',
        count: [
          { value: 2, count: 2, fieldValue: 'sea' },
          { value: 1, count: 1, fieldValue: 'old' },
        ],
        name: 'all',
      },
      { field: 'x_none' },
    ]);
    const limited = await search({
      facet: [
        { field: 'x_tag', minCount: 2 },
        { field: 'x_tag', maxResults: 1 },
        {
          field: 'x_count',
          range: [
            { start: '0', end: '7' },
            { start: '7', end: '*' },
          ],
        },
      ],
    });
    expect(limited.facet!.map(({ count }) => count?.length)).toEqual([1, 1, undefined]);
    expect(limited.facet![2]!.range).toEqual([
      { value: 1, count: 1, start: '0', end: '7' },
      { value: 2, count: 2, start: '7', end: '*' },
    ]);
  });

  it('search 4.16: a facet filter does not change the counts of its own facet', async () => {
    const found = await search({
      facetFilter: [{ field: 'x_tag', value: 'old' }],
      facet: [{ field: 'x_tag' }, { field: 'x_count' }],
    });
    expect(found.hits).toBe(1);
    expect(found.facet![0]!.count!.map(({ fieldValue, value }) => [fieldValue, value])).toEqual([
      ['sea', 2],
      ['old', 1],
    ]);
    expect(found.facet![1]!.count!.map(({ fieldValue }) => fieldValue)).toEqual(['10']);
  });

  it('M12, search 4.10, 4.11: items by their shapes, shapes by their tags, collections by their items', async () => {
    await send(world, by('PUT /API/shape-tag/web', {}));
    await send(world, by('POST /API/item/VX-3/shape/create?tag=web', { mimeType: ['video/mp4'] }));
    expect(await ids({ shape: named('tag', 'web') })).toEqual(['VX-3']);
    expect(
      await ids({ shape: { field: [...named('tag', 'web').field, ...named('mimeType', 'video/x').field] } }),
    ).toEqual([]);
    expect(await ids({ field: [{ name: 'mimeType', target: 'shape', value: values('video/*') }] })).toEqual(['VX-3']);
    expect(await ids({ field: [{ name: '__shape_size', range: [{ value: values('1', '') }] }] })).toEqual(['VX-3']);
    expect(await ids({ field: [{ name: '__collection', value: values('VX-1') }] })).toEqual(['VX-2', 'VX-1']);
    expect(await ids({ field: [{ name: '__ancestor_collection', value: values('VX-1') }] })).toEqual(['VX-2', 'VX-1']);
    expect(await ids({ item: text('night') }, '/collection')).toEqual(['VX-1']);
    const shapes = await search(named('tag', 'web'), '/search/shape');
    expect(shapes.shape!.map(({ item: of }) => of)).toEqual([[{ id: 'VX-3' }]]);
    expect(await ids({ item: named('title', 'wälder') }, '/search/shape')).toEqual(shapes.shape!.map(({ id }) => id));
    await send(
      world,
      by(`PUT /API/item/VX-3/shape/${shapes.shape![0]!.id}/metadata`, {
        field: [{ key: 'look', value: { value: 'blue' } }],
      }),
    );
    expect(await ids(named('look', 'blue'), '/search/shape')).toHaveLength(1);
  });

  it('search 4.12: others find, count and are told only what they may read', async () => {
    await send(world, item({ title: 'Harbour of the owner', x_tag: 'owned' }, {}, owner));
    const asked = { ...text('harbour'), facet: [{ field: 'x_tag' }], autocomplete: [{ text: 'ow', field: 'x_tag' }] };
    const none = await search(asked, '/item', reader);
    expect(none).toMatchObject({
      hits: 0,
      item: [],
      facet: [{ field: 'x_tag', count: [] }],
      autocomplete: [{ field: 'x_tag', suggestion: [] }],
    });
    await send(world, by('DELETE /API/item?id=VX-6'));
    // A field with entries of its own is closed to all others.
    await send(world, by('POST /API/metadata-field/title/access', { user: 'admin', permission: 'READ' }));
    await send(world, item({ title: 'hidden harbour', x_tag: 'harbourtag' }, {}, reader));
    expect(await ids(named('title', 'hidden'), '/item', reader)).toEqual([]);
    expect(await ids(text('hidden'), '/item', reader)).toEqual([]);
    expect(await ids(text('harbourtag'), '/item', reader)).toEqual(['VX-7']);
    expect(
      await search({ ...text('harbourtag'), facet: [{ field: 'title' }], highlight: {} }, '/item', reader),
    ).toMatchObject({ facet: [{ field: 'title' }], item: [{ timespan: [{ field: [{ name: 'x_tag' }] }] }] });
    const [entry] = (
      await (JSON.parse((await send(world, by('GET /API/metadata-field/title/access'))).body) as {
        access: { id: string }[];
      })
    ).access;
    await send(world, by(`DELETE /API/metadata-field/title/access/${entry!.id}`));
    await send(world, by('DELETE /API/item?id=VX-7'));
  });

  it('search 4.13: sorting by values, what is missing last, and the newest first otherwise', async () => {
    const sorted = (...sort: [string, string?][]) =>
      ids({ sort: sort.map(([name, order]) => ({ field: name, ...(order && { order }) })) });
    expect(await sorted(['x_count'])).toEqual(['VX-1', 'VX-3', 'VX-2', 'VX-5', 'VX-4']);
    expect(await sorted(['x_count', 'descending'])).toEqual(['VX-2', 'VX-3', 'VX-1', 'VX-5', 'VX-4']);
    expect(await sorted(['x_fold'])).toEqual(['VX-2', 'VX-1', 'VX-3', 'VX-5', 'VX-4']);
    expect(await sorted(['x_tag', 'descending'], ['x_count'])).toEqual(['VX-1', 'VX-2', 'VX-3', 'VX-5', 'VX-4']);
    expect(await sorted(['itemId'])).toEqual(['VX-1', 'VX-2', 'VX-3', 'VX-4', 'VX-5']);
    expect(await ids({ sort: [{ field: '_relevance' }], ...text('harbour') })).toHaveLength(2);
  });

  it('U5, search 4.14: a collection answers its items, the oldest first or in its own order', async () => {
    expect(await ids({}, '/collection/VX-1/item')).toEqual(['VX-1', 'VX-2']);
    expect(await ids(text('night'), '/collection/VX-1/item')).toEqual(['VX-1']);
    expect(await ids(text('night'), '/collection/VX-2/item')).toEqual([]);
    await send(
      world,
      by('PUT /API/configuration/properties/indexCollectionItemOrder', 'true', { 'content-type': 'text/plain' }),
    );
    expect(await ids({}, '/collection/VX-1/item')).toEqual(['VX-2', 'VX-1']);
    await send(world, by('DELETE /API/configuration/properties/indexCollectionItemOrder'));
    const q = encodeURIComponent('<ItemSearchDocument><text>old</text></ItemSearchDocument>');
    expect((await send(world, by(`GET /API/collection/VX-1/item?q=${q}`))).body).toContain('"id":"VX-2"');
    expect((await world.send(by('PUT /API/collection/VX-9/item', {}))).status).toBe(404);
  });

  it('U4, search 4.17: cursors walk through all hits, and the last page has one, too', async () => {
    for (const body of [
      {},
      { sort: [{ field: 'x_count', order: 'descending' }] },
      { field: [{ name: 'created' }], sort: [{ field: 'x_tag' }, { field: 'x_count' }] },
    ]) {
      const whole = await ids(body);
      const walked: string[] = [];
      let cursor = '*';
      for (let page = 0; page < 9; page++) {
        const found = await search({ ...body, cursor }, '/item;number=2');
        walked.push(...found.item!.map(({ id }) => id));
        expect(found.nextCursor).toBeDefined();
        if (found.nextCursor === cursor) break;
        cursor = found.nextCursor!;
      }
      expect(walked).toEqual(whole);
    }
    expect((await world.send(by('PUT /API/item?cursor=nonsense', named('x_tag', '*')))).status).toBe(400);
  });

  it('M3, search 1, 4.18: paging, hits alone, and hits that nobody counts', async () => {
    expect(await search({}, '/item;number=0')).toMatchObject({ hits: 5, item: [] });
    expect(await search(text('harbour'), '/item;first=2;number=1')).toMatchObject({ hits: 2, item: [{ id: 'VX-1' }] });
    expect(await search(text('harbour'), '/item;first=9')).toMatchObject({ hits: 2, item: [] });
    expect(await search(text('harbour'), '/item?count=false')).not.toHaveProperty('hits');
    expect((await send(world, by('PUT /API/item?url=true', text('night'), { accept: 'text/plain' }))).body).toBe(
      'http://portico.test/API/item/VX-1\r\n',
    );
    expect((await search(text('night'), '/item?content=metadata&field=title')).item![0]!.metadata).toBeDefined();
  });

  it('search: a search that would cost too much is refused with its limit', async () => {
    const many = Array.from({ length: 900 }, (_, index) => String(index));
    expect(await ids(named('x_count', ...many))).toEqual(['VX-3', 'VX-2', 'VX-1']);
    expect(await ids(named('__collection', ...many, 'VX-1'))).toEqual(['VX-2', 'VX-1']);
    const refusal = async (body: object) => (await world.send(by('PUT /API/item', body))).body;
    expect(await refusal(named('x_count', ...many, ...many))).toContain('Expected at most 1000');
    expect(await refusal(text(many.join(' ')))).toContain('Expected at most 500 values and words');
    expect(await refusal(named('title', ...many.slice(0, 40)))).toContain('Expected at most 32 texts and patterns');
    let deep: object = named('x_count', '3');
    for (let depth = 0; depth < 27; depth++) deep = { operator: [{ operation: 'AND', ...deep }] };
    expect(await refusal(deep)).toContain('Expected at most 24 criteria inside each other');
    expect(await refusal({ facet: many.slice(0, 30).map((name) => ({ field: name })) })).toContain(
      'Expected at most 20 facets',
    );
  });

  it('search 3: a search of both tells the type of each entry, the newest first', async () => {
    const found = await search(text('harbour*'), '/search?content=metadata');
    expect(found.entry!.map(({ type, id }) => `${type} ${id}`)).toEqual(['Collection VX-1', 'Item VX-2', 'Item VX-1']);
    expect(Object.keys(found)).toEqual(['hits', 'suggestion', 'autocomplete', 'entry', 'facet']);
    const [collection, item] = found.entry as unknown as [object, object];
    expect(collection).toMatchObject({
      collection: { id: 'VX-1', name: 'Harbours' },
      timespan: [{ field: [], start: '-INF', end: '+INF' }],
    });
    expect(Object.keys(collection)).toEqual(['collection', 'timespan', 'start', 'end', 'type', 'id']);
    expect(item).toMatchObject({ item: { shape: [], access: [], externalId: [], id: 'VX-2' } });
    expect(await ids(named('title', 'harbours'), '/collection')).toEqual(['VX-1']);
    expect(Object.keys(await search({}, '/collection'))).toEqual([
      'hits',
      'collection',
      'facet',
      'suggestion',
      'autocomplete',
    ]);
  });

  it('search 3: highlights mark what the criteria meet, and filters mark nothing', async () => {
    const found = await search({
      ...text('harbour'),
      highlight: { field: ['title'] },
      filter: [{ ...named('title', 'old') }],
    });
    expect(found.item![0]!.timespan).toEqual([
      { field: [{ name: 'title', value: ['The old <em>harbour</em>'] }], start: '-INF', end: '+INF' },
    ]);
  });

  it('search 4.23: version 2 means the same', async () => {
    const found = await search(text('harbour'));
    expect(await search({ version: 2, ...text('harbour') })).toEqual(found);
    const xml = '<ItemSearchDocument version="2"><text>harbour</text></ItemSearchDocument>';
    const answer = await send(world, by('PUT /API/item', xml, { ...json, 'content-type': 'application/xml' }));
    expect(JSON.parse(answer.body)).toEqual(found);
  });

  it('search 4.19: autocompletes values of exact fields and words of others', async () => {
    const complete = async (body: object) =>
      JSON.parse((await send(world, by('PUT /API/search/autocomplete', body))).body) as object;
    expect(await complete({ text: 's', field: 'x_tag' })).toEqual({ field: 'x_tag', suggestion: ['sea'] });
    expect(await complete({ text: 'harb', field: 'title' })).toEqual({
      field: 'title',
      suggestion: ['harbour', 'harbours'],
    });
    expect(await complete({ text: 'old ha' })).toEqual({ suggestion: ['harbour'] });
    expect(await complete({ text: 'harb', maximumSuggestions: 1 })).toEqual({ suggestion: ['harbour'] });
  });

  it('search 4.20: suggests near words for those that nothing has', async () => {
    const found = await search({ ...text('harbuor night'), suggestion: { maximumSuggestions: 3 } });
    expect(found.suggestion).toEqual([{ term: 'harbuor', suggestion: ['harbour', 'harbours'].slice(0, 1) }]);
  });

  it('items 4.11, search 4.22: keeps what a user has searched for, equal searches once', async () => {
    for (const word of ['one', 'two', 'one']) await search(text(word), '/item', reader);
    const history = async (more = '', as = reader) =>
      JSON.parse((await send(world, by(`GET /API/item/history${more}`, undefined, json, as))).body) as {
        search: { query: { text?: { value: string }[] }; user: string }[];
      };
    const { search: kept } = await history();
    const words = kept.flatMap(({ query }) => query.text?.[0]?.value ?? []);
    expect(words.filter((word) => ['one', 'two', 'three'].includes(word)).toSorted()).toEqual(['one', 'two']);
    expect(kept[0]!.user).toBe('reader');
    expect((await history('?username=reader&maxResults=1', admin)).search).toHaveLength(1);
    // Who goes on behind a cursor has searched already.
    const { nextCursor } = await search({ ...named('title', '*'), cursor: '*' }, '/item;number=1');
    expect(nextCursor).not.toBe('*');
    await search({ ...text('continued'), cursor: nextCursor! }, '/item;number=1');
    expect(JSON.stringify(await history('', admin))).not.toContain('continued');
    expect((await world.send(by('GET /API/item/history?username=admin', undefined, json, reader))).status).toBe(403);
  });

  it('search 1: a saved search answers under an address of its own', async () => {
    const saved = await world.send(by('PUT /API/item?save=true&number=1', text('harbour')));
    expect(saved.status).toBe(303);
    const location = saved.headers.get('location')!;
    expect(location).toMatch(/^\/API\/item\/saved\/\w+\?number=1$/);
    expect(JSON.parse((await send(world, by(`GET ${location}`))).body)).toMatchObject({
      hits: 2,
      item: [{ id: 'VX-2' }],
    });
    expect((await world.send(by('GET /API/item/saved/none'))).status).toBe(404);
  });
});

function filmGroup(actor: string, role: string) {
  return {
    name: 'Film',
    mode: 'add',
    field: fieldsOf({ x_actor: actor, x_role: role }),
    group: [{ name: 'Scene', mode: 'add', field: fieldsOf({ x_role: `${role} scene` }) }],
  };
}

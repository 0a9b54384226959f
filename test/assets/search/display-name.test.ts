import { beforeAll, describe, expect, it } from 'vitest';
import { field, fieldsOf, item, newCollection, openSharedAssets } from '../../support/assets.ts';
import { alice, newUser } from '../../support/cast.ts';
import type { World } from '../../support/matrix.ts';
import { by, json, jsonOf, send } from '../../support/requests.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { gives } from '../access/support.ts';

interface Found {
  readonly hits?: number;
  readonly item?: readonly {
    readonly id: string;
    readonly terse?: Readonly<Record<string, readonly { readonly value: string }[]>>;
    readonly timespan?: readonly { readonly field?: readonly { readonly name: string; readonly value: string[] }[] }[];
  }[];
}

const metadata = (fields: Record<string, string>) => ({ timespan: [{ field: fieldsOf(fields) }] });
const put = (id: string, body: object) => by(`PUT /API/item/${id}/metadata`, body);
const ofTitle = { metadata: { field: 'title' } };
const setTo = (value: string) => by('PUT /API/configuration/properties', { key: 'displayNameFields', value });
const open = async (world: World) => {
  for (const sent of [
    newUser(alice, ['_item_search', '_item_read', '_metadata_read', '_collection_read', '_collection_write']),
    field('x_name', 'string'),
  ])
    await send(world, sent);
};

const names = async (world: World, as: Credentials = admin) => {
  const { item: items = [] } = await jsonOf<Found>(world, 'GET /API/item?content=metadata&terse=true&field=__name', as);
  return items.toReversed().map(({ terse }) => terse!['__name']?.[0]?.value);
};
const sortsNames = async (world: World, as: Credentials) =>
  (await jsonOf<{ sortsNames: boolean }>(world, 'GET /API/session', as)).sortsNames;
const sorted = async (world: World, as: Credentials = admin, direction = 'ascending') => {
  const search = { sort: [{ field: '__name', order: direction }] };
  const { item: items = [] } = JSON.parse((await send(world, by('PUT /API/item', search, json, as))).body) as Found;
  return items.map(({ id }) => id);
};

describe('the name of an item', () => {
  const opened = openSharedAssets();
  const long = `${'long '.repeat(100)}end`;
  beforeAll(async () => {
    await open(opened());
    for (const sent of [
      item({ title: 'zebra' }),
      item({ title: 'Anchor', x_name: 'buoy' }),
      item({ x_name: 'ox' }),
      item({ title: ' \n\t ' }),
      item({ title: 'two\r\nlines "\u202e/..\\' }),
      item({ title: long }),
      item({ title: 'Anchor' }),
      newCollection('?name=Reels'),
    ])
      await send(opened(), sent);
  });

  it('is the title in one line of at most 250 characters, and missing where that is blank', async () => {
    expect(await names(opened())).toEqual([
      'zebra',
      'Anchor',
      undefined,
      undefined,
      'two lines "\u202e/..\\',
      long.slice(0, 250).trimEnd(),
      'Anchor',
    ]);
  });

  it('is in no answer that does not ask for it', async () => {
    const { body } = await send(opened(), by('GET /API/item?content=metadata&terse=true'));
    expect(body).not.toContain('__name');
    expect((await send(opened(), by('GET /API/item/VX-1/metadata'))).body).not.toContain('__name');
  });

  it('is in whole metadata, under an alias, and of collections, too', async () => {
    const whole = await jsonOf(opened(), 'GET /API/item/VX-1/metadata?field=__name:called');
    expect(whole).toMatchObject({
      item: [{ metadata: { timespan: [{ field: [{ name: 'called', value: [{ value: 'zebra' }] }] }] } }],
    });
    const shown = async (query: string) => (await send(opened(), by(`GET /API/item/VX-1/metadata?${query}`))).body;
    const beside = await shown('displayName=true&includeTransientMetadata=false');
    expect(beside).toContain('{"name":"__name","value":[{"value":"zebra"}]}');
    expect(beside).toContain('"name":"title"');
    expect(beside).not.toContain('__shape');
    expect(await shown('displayName=true')).toMatch(/__name.*__shape_size/);
    const filtered = await shown('displayName=true&language=sv&track=generic&interval=generic');
    expect(filtered).toContain('{"name":"__name","value":[{"value":"zebra"}]}');
    const reels = await jsonOf(opened(), 'GET /API/collection/VX-1/metadata?field=__name');
    expect(JSON.stringify(reels)).toContain('"value":"Reels"');
  });

  it('sorts without regard of case, of equal ones the newest first, and items without one last', async () => {
    expect(await sorted(opened())).toEqual(['VX-7', 'VX-2', 'VX-6', 'VX-5', 'VX-1', 'VX-4', 'VX-3']);
    expect(await sorted(opened(), admin, 'descending')).toEqual([
      ...['VX-1', 'VX-5', 'VX-6', 'VX-7', 'VX-2', 'VX-4', 'VX-3'],
    ]);
  });

  it('is marked where its words are sought, and only where asked', async () => {
    const marked = async (highlight: object) => {
      const search = { text: [{ value: 'anchor' }], highlight };
      const { item: items = [] } = JSON.parse((await send(opened(), by('PUT /API/item', search))).body) as Found;
      return items.map(({ timespan }) => (timespan ?? []).flatMap(({ field: fields = [] }) => fields));
    };
    const name = { name: '__name', value: ['<em>Anchor</em>'] };
    expect(await marked({ field: ['__name'] })).toEqual([[name], [name]]);
    expect(JSON.stringify(await marked({}))).not.toContain('__name');
  });
});

describe('a field that a caller may not read', () => {
  const opened = openSharedAssets();
  const search = async (document: object) =>
    (await send(opened(), by('PUT /API/item?content=metadata&terse=true&field=__name', document, json, alice))).body;
  beforeAll(async () => {
    await open(opened());
    for (const sent of [
      item({ title: 'secret zebra', x_name: 'open b' }),
      item({ title: 'secret anchor', x_name: 'open a' }),
      ...['VX-1', 'VX-2'].map((id) => gives(admin, `item/${id}`, { permission: 'READ', user: 'alice' })),
      setTo('title, x_name'),
    ])
      await send(opened(), sent);
    await opened().service.tick(1000);
  });

  it('neither names an item nor sorts any, by an entry of that item', async () => {
    expect(await sortsNames(opened(), alice)).toBe(true);
    expect(await names(opened(), alice)).toEqual(['secret zebra', 'secret anchor']);
    expect(await sorted(opened(), alice, 'descending')).toEqual(['VX-1', 'VX-2']);
    await send(opened(), gives(admin, 'item/VX-1', { permission: 'NONE', user: 'alice', operation: ofTitle }));
    expect(await names(opened(), alice)).toEqual(['open b', 'secret anchor']);
    for (const direction of ['ascending', 'descending'])
      expect(await sorted(opened(), alice, direction)).toEqual(['VX-2', 'VX-1']);
    const marked = { highlight: { field: ['__name'], matchingOnly: false }, facet: [{ field: '__name' }] };
    expect(await search({ ...marked })).not.toContain('zebra');
    expect(await Promise.all([alice, admin].map((as) => sortsNames(opened(), as)))).toEqual([false, true]);
  });

  it('neither names items nor sorts them, by its definition', async () => {
    await send(opened(), by('POST /API/metadata-field/title/access', { user: 'alice', permission: 'NONE' }));
    expect(await names(opened(), alice)).toEqual(['open b', 'open a']);
    for (const direction of ['ascending', 'descending'])
      expect(await sorted(opened(), alice, direction)).toEqual(['VX-2', 'VX-1']);
    const marked = { highlight: { field: ['__name'], matchingOnly: false }, facet: [{ field: '__name' }] };
    expect(await search({ text: [{ value: 'open' }], ...marked })).toContain('<em>open</em> b');
    expect(await search({ text: [{ value: 'open' }], ...marked })).not.toMatch(/secret|zebra|anchor/);
  });
});

describe('other fields that name', () => {
  const opened = openSharedAssets();
  beforeAll(async () => {
    await open(opened());
    for (const sent of [item({ title: 'a', x_name: 'z' }), item({ title: 'b', x_name: 'y' }), item({ title: 'c' })])
      await send(opened(), sent);
  });

  it('name at once, and sort once the index is built', async () => {
    expect(await sorted(opened())).toEqual(['VX-1', 'VX-2', 'VX-3']);
    await send(opened(), setTo('x_name'));
    expect(await names(opened())).toEqual(['z', 'y', undefined]);
    await opened().service.tick(1000);
    expect(await sorted(opened())).toEqual(['VX-2', 'VX-1', 'VX-3']);
  });

  it('are the first that is not blank, as soon as a change of metadata says so', async () => {
    await send(opened(), setTo('x_name,title'));
    await opened().service.tick(1000);
    expect(await sorted(opened())).toEqual(['VX-3', 'VX-2', 'VX-1']);
    await send(opened(), put('VX-2', metadata({ x_name: '', title: 'B' })));
    expect(await names(opened())).toEqual(['z', 'B', 'c']);
    expect(await sorted(opened())).toEqual(['VX-2', 'VX-3', 'VX-1']);
  });

  it('are refused where they are no names of fields', async () => {
    for (const value of ['', 'title,', '__name', 'a b', Array.from({ length: 11 }, (_, n) => `x_${n}`).join()]) {
      const answer = await opened().send(setTo(value));
      expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('1 to 10 names of fields')]);
    }
  });
});

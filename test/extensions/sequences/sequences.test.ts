import { describe, expect, it } from 'vitest';
import { join, newCollection, newItem } from '../../support/assets.ts';
import type { World } from '../../support/matrix.ts';
import { openWorld } from '../../support/matrix.ts';
import { by, json, send, xml } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { givenTo, owner, stranger } from '../../support/world.ts';

const plain = { accept: 'text/plain' };
const at = (samples: number) => ({ samples, timeBase: { numerator: 1, denominator: 25 } });
const segment = (item: string) => ({
  item,
  sourceTrack: 1,
  in: at(0),
  out: at(50),
  sourceIn: at(10),
  sourceOut: at(60),
});

async function started(): Promise<World> {
  const world = await openWorld('fetch');
  for (const person of givenTo('assets')) await send(world, person);
  await send(world, by('PUT /API/group/_sequence_read/user/owner'));
  await send(world, by('PUT /API/group/_sequence_write/user/owner'));
  await send(world, newItem());
  await send(world, newItem('', owner));
  return world;
}

describe('sequences of items', () => {
  it('keeps one in the own format, whichever form it is sent in, and gives it as XML', async () => {
    const world = await started();
    const put = await send(
      world,
      by('PUT /API/item/VX-1/sequence/vidispine', { track: [{ segment: [segment('VX-2')] }] }, json),
    );
    expect(JSON.parse(put.body)).toEqual({ id: 'VX-1' });
    const got = await send(world, by('GET /API/item/VX-1/sequence/vidispine', undefined, json));
    expect(got.headers.get('content-type')).toMatch('application/xml');
    expect(got.body).toMatch(
      /<track><segment><item>VX-2<\/item><sourceTrack>1<\/sourceTrack><in><samples>0<\/samples><timeBase>/,
    );
    await send(world, by('PUT /API/item/VX-1/sequence/vidispine', got.body, { 'content-type': 'application/xml' }));
    expect((await send(world, by('GET /API/item/VX-1/sequence/vidispine'))).body).toBe(got.body);
    const list = await send(world, by('GET /API/item/VX-1/sequence', undefined, json));
    expect(JSON.parse(list.body)).toEqual({ sequence: [{ id: 'VX-1', type: 'vidispine' }] });
  });

  it('keeps other formats as they were sent, and never as a page', async () => {
    const world = await started();
    const bytes = new Uint8Array([0, 255, 128, 10]);
    await send(world, by('PUT /API/item/VX-1/sequence/aaf', bytes, { 'content-type': 'application/octet-stream' }));
    await send(world, by('PUT /API/item/VX-1/sequence/fcp', '<html/>', { 'content-type': 'application/xhtml+xml' }));
    const aaf = await world.service.fetch(
      new Request('http://portico.test/API/item/VX-1/sequence/aaf', {
        headers: { authorization: `Basic ${btoa(admin.join(':'))}` },
      }),
    );
    expect(new Uint8Array(await aaf.arrayBuffer())).toEqual(bytes);
    const page = await send(world, by('GET /API/item/VX-1/sequence/fcp'));
    expect(page.headers.get('content-type')).toBe('application/octet-stream');
    expect(page.headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('counts them in __sequence_size, and forgets them with the item', async () => {
    const world = await started();
    const size = async () =>
      /"__sequence_size","value":\[\{"value":"(\d)"/.exec(
        (await send(world, by('GET /API/item/VX-1/metadata?field=__sequence_size', undefined, json))).body,
      )?.[1];
    expect(await size()).toBe('0');
    await send(world, by('PUT /API/item/VX-1/sequence/edl', 'TITLE: A'));
    await send(world, by('PUT /API/item/VX-1/timeline/edl', 'TITLE: A'));
    expect(await size()).toBe('1');
    const found = await send(
      world,
      by('PUT /API/item?content=', { field: [{ name: '__sequence_size', value: [{ value: '1' }] }] }, json),
    );
    expect(JSON.parse(found.body)).toMatchObject({ hits: 1, item: [{ id: 'VX-1' }] });
    await send(world, by('DELETE /API/item/VX-1'));
    expect(await world.service.store.read('SELECT count(*) FROM attachment')).toEqual([[0]]);
  });

  it.each([
    ['an item that is not there', { track: [{ segment: [segment('VX-999')] }] }, 404, 'VX-999'],
    ['an end before its start', { track: [{ segment: [{ ...segment('VX-2'), out: at(-1) }] }] }, 400, 'behind that'],
    ['a segment without an item', { track: [{ segment: [{ sourceTrack: 1 }] }] }, 400, 'item'],
    ['no body', undefined, 400, 'what is to be kept'],
  ])('refuses %s', async (_title, body, status, part) => {
    const world = await started();
    const answer = await world.send(by('PUT /API/item/VX-1/sequence/vidispine', body, json));
    expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(part)]);
    expect((await world.send(by('GET /API/item/VX-1/sequence/vidispine'))).status).toBe(404);
  });

  it('tells a caller nothing of items that it may not read', async () => {
    const world = await started();
    const body = { track: [{ segment: [segment('VX-1')] }] };
    expect((await world.send(by('PUT /API/item/VX-2/sequence/vidispine', body, json, owner))).status).toBe(404);
    expect((await world.send(by('GET /API/item/VX-1/sequence', undefined, json, owner))).status).toBe(403);
    expect((await world.send(by('GET /API/item/VX-2/sequence', undefined, json, stranger))).status).toBe(403);
    await send(world, by('PUT /API/item/VX-2/sequence/edl', 'TITLE: A', undefined, owner));
    await send(world, by('DELETE /API/item/VX-2/sequence/edl', undefined, undefined, owner));
    expect((await world.send(by('DELETE /API/item/VX-2/sequence/edl', undefined, undefined, owner))).status).toBe(404);
  });
});

describe('timelines and projects', () => {
  it('lists, keeps and removes timelines', async () => {
    const world = await started();
    for (const format of ['otio', 'edl'])
      await send(world, by(`PUT /API/item/VX-1/timeline/${format}`, `of ${format}`));
    expect((await send(world, by('GET /API/item/VX-1/timeline', undefined, plain))).body).toBe('edl\r\notio\r\n');
    expect((await send(world, by('GET /API/item/VX-1/timeline/edl'))).body).toBe('of edl');
    await send(world, by('DELETE /API/item/VX-1/timeline/edl'));
    await send(world, by('PUT /API/item/VX-1/timeline/xml', 'a'));
    await send(world, by('DELETE /API/item/VX-1/timeline'));
    expect((await send(world, by('GET /API/item/VX-1/timeline', undefined, plain))).body).toBe('');
  });

  it('makes a collection of a project, with its definition, mappings and extra data', async () => {
    const world = await started();
    const made = await send(world, by('POST /API/collection/project', { name: 'Cut' }, json));
    expect(JSON.parse(made.body)).toEqual({ uri: ['VX-1'] });
    expect(made.headers.get('location')).toBe('http://portico.test/API/collection/VX-1');
    expect(JSON.parse((await send(world, by('GET /API/collection/VX-1', undefined, json))).body)).toMatchObject({
      name: 'Cut',
    });
    const definition = '/API/collection/VX-1/definition';
    await send(world, by(`PUT ${definition}/fcp`, '<xmeml/>', { 'content-type': 'application/xml' }));
    await send(world, by(`PUT ${definition}/fcp/extradata`, 'more'));
    const mappings = { asset: [{ id: 'clip-1', item: 'VX-1' }], storage: [{ path: '/mnt', id: 'VX-1' }] };
    await send(world, by(`PUT ${definition}/fcp/asset`, mappings, json));
    expect((await send(world, by(`GET ${definition}`, undefined, plain))).body).toBe('fcp\r\n');
    expect((await send(world, by(`GET ${definition}/fcp`, undefined, xml))).body).toBe('<xmeml/>');
    expect((await send(world, by(`GET ${definition}/fcp/extradata`))).body).toBe('more');
    expect(JSON.parse((await send(world, by(`GET ${definition}/fcp/asset`, undefined, json))).body)).toEqual(mappings);
    await send(world, by(`DELETE ${definition}/fcp/asset`));
    expect((await world.send(by(`GET ${definition}/fcp/asset`))).status).toBe(404);
    await send(world, by('DELETE /API/collection?id=VX-1'));
    expect(await world.service.store.read('SELECT count(*) FROM attachment')).toEqual([[0]]);
  });

  it('a collection is a sequence of its items, in their order, without those that the caller may not read', async () => {
    const world = await started();
    await send(world, newCollection());
    await send(world, join('VX-1', 'VX-2'));
    await send(world, join('VX-1', 'VX-1'));
    const items = async (as = admin) =>
      [
        ...(await send(world, by('GET /API/collection/VX-1/sequence-document', undefined, xml, as))).body.matchAll(
          /<item>(.*?)</g,
        ),
      ].map(([, id]) => id);
    expect(await items()).toEqual(['VX-2', 'VX-1']);
    await send(
      world,
      by(
        'POST /API/collection/VX-1/access',
        { permission: 'READ', user: 'owner', appliesTo: [{ value: 'self' }] },
        json,
      ),
    );
    expect(await items(owner)).toEqual(['VX-2']);
  });
});

describe('what follows from a sequence', () => {
  const value = (name: string, text: string) => ({ name, value: [{ value: text }] });
  const spans = async (world: World, item: string) => {
    const { body } = await send(world, by(`GET /API/item/${item}/metadata?interval=0-1000`, undefined, json));
    type Told = { name: string; value?: { value: string }[]; field?: Told[] };
    const { item: items } = JSON.parse(body) as {
      item: { metadata: { timespan: { start: string; end: string; field: Told[]; group: Told[] }[] } }[];
    };
    const told = ({ name, value: values = [], field = [] }: Told): string =>
      `${name}=${[...values.map((each) => each.value), ...field.map(told)].join()}`;
    return items[0]!.metadata.timespan
      .filter(({ start }) => start !== '-INF')
      .map(({ start, end, field, group }) => [start, end, ...field.map(told), ...group.map(told)].join(' '));
  };

  it('takes over timed metadata of its items, cut and moved, and once', async () => {
    const world = await started();
    await send(world, by('PUT /API/metadata-field/seq_note', { type: 'string' }, json));
    await send(world, by('PUT /API/metadata-field/field-group/Goal', { field: [{ name: 'seq_note' }] }, json));
    const group = (text: string) => ({ name: 'Goal', field: [value('seq_note', text)] });
    const timespan = [
      { start: '-INF', end: '+INF', field: [value('seq_note', 'whole')] },
      { start: '0@25', end: '20@25', field: [value('seq_note', 'early')] },
      { start: '20@25', end: '30@25', group: [group('goal')] },
      { start: '60@25', end: '90@25', field: [value('seq_note', 'late')] },
    ];
    await send(world, by('PUT /API/item/VX-2/metadata', { timespan }, json));
    const sound = { ...segment('VX-2'), sourceTrack: 2 };
    const again = { ...segment('VX-2'), in: at(100), out: at(120), sourceIn: at(0), sourceOut: at(20) };
    const track = [{ segment: [segment('VX-2'), again] }, { audio: true, segment: [sound] }];
    await send(world, by('PUT /API/item/VX-1/sequence/vidispine', { track }, json));
    const before = await world.sequence();
    await send(world, by('POST /API/item/VX-1/sequence/conform-metadata'));
    const expected = ['0@25 10@25 seq_note=early', '10@25 20@25 Goal=seq_note=goal', '100@25 120@25 seq_note=early'];
    expect((await spans(world, 'VX-1')).sort()).toEqual([...expected].sort());
    expect((await world.events(before)).map(({ name }) => name)).toEqual(['metadata/modify']);
    await send(world, by('POST /API/item/VX-1/sequence/conform-metadata'));
    expect((await spans(world, 'VX-1')).sort()).toEqual([...expected].sort());
  });

  it('takes over timed metadata at the speed of a part, and what a still shows for as long as it lasts', async () => {
    const world = await started();
    await send(world, by('PUT /API/metadata-field/seq_note', { type: 'string' }, json));
    const timespan = [
      { start: '20@25', end: '30@25', field: [value('seq_note', 'goal')] },
      { start: '40@25', end: '40@25', field: [value('seq_note', 'point')] },
    ];
    await send(world, by('PUT /API/item/VX-2/metadata', { timespan }, json));
    const part = (from: number, to: number, sourceIn: number, sourceOut: number) => ({
      ...segment('VX-2'),
      ...{ in: at(from), out: at(to), sourceIn: at(sourceIn), sourceOut: at(sourceOut) },
    });
    const parts = [
      part(0, 100, 10, 60),
      part(100, 125, 10, 60),
      part(200, 210, 25, 25),
      part(300, 310, 30, 30),
      part(400, 410, 40, 40),
    ];
    await send(world, by('PUT /API/item/VX-1/sequence/vidispine', { track: [{ segment: parts }] }, json));
    await send(world, by('POST /API/item/VX-1/sequence/conform-metadata'));
    expect((await spans(world, 'VX-1')).sort()).toEqual([
      ...['105@25 110@25 seq_note=goal', '115@25 115@25 seq_note=point', '200@25 210@25 seq_note=goal'],
      ...['20@25 40@25 seq_note=goal', '400@25 410@25 seq_note=point', '60@25 60@25 seq_note=point'],
    ]);
  });

  it('takes over nothing of items that the caller may not read', async () => {
    const world = await started();
    await send(world, by('PUT /API/metadata-field/field-group/Goal', {}, json));
    const group = [{ name: 'Goal' }];
    const timespan = [{ start: '0@25', end: '20@25', field: [value('title', 'secret')], group }];
    await send(world, by('PUT /API/item/VX-1/metadata', { timespan }, json));
    await send(world, by('PUT /API/item/VX-2/sequence/vidispine', { track: [{ segment: [segment('VX-1')] }] }, json));
    await send(world, by('POST /API/item/VX-2/sequence/conform-metadata', undefined, {}, owner));
    expect(await spans(world, 'VX-2')).toEqual([]);
    await send(world, by('POST /API/item/VX-2/sequence/conform-metadata'));
    expect(await spans(world, 'VX-2')).toEqual(['0@25 10@25 title=secret Goal=']);
  });

  it('needs a sequence in the own format with times', async () => {
    const world = await started();
    const status = async () => (await world.send(by('POST /API/item/VX-1/sequence/conform-metadata'))).status;
    expect(await status()).toBe(404);
    const { in: _in, ...rest } = segment('VX-2');
    await send(world, by('PUT /API/item/VX-1/sequence/vidispine', { track: [{ segment: [rest] }] }, json));
    expect(await status()).toBe(400);
    expect(
      (await world.send(by('POST /API/item/VX-1/sequence/conform-metadata', undefined, {}, stranger))).status,
    ).toBe(403);
  });

  it('is exported in the formats in which it is kept, and 501 names another one', async () => {
    const world = await started();
    await send(world, by('PUT /API/item/VX-1/sequence/vidispine', { track: [{ segment: [segment('VX-2')] }] }, json));
    await send(world, by('PUT /API/item/VX-1/sequence/edl', 'TITLE: A'));
    const own = await send(world, by('GET /API/item/VX-1/sequence/export'));
    expect(own.body).toBe((await send(world, by('GET /API/item/VX-1/sequence/vidispine'))).body);
    expect((await send(world, by('GET /API/item/VX-1/sequence/export?type=edl'))).body).toBe('TITLE: A');
    const other = await world.send(by('GET /API/item/VX-1/sequence/export?type=aaf', undefined, json));
    expect([other.status, other.body]).toEqual([501, expect.stringContaining('this service makes no')]);
  });
});

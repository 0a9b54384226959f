import { expect, it } from 'vitest';
import { by, json, xml } from '../../../support/requests.ts';
import { named, openScenarios, text, values } from './support.ts';

const { answer, done, ids, search, status } = openScenarios();

const range = (name: string, low: string, high: string, more: object = {}) => ({
  field: [{ name, range: [{ value: values(low, high), ...more }] }],
});

it('XML and JSON, plain texts in the place of values, one operator or several', async () => {
  const document = `<ItemSearchDocument xmlns="http://xml.vidispine.com/schema/vidispine" version="2"><operator operation="AND"><field><name>x_tag</name><value>sea</value><value>x</value></field></operator><facet count="true"><field>x_tag</field></facet></ItemSearchDocument>`;
  const answered = await done(
    by('PUT /API/item;first=1;number=1', document, { ...xml, 'content-type': 'application/xml' }),
  );
  expect(answered.body).toContain('<hits>2</hits>');
  expect(answered.body).toMatch(/<item [^>]*id="VX-2"[^>]* start="-INF" end="\+INF"/);
  expect(answered.body).toContain('<count fieldValue="sea"');
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

it('values of one field are alternatives, criteria side by side are all met', async () => {
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

it('a field without a value has some value', async () => {
  expect(await ids({ field: [{ name: 'x_tag' }] })).toEqual(['VX-2', 'VX-1']);
  expect(await ids(named('x_ratio', '*'))).toEqual(['VX-3', 'VX-1']);
  expect(await ids({ operator: [{ operation: 'NOT', field: [{ name: 'title' }] }] })).toEqual(['VX-4']);
});

it('wildcards stand for runs and characters, and noescape brings operators', async () => {
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

it('an operator without a word is refused, for it would find everything', async () => {
  for (const given of [
    'harbour OR',
    'OR harbour',
    'OR',
    'harbour OR OR night',
    '(harbour || )',
    'night || AND',
    '(harbour OR)',
    'OR"night"',
  ]) {
    const { status: told, body } = await answer(by('PUT /API/item', JSON.stringify(text(given, true)), json));
    expect([given, told]).toEqual([given, 400]);
    expect(body).toContain('Expected a word on both sides of OR');
  }
  expect(await ids(text('harbour AND', true))).toEqual(['VX-2', 'VX-1']);
  expect(await ids(text('', true))).toHaveLength(5);
});

it('words of one value stand in order, words of a text stand anywhere', async () => {
  expect(await ids(named('title', 'old harbour'))).toEqual(['VX-2']);
  expect(await ids(named('title', 'harbour old'))).toEqual([]);
  expect(await ids(text('harbour old'))).toEqual(['VX-2']);
  expect(await ids(text('WALDER suden'))).toEqual(['VX-3']);
  expect(await ids(text('東京'))).toEqual(['VX-5']);
  expect(await ids(text('タワー'))).toEqual(['VX-5']);
});

it('ranges include their ends unless they are open', async () => {
  expect(await ids(range('x_count', '3', '7'))).toEqual(['VX-3', 'VX-1']);
  expect(await ids(range('x_count', '3', '7', { exclusiveMinimum: true }))).toEqual(['VX-3']);
  expect(await ids(range('x_count', '', '7', { exclusiveMaximum: true }))).toEqual(['VX-1']);
  expect(
    await ids({ field: [{ name: 'x_count', range: [{ value: [{ value: '5' }, { value: '9', maximum: true }] }] }] }),
  ).toEqual(['VX-3', 'VX-2']);
  expect(await status({ field: [{ name: 'x_count', range: [{ value: values('1') }] }] })).toBe(400);
});

it('numbers, dates, booleans and time codes compare by value', async () => {
  expect(await ids(named('x_ratio', '0.50'))).toEqual(['VX-1']);
  expect(await ids(range('x_ratio', '-3', '0'))).toEqual(['VX-3']);
  expect(await ids(named('x_day', '2026-02-01T11:00:00Z'))).toEqual(['VX-2']);
  expect(await ids(range('x_day', '2026-01-01', '2026-01-31'))).toEqual(['VX-1']);
  expect(await ids(named('x_done', 'TRUE'))).toEqual(['VX-1']);
  expect(await ids(named('x_at', '1'))).toEqual(['VX-1']);
  expect(await status(named('x_count', 'many'))).toBe(400);
});

it('unknown and unindexed fields match nothing, unreadable documents are refused', async () => {
  expect(await ids(named('x_none', 'a'))).toEqual([]);
  expect(await ids(named('x_hidden', 'secret'))).toEqual([]);
  expect(await ids(text('secret'))).toEqual([]);
  expect(await status('<ItemSearchDocument><field>')).toBe(400);
  expect(await status({ operator: [{ operation: 'XOR' }] })).toBe(400);
  expect(await status({ sort: [{ field: 'title', order: 'sideways' }] })).toBe(400);
  expect(await status({ collection: {} })).toBe(400);
});

it('criteria in a group are met by one instance of it', async () => {
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
  await done(
    by('PUT /API/configuration/properties/metadataGroupSearchStyle', 'mergeToTopLevelGroup', {
      'content-type': 'text/plain',
    }),
  );
  expect(await ids(nested)).toEqual(['VX-4']);
  await done(by('DELETE /API/configuration/properties/metadataGroupSearchStyle'));
});

it('each timespan that matches is a hit, together with what is not timed', async () => {
  const spans = async (body: object) => (await search(body)).item!.map(({ id, start, end }) => [id, start, end]);
  expect(await spans(named('x_actor', 'carla'))).toEqual([
    ['VX-5', '10@PAL', '20@PAL'],
    ['VX-5', '30@PAL', '40@PAL'],
  ]);
  expect((await search(named('x_actor', 'carla'))).hits).toBe(2);
  expect(await spans({ ...text('interview'), ...named('x_actor', 'sings') })).toEqual([['VX-5', '30@PAL', '40@PAL']]);
  expect(await spans({ field: [...named('x_actor', 'speaks').field, ...named('x_role', 'singer').field] })).toEqual([]);
  expect(await spans({ intervals: 'generic', ...named('x_actor', 'carla') })).toEqual([]);
  expect(await spans({ intervals: 'timed', ...text('interview') })).toEqual([]);
  expect(await spans({ intervals: 'timed', ...named('x_role', 'singer') })).toEqual([['VX-5', '30@PAL', '40@PAL']]);
  expect(await status({ cursor: '*', intervals: 'timed' })).toBe(400);
});

it('search: a search that would cost too much is refused with its limit', async () => {
  const many = Array.from({ length: 900 }, (_, index) => String(index));
  expect(await ids(named('x_count', ...many))).toEqual(['VX-3', 'VX-2', 'VX-1']);
  expect(await ids(named('__collection', ...many, 'VX-1'))).toEqual(['VX-2', 'VX-1']);
  const refusal = async (body: object) => (await answer(by('PUT /API/item', body))).body;
  expect(await refusal(named('x_count', ...many, ...many))).toContain('Expected at most 1000');
  expect(await refusal(text(many.join(' ')))).toContain('Expected at most 500 values and words');
  const phrase = `"${many.join(' ')}"`;
  for (const wave of ['', '~3']) {
    const query = { value: `${phrase}${wave}`, noescape: true };
    for (const body of [{ text: [query] }, { field: [{ name: 'title', value: [query] }] }])
      expect(await refusal(body)).toContain('Expected at most 500 values and words');
  }
  expect(await refusal(named('title', many.join(' ')))).toContain('Expected at most 500 values and words');
  expect(await refusal(text('a'.repeat(70_000)))).toContain('Expected at most 65536 characters of texts');
  expect(await refusal(named('title', ...many.slice(0, 40)))).toContain('Expected at most 32 texts and patterns');
  let deep: object = named('x_count', '3');
  for (let depth = 0; depth < 27; depth++) deep = { operator: [{ operation: 'AND', ...deep }] };
  expect(await refusal(deep)).toContain('Expected at most 24 criteria inside each other');
  expect(await refusal({ facet: many.slice(0, 30).map((name) => ({ field: name })) })).toContain(
    'Expected at most 20 facets',
  );
});

it('version 2 means the same', async () => {
  const found = await search(text('harbour'));
  expect(await search({ version: 2, ...text('harbour') })).toEqual(found);
  const xml = '<ItemSearchDocument version="2"><text>harbour</text></ItemSearchDocument>';
  const answered = await done(by('PUT /API/item', xml, { ...json, 'content-type': 'application/xml' }));
  expect(JSON.parse(answered.body)).toEqual(found);
});

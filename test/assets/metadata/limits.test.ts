import { expect, it } from 'vitest';
import type { MetadataDocumentValue, MetadataGroup } from '../../../src/assets/metadata/documents.ts';
import { metadataRequestOf } from '../../../src/assets/metadata/merge/request.ts';
import { sqlIn } from '../../support/requests.ts';
import { by, field, getItem, openMetadata, putItem, untimed, value } from './support.ts';

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

it('a document with 10,000 values in 1,000 timespans is served', async () => {
  const world = await openMetadata();
  const timespan = numbers(1000).map((second) => ({
    start: `${second}`,
    end: `${second + 1}`,
    // A value may be its text alone.
    field: [{ name: 'title', value: numbers(10).map((n) => `${second}.${n}`) }],
  }));
  const answer = await putItem(world, { timespan });
  expect(answer.timespan).toHaveLength(1001);
  expect((await getItem(world, '?interval=500.5-501.5')).timespan).toHaveLength(3);
});

it('more timespans or values in one list than a list may have are refused by the name of the limit', async () => {
  const world = await openMetadata();
  const timespan = numbers(1001).map((second) => ({ start: `${second}`, end: '+INF' }));
  const values = numbers(1001).map((n) => value(String(n)));
  for (const body of [{ timespan }, untimed({ name: 'title', value: values })]) {
    const { status, body: text } = await world.send(by('PUT /item/VX-1/metadata', body));
    expect([status, text]).toEqual([400, expect.stringContaining('Expected at most 1000 elements')]);
  }
});

it('50 levels of groups are served, and more than a document may be deep are refused', async () => {
  const world = await openMetadata();
  const nested = (levels: number): MetadataGroup =>
    levels === 1 ? { name: 'Show', field: [field('title', 'deep')] } : { name: 'Show', group: [nested(levels - 1)] };
  const deep = (levels: number): MetadataDocumentValue => ({ timespan: [{ group: [nested(levels)] }] });
  expect(JSON.stringify(await putItem(world, deep(25)))).toContain('deep');
  const { status, body } = await world.send(by('PUT /item/VX-1/metadata', deep(200)));
  expect([status, body]).toEqual([400, expect.stringContaining('levels of nesting')]);
  const xml = `<MetadataDocument><timespan>${'<group><name>Show</name>'.repeat(50)}${'</group>'.repeat(50)}</timespan></MetadataDocument>`;
  const sent = { ...by('PUT /item/VX-1/metadata', xml), headers: { 'content-type': 'application/xml' } };
  expect((await world.send(sent)).status).toBe(200);
});

it('metadata does not grow beyond the setting, and may still be made smaller', async () => {
  const world = await openMetadata('fetch', { settings: { maxStateBytes: 1000 } });
  const add = (text: string) =>
    world.send(by('PUT /item/VX-1/metadata', untimed({ ...field('title', text), mode: 'add' })));
  expect((await add('a'.repeat(700))).status).toBe(200);
  const { status, body } = await add('b'.repeat(700));
  expect([status, body]).toEqual([400, expect.stringContaining('maxStateBytes')]);
  expect((await world.send(by('PUT /item/VX-1/metadata', untimed(field('title', 'a'))))).status).toBe(200);
});

it('attack: an item has at most 50,000 values, and one that has more may still be made smaller', async () => {
  const world = await openMetadata();
  await putItem(world, untimed(field('title', 'a')));
  const put = (document: MetadataDocumentValue) => world.send(by('PUT /item/VX-1/metadata', document));
  const fill = (count: number) => {
    const values = Array<string>(count).fill('a');
    const doc = JSON.stringify({ c: [['VX-1', 'admin', 0]], s: [[['-INF', '+INF'], [['title', 0, values]]]] });
    return sqlIn(world, "UPDATE metadata_state SET doc = ? WHERE owner_type = 'item' AND owner_id = 'VX-1'", doc);
  };
  const add = (text: string) => put(untimed({ ...field('title', text), mode: 'add' }));
  await fill(49_999);
  expect((await add('b')).status).toBe(200);
  const { status, body } = await add('c');
  expect([status, body]).toEqual([
    400,
    expect.stringContaining('Expected at most 50000 values in the metadata of one'),
  ]);
  await fill(60_000);
  expect((await put(untimed(field('title', 'a')))).status).toBe(200);
  const many = Array.from({ length: 50_001 }, () => ({ value: 'a' }));
  const document = untimed({ name: 'title', value: many });
  expect(() => metadataRequestOf(document, { isIgnored: () => false })).toThrow('Expected at most 50000 values');
});

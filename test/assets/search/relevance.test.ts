import { beforeAll, describe, expect, it } from 'vitest';
import { field, fieldsOf, item, openSharedAssets } from '../../support/assets.ts';
import type { World } from '../../support/matrix.ts';
import { by, plain, send } from '../../support/requests.ts';

describe('relevance and near words', () => {
  let world: World;
  const opened = openSharedAssets();
  beforeAll(async () => {
    world = opened();
    const all = [
      field('x_tag', 'string-exact'),
      field('x_count', 'integer'),
      item({ title: 'harbour harbour harbour', x_tag: 'sea', x_count: '1' }),
      item({ title: 'a harbour of an old town by the sea', x_tag: 'old sea', x_count: '2' }),
      item({ title: 'harbor', x_count: '3' }),
      item({ title: 'labour, tågata' }),
      by('PUT /API/item/VX-4/metadata', {
        timespan: [{ start: '10@PAL', end: '20@PAL', field: fieldsOf({ title: 'harbour' }) }],
      }),
    ];
    for (const sent of all) await send(world, sent);
  });

  const ids = async (document: object) => {
    const answer = await send(world, by('PUT /API/item', document, plain));
    return answer.body.split('\r\n').filter((id) => id !== '');
  };
  const query = (value: string) => ({ text: [{ value, noescape: true }] });
  const best = [{ field: '_relevance', order: 'descending' }];
  const refusal = async (document: object) => {
    const answer = await world.send(by('PUT /API/item', document));
    return [answer.status, answer.body.includes('search/')];
  };

  it('a word with a wave finds words that differ by up to two letters', async () => {
    expect(await ids({ ...query('harbour~'), intervals: 'generic' })).toEqual(['VX-3', 'VX-2', 'VX-1']);
    expect(await ids({ ...query('harbuxr~1'), intervals: 'generic' })).toEqual([]);
    expect(await ids({ ...query('hrbour~1'), intervals: 'generic' })).toEqual(['VX-2', 'VX-1']);
    expect(await ids({ ...query('HARBOUR~0'), intervals: 'generic' })).toEqual(['VX-2', 'VX-1']);
    // A fraction says how alike words are: a tenth of seven letters is none.
    expect(await ids({ ...query('harbour~0.9'), intervals: 'generic' })).toEqual(['VX-2', 'VX-1']);
    expect(await ids({ ...query('tagota~1'), intervals: 'generic' })).toEqual(['VX-4']);
    expect(await ids(query('harbour~1'))).toEqual(['VX-4', 'VX-3', 'VX-2', 'VX-1']);
    const inField = { field: [{ name: 'x_tag', value: [{ value: 'see~1', noescape: true }] }] };
    expect(await ids(inField)).toEqual(['VX-2', 'VX-1']);
    expect(await refusal({ field: [{ name: 'x_count', value: [{ value: '2~1', noescape: true }] }] })).toEqual([
      400,
      true,
    ]);
  });

  it('a phrase with a wave has its words near each other in one value, in any order', async () => {
    const generic = (value: string) => ids({ ...query(value), intervals: 'generic' });
    expect(await generic('"harbour town"~3')).toEqual(['VX-2']);
    expect(await generic('"harbour town"~2')).toEqual([]);
    expect(await generic('"town old harbour"~2')).toEqual(['VX-2']);
    expect(await generic('"harbour harbour harbour"~0')).toEqual(['VX-1']);
    expect(await generic('"harbour harbour harbour harbour"~9')).toEqual([]);
    // Words of two values are not near each other, and neither are those of two fields.
    await send(world, item({ x_tag: ['old pier', 'new town'], title: 'gate' }));
    expect(await generic('"pier town"~5')).toEqual([]);
    expect(await generic('"pier gate"~50')).toEqual([]);
    expect(await generic('"pier old"~')).toEqual(['VX-5']);
    expect(await generic('sea -"old town"~1')).toEqual(['VX-1']);
    const inField = (value: string) => ({ field: [{ name: 'title', value: [{ value, noescape: true }] }] });
    expect(await ids({ ...inField('"town harbour"~3'), highlight: {} })).toEqual(['VX-2']);
    expect(await ids(inField('"pier old"~3'))).toEqual([]);
    await send(world, by('DELETE /API/item/VX-5'));
    await send(
      world,
      by('PUT /API/item/VX-3/metadata', {
        timespan: [{ start: '1@PAL', end: '2@PAL', field: fieldsOf({ title: 'quiet old quay' }) }],
      }),
    );
    expect(await ids(query('"quay quiet"~1'))).toEqual(['VX-3']);
    expect(await ids(query('"quay quiet"~0'))).toEqual([]);
    expect(await ids({ ...query('sea NOT "harbour town"~3'), sort: best })).toEqual(['VX-1']);
    expect(await refusal(query('"old town"~101'))).toEqual([400, true]);
    expect(await refusal({ item: query('"old town"~3') })).toEqual([200, false]);
    const shapes = await world.send(by('PUT /API/search/shape', { item: query('"old town"~3') }));
    expect(shapes.status).toBe(400);
  });

  it('a boost counts a value more for relevance, and less below 1', async () => {
    const either = (one: object, other: object) => ({
      operator: [{ operation: 'OR', field: [{ name: 'title', value: [one, other] }] }],
      intervals: 'generic',
      sort: best,
    });
    const [town, harbor] = [{ value: 'town' }, { value: 'harbor' }];
    expect(await ids(either({ ...town, boost: 50 }, harbor))).toEqual(['VX-2', 'VX-3']);
    expect(await ids(either(town, { ...harbor, boost: 50 }))).toEqual(['VX-3', 'VX-2']);
    expect(await ids({ ...query('harbour (town^50 OR harbour)'), intervals: 'generic', sort: best })).toEqual([
      'VX-2',
      'VX-1',
    ]);
    expect(await ids({ ...query('harbour (town^0 OR harbour^0)'), intervals: 'generic', sort: best })).toHaveLength(2);
  });

  it('relevance sorts beside ranges, without words, and among timespans', async () => {
    const range = [{ name: 'x_count', range: [{ value: [{ value: '1' }, { value: '2' }] }] }];
    const words = [{ name: 'title', value: [{ value: 'harbour' }] }];
    expect(await ids({ field: [...words, ...range], sort: best })).toEqual(['VX-1', 'VX-2']);
    const boosted = { name: 'x_count', value: [{ value: '1', boost: 3 }, { value: '2' }] };
    expect(await ids({ field: [boosted], sort: best })).toEqual(['VX-1', 'VX-2']);
    expect(await ids({ field: words, sort: best })).toEqual(['VX-1', 'VX-2', 'VX-4']);
    expect(await ids({ field: words, sort: best, intervals: 'timed' })).toEqual(['VX-4']);
  });

  it('search: boosts are bounded in number and size', async () => {
    const boosted = (count: number, boost: number) => ({
      text: Array.from({ length: count }, (_, index) => ({ value: `w${index}`, boost })),
    });
    expect(await refusal(boosted(33, 2))).toEqual([400, true]);
    expect(await refusal(boosted(1, 1e9))).toEqual([400, true]);
    expect(await refusal(boosted(1, -1))).toEqual([400, true]);
    expect(await ids(boosted(32, 2))).toEqual([]);
  });
});

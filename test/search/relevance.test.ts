import { beforeAll, describe, expect, it } from 'vitest';
import { by, plain, send } from '../assets/asset-support.ts';
import type { World } from '../support/matrix.ts';
import { field, fieldsOf, item, openSharedAssets } from './search-support.ts';

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

  it('search 4.3: a word with a wave finds words that differ by up to two letters', async () => {
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
    expect(await refusal(query('"old town"~3'))).toEqual([400, true]);
  });

  it('search 2: a boost counts a value more for relevance, and less below 1', async () => {
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

  it('search 4.13: relevance sorts beside ranges, without words, and among timespans', async () => {
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

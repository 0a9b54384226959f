import { expect, it } from 'vitest';
import { jsonOf } from '../../support/requests.ts';
import { recordedOriginal } from './recorded-original.ts';
import { hastyClock, memoryState, openHouses, outcomeOf, requestOf, run } from './support.ts';

it('an original that answers as 4.17.9 was recorded comes whole, and in a second run nothing changes', async () => {
  const houses = await openHouses();
  const clock = hastyClock();
  const original = recordedOriginal(clock);
  const folder = memoryState();
  const request = requestOf(houses, { clock, folder, from: { address: 'http://old/API', ask: original.ask } });
  const first = await run(request);
  expect(original.wrong).toEqual([]);
  expect([outcomeOf(first), first.remark]).toMatchObject([
    { failure: [], made: { user: 1, group: 1, item: 7, relation: 1, collection: 1, storage: 1, 'shape-tag': 1 } },
    [{ text: 'Users of the service keep the names and groups that they have here', ids: ['admin'] }],
  ]);
  const { to } = houses;
  const item = await jsonOf(to, 'GET /API/item/VX-3?content=metadata,shape&interval=all');
  const texts = JSON.stringify(item);
  for (const text of [
    'Film 3',
    'ägg',
    'bells',
    'Broadcast date',
    '2020-09-21',
    'film 3.mxf',
    'mpeg2video',
    '2020-09-13T10:57',
  ])
    expect(texts).toContain(text);
  const { content } = await jsonOf<{ content: { id: string }[] }>(to, 'GET /API/collection/VX-1');
  expect(content.map(({ id }) => id)).toEqual([6, 5, 4, 3, 2, 1, 0].map((at) => `VX-${1_000_000 + at}`));
  expect(await jsonOf(to, 'GET /API/item/VX-1/relation')).toMatchObject({
    relation: [{ direction: { type: 'D' }, value: [{ key: 'why', value: 'x' }] }],
  });
  expect(JSON.stringify(await jsonOf(to, 'GET /API/item/VX-2/access'))).toContain('"user":"ann"');
  expect(folder.files.get('history.jsonl')).toContain('"id":"VX-7","changeSet"');
  expect((await run(request)).target.writes).toBe(0);
});

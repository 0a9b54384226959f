import { expect, it } from 'vitest';
import { by, send } from '../../support/requests.ts';
import { compareHouses, type Reach } from './compare.ts';
import { furnish } from './house.ts';
import { askOf, openHouses, requestOf, run } from './support.ts';

it('a program that shares nothing with the command finds no difference, and then each one that is made', async () => {
  const houses = await openHouses();
  await furnish(houses.from, houses.storage);
  await run(requestOf(houses));
  const reach =
    (ask: ReturnType<typeof askOf>): Reach =>
    (path, init = {}) =>
      ask(path, init);
  const compare = () => compareHouses(reach(askOf(houses.from)), reach(askOf(houses.to)));
  const same = await compare();
  expect(same.some).toEqual([]);
  expect(same.compared).toMatchObject({ user: 2, group: 2, item: 3, library: 2, collection: 2 });

  const value = (name: string, text: string) => ({ timespan: [{ field: [{ name, value: [{ value: text }] }] }] });
  for (const change of [
    by('PUT /API/item/VX-1/metadata', value('title', 'Harbor')),
    by('POST /API/item/VX-2/access', { group: 'staff', permission: 'ALL' }),
    by('PUT /API/item/VX-3/external-id/H-3-x'),
    by('DELETE /API/item/VX-2/shape/VX-3?keepFiles=true'),
    by('DELETE /API/item/VX-1/relation'),
    by('POST /API/collection/VX-1/order', { item: [{ id: 'VX-1000001', before: 'VX-1000000' }] }),
    by('DELETE /API/library/VX*1/VX-3'),
    by('PUT /API/user/ann/realname', 'Ann B'),
    by('DELETE /API/group/staff/group/crew'),
    by('PUT /API/metadata-field/x_note', { type: 'string', data: [{ key: 'label', value: 'Other' }] }),
    by('POST /API/import/placeholder?container=1'),
  ])
    await send(houses.to, change);
  const { some } = await compare();
  const kinds = new Set(some.map((line) => line.replace(/ (?:lacks|has besides): .*| of them there.*/, '')));
  expect([...kinds].toSorted()).toEqual([
    ...[
      'collection VX-1',
      'field group Shot',
      'field x_note',
      'group crew',
      'item VX-1',
      'item VX-2',
      'item VX-3',
      'item: 3',
    ],
    ...['library VX*1', 'user ann'],
  ]);
});

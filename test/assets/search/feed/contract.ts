import { describe, expect, it } from 'vitest';
import type { ItemSearch } from '../../../../src/assets/search/documents.ts';
import { field, fieldsOf, item } from '../../../support/assets.ts';
import type { World } from '../../../support/matrix.ts';
import { by, send } from '../../../support/requests.ts';

/** A service with an index. */
export interface Indexed {
  readonly world: World;
  /** Until the index has read everything. */
  catchUp(): Promise<void>;
  /** The ids of items, the newest first. */
  find(document: ItemSearch): Promise<readonly string[]>;
  /** The service dies, and another one goes on with its database and its index. */
  restart(): Promise<Indexed>;
}

const named = (name: string, value: string): ItemSearch => ({ field: [{ name, value: [{ value }] }] });
const text = (value: string): ItemSearch => ({ text: [{ value }] });

export async function add({ world }: Indexed, values: Record<string, string | readonly string[]>): Promise<string> {
  const { body } = await send(world, { ...item(values), headers: { accept: 'application/json' } });
  return /VX-\d+/.exec(body)![0];
}

export const fieldsOfIndexed = [field('x_tag', 'string-exact'), field('x_count', 'integer')];

/** What every index promises, inside the transactions of a service or behind them. */
export function searchIndexContract(what: string, open: () => Promise<Indexed>): void {
  describe(what, () => {
    it('finds what commits wrote, by words, values, ranges and what is not there', async () => {
      const indexed = await open();
      const one = await add(indexed, { title: 'Harbour at night', x_tag: 'sea', x_count: '3' });
      const other = await add(indexed, { title: 'The old harbour', x_tag: ['sea', 'Old Sea'], x_count: '10' });
      const third = await add(indexed, { title: 'Wälder' });
      await indexed.catchUp();
      expect(await indexed.find(text('HARBOUR'))).toEqual([other, one]);
      expect(await indexed.find(text('wald*'))).toEqual([third]);
      expect(await indexed.find(named('title', 'old harbour'))).toEqual([other]);
      expect(await indexed.find(named('title', 'harbour old'))).toEqual([]);
      expect(await indexed.find(named('x_tag', 'Old Sea'))).toEqual([other]);
      expect(
        await indexed.find({ field: [{ name: 'x_count', range: [{ value: [{ value: '4' }, { value: '10' }] }] }] }),
      ).toEqual([other]);
      expect(await indexed.find({ operator: [{ operation: 'NOT', field: [{ name: 'x_tag' }] }] })).toEqual([third]);
    });

    it('follows changes and deletions', async () => {
      const indexed = await open();
      const [one, other] = [await add(indexed, { x_tag: 'a' }), await add(indexed, { x_tag: 'a' })];
      await indexed.catchUp();
      const change = { timespan: [{ field: fieldsOf({ x_tag: 'b' }) }] };
      await send(indexed.world, by(`PUT /API/item/${one}/metadata`, change));
      await send(indexed.world, by(`DELETE /API/item/${other}`));
      await indexed.catchUp();
      expect(await indexed.find(named('x_tag', 'a'))).toEqual([]);
      expect(await indexed.find(named('x_tag', 'b'))).toEqual([one]);
    });

    it('goes on after a restart where it was, and misses nothing of what came before it read it', async () => {
      const first = await open();
      const one = await add(first, { x_tag: 'a' });
      await first.catchUp();
      const other = await add(first, { x_tag: 'a' });
      await send(first.world, by(`PUT /API/item/${one}/metadata`, { timespan: [{ field: fieldsOf({ x_tag: 'b' }) }] }));
      const second = await first.restart();
      const third = await add(second, { x_tag: 'a' });
      await second.catchUp();
      expect(await second.find(named('x_tag', 'a'))).toEqual([third, other]);
      expect(await second.find(named('x_tag', 'b'))).toEqual([one]);
    });
  });
}

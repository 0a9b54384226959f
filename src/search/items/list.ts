import { type Item, itemListDocument } from '../../assets/documents/item.ts';
import type { MediaType } from '../../http/negotiation.ts';
import { createRender, type Render } from '../../http/render.ts';
import { renderList, renderLots } from '../../http/render-list.ts';
import { lines, type Reply } from '../../http/reply.ts';
import type { Reading } from '../../store/reading.ts';
import { type SearchFound, type SearchGiven, searchReading } from '../reading.ts';
import type { Asked } from '../sought.ts';
import { itemsOfIds } from './item-ids.ts';

/** How a list of items is told. */
export interface ItemListForm {
  readonly type: MediaType;
  /** Ahead of each id of a text. */
  readonly before: string;
  /** That keeps what is found. */
  readonly library?: string | undefined;
}

/** Loads the parts of items that are answered besides their ids. */
export interface ToldItems {
  /** The entries of a page by their places, in lots that are loaded one after the other. */
  readonly lots: readonly (readonly number[])[];
  load(ids: readonly string[]): Promise<readonly Item[]>;
}

/** `mostKept`: characters of an answer that is made at once. */
export async function itemList(
  render: Render,
  { type, before, library }: ItemListForm,
  { hits, ids, entries, next, besides, highlights }: SearchFound,
  items?: ToldItems,
  mostKept?: number,
): Promise<Reply> {
  if (type === 'text/plain') return lines(ids.map((id) => [`${before}${id}`]));
  const value = { hits, library, nextCursor: next, ...besides };
  const toldAt = (at: number, item?: Item): Item => {
    // Clients read both ends of every item of a list.
    const { start = '-INF', end = '+INF' } = entries?.[at] ?? {};
    return { ...item, timespan: highlights?.[at], id: ids[at]!, start, end };
  };
  if (items) {
    return renderLots(render, type, itemListDocument, value, 'item', items.lots, async (lot) => {
      const loaded = await items.load([...new Set(lot.map((at) => ids[at]!))]);
      const byId = new Map(loaded.map((item) => [item.id, item]));
      return lot.map((at) => toldAt(at, byId.get(ids[at]!)));
    });
  }
  const isPlain = !highlights && !entries?.some(({ start }) => start !== undefined);
  const item = isPlain ? itemsOfIds(ids) : ids.map((_, at) => toldAt(at));
  return renderList(render, type, itemListDocument, { ...value, item }, 'item', mostKept);
}

export interface ItemListGiven extends SearchGiven, ItemListForm {
  /** Of XML. */
  readonly namespace: string;
}

export interface ItemListFound {
  readonly reply: Reply;
  readonly asked: Asked;
}

/** A search of items of which nothing else is told: its answer, ready to be sent. */
export const itemListReading: Reading<ItemListGiven, ItemListFound> = {
  name: 'item list',
  async run(reader, given) {
    const found = await searchReading.run(reader, given);
    const render = createRender(given.namespace);
    // The answer may have to cross to another thread.
    const reply = await itemList(render, given, found, undefined, Number.POSITIVE_INFINITY);
    return { reply, asked: found.asked };
  },
};

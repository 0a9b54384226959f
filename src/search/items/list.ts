import { type Item, itemListDocument } from '../../assets/documents/item.ts';
import type { MediaType } from '../../http/negotiation.ts';
import { createRender, type Render } from '../../http/render.ts';
import { renderList } from '../../http/render-list.ts';
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

/** `items`: what is told of them beside their ids. */
export async function itemList(
  render: Render,
  { type, before, library }: ItemListForm,
  { hits, ids, entries, next, besides, highlights }: SearchFound,
  items?: ReadonlyMap<string, Item>,
): Promise<Reply> {
  if (type === 'text/plain') return lines(ids.map((id) => [`${before}${id}`]));
  const isPlain = !items && !highlights && !entries?.some(({ start }) => start !== undefined);
  const told = (id: string, at: number): Item => {
    // Clients read both ends of every item of a list.
    const { start = '-INF', end = '+INF' } = entries?.[at] ?? {};
    return { ...items?.get(id), timespan: highlights?.[at], id, start, end };
  };
  const item = isPlain ? itemsOfIds(ids) : ids.map(told);
  return renderList(render, type, itemListDocument, { hits, library, nextCursor: next, item, ...besides }, 'item');
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
    return { reply: await itemList(createRender(given.namespace), given, found), asked: found.asked };
  },
};

import type { MediaType } from '../../http/negotiation.ts';
import { createRender, type Render } from '../../http/render.ts';
import { renderList, renderLots } from '../../http/render-list.ts';
import { lines, type Reply } from '../../http/reply.ts';
import { type Item, itemListDocument } from '../../items/public-reading.ts';
import type { Reading } from '../../store/reading.ts';
import { type SearchAnswer, type SearchRequest, searchReading } from '../reading.ts';
import { itemsOfIds } from './item-ids.ts';

interface ItemListForm {
  readonly type: MediaType;
  /** Prefix of each id in plain text. */
  readonly before: string;
  /** Library that stores the result. */
  readonly library?: string | undefined;
}

/** Loads optional content of items. */
interface ItemContent {
  /** Indexes of the entries of a page, in batches that are loaded one after the other. */
  readonly lots: readonly (readonly number[])[];
  load(ids: readonly string[]): Promise<readonly Item[]>;
}

/** Writes a list of items. `mostKept`: maximum characters for a response in one piece. */
export async function itemList(
  render: Render,
  { type, before, library }: ItemListForm,
  { hits, ids, entries, next, besides, highlights }: SearchAnswer,
  items?: ItemContent,
  mostKept?: number,
): Promise<Reply> {
  if (type === 'text/plain') return lines(ids.map((id) => [`${before}${id}`]));
  const value = { hits, library, nextCursor: next, ...besides };
  const toldAt = (at: number, item?: Item): Item => {
    // Clients expect both ends on every item of a list.
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

interface ItemListRequest extends SearchRequest, ItemListForm {
  /** XML namespace of the answer. */
  readonly namespace: string;
}

/** Search for items without further content: the reading returns the finished reply. */
export const itemListReading: Reading<ItemListRequest, Reply> = {
  name: 'item list',
  isLong: searchReading.isLong!,
  async run(reader, request) {
    const answer = await searchReading.run(reader, request);
    const render = createRender(request.namespace);
    // Unlimited in size, since the reply may have to cross to another thread as a whole.
    return itemList(render, request, answer, undefined, Number.POSITIVE_INFINITY);
  },
};

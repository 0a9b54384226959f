import type { Reading } from '../../core/store/store.ts';
import type { MediaType } from '../../http/negotiation.ts';
import { renderList } from '../../http/render-list.ts';
import { createRender, lines, type Render, type Reply } from '../../http/reply.ts';
import { type Item, itemListDocument } from '../items/public-reading.ts';
import { type SearchAnswer, type SearchRequest, searchReading } from './reading.ts';

interface ItemListForm {
  readonly type: MediaType;
  /** Prefix of each id in plain text. */
  readonly before: string;
  /** Library that stores the result. */
  readonly library?: string | undefined;
}

/** Entry of a list of items. Clients expect both ends on every one. */
export function entryAt({ ids, entries, highlights }: SearchAnswer, at: number, item?: Item): Item {
  const { start = '-INF', end = '+INF' } = entries?.[at] ?? {};
  return { timespan: highlights?.[at], start, end, ...item, id: ids[at]! };
}

/** Writes a list of items without content. */
async function itemList(
  render: Render,
  { type, before, library }: ItemListForm,
  searchAnswer: SearchAnswer,
): Promise<Reply> {
  const { hits, moreHits, ids, next, extras } = searchAnswer;
  if (type === 'text/plain') return lines(ids.map((id) => [`${before}${id}`]));
  const item = ids.map((_, at) => entryAt(searchAnswer, at));
  const value = { hits, moreHits, library, nextCursor: next, ...extras, item };
  // Unlimited in size, since the reply may have to cross to another thread as a whole.
  return renderList(render, type, itemListDocument, value, 'item', Number.POSITIVE_INFINITY);
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
    return itemList(createRender(request.namespace), request, answer);
  },
};

import type { Item } from '../../assets/documents/item.ts';
import { Written } from '../../documents/written.ts';

/** So many ids are one entry of a list. */
const most = 1000;

/**
 * Items of which nothing is told but their ids, with both ends, which clients read of every item of a list. Most searches
 * answer these, and to write each by itself would cost more than to find them. A test compares it with the descriptions.
 */
class ItemIds extends Written {
  readonly #ids: readonly string[];

  constructor(ids: readonly string[]) {
    super();
    this.#ids = ids;
  }

  json(): string {
    return `{"id":"${this.#ids.join('","start":"-INF","end":"+INF"},{"id":"')}","start":"-INF","end":"+INF"}`;
  }

  xml(): string {
    const end = '" start="-INF" end="+INF"></item>';
    return `<item id="${this.#ids.join(`${end}<item id="`)}${end}`;
  }
}

/** For `item` of a list. Ids are letters, digits, underscores and a hyphen: nothing in them needs another spelling. */
export function itemsOfIds(ids: readonly string[]): readonly Item[] {
  const entries: Item[] = [];
  for (let at = 0; at < ids.length; at += most) {
    entries.push(new ItemIds(ids.slice(at, at + most)) as Item);
  }
  return entries;
}

import { Written } from '../../../core/documents/write.ts';
import type { Item } from '../../items/public-reading.ts';

/** Ids per chunk of a list. */
const most = 1000;

/**
 * Items of a list with ids and both ends only. Writing each separately would cost more than the search. A test compares
 * the text with that of the descriptions.
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

/** Items for a list. Ids contain only letters, digits, underscores and a hyphen, so nothing is escaped. */
export function itemsOfIds(ids: readonly string[]): readonly Item[] {
  const entries: Item[] = [];
  for (let at = 0; at < ids.length; at += most) {
    entries.push(new ItemIds(ids.slice(at, at + most)) as Item);
  }
  return entries;
}

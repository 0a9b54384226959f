import { spendText } from '../budget.ts';
import { StylesheetFails, shown } from '../fails.ts';
import type { Dynamic } from '../xpath/dynamic.ts';
import { orderOf } from '../xpath/operators.ts';
import { type Atomic, atomOf, type Item, numberOf, onlyOf, type Sequence, textOf } from '../xpath/values.ts';
import { compileContent } from './body.ts';
import { checkAttributes, isXsl, located, type Static } from './static.ts';
import { textAttribute } from './template-text.ts';

type Sort = (items: Sequence, at: Dynamic, focusOf?: (item: Item, index: number) => Dynamic) => readonly number[];

interface Key {
  valueOf(at: Dynamic): Atomic | undefined;
  compare(at: Dynamic): (a: Atomic | undefined, b: Atomic | undefined) => number;
}

function compileKey(place: Static): Key {
  checkAttributes(place.node);
  const select = place.expression('select');
  const content = select === undefined && place.node.children.length > 0 ? compileContent(place) : undefined;
  const [order, type, lang] = ['order', 'data-type', 'lang'].map((name) => textAttribute(place, name));
  return {
    valueOf(at) {
      if (content) return content(at);
      const item = onlyOf(select ? select(at) : [at.item!], place.isOld, 'in xsl:sort');
      return item === undefined ? undefined : atomOf(item);
    },
    compare(at) {
      const direction = directionOf(order?.(at));
      const plain = plainOrder(type?.(at), lang?.(at), place.isOld);
      return (a, b) => {
        if (a === undefined || b === undefined) return direction * (Number(a !== undefined) - Number(b !== undefined));
        return direction * plain(a, b);
      };
    },
  };
}

function directionOf(order = 'ascending'): 1 | -1 {
  if (order === 'ascending') return 1;
  if (order === 'descending') return -1;
  throw new StylesheetFails(`Expected "ascending" or "descending" in order: found ${shown(order)}`);
}

function plainOrder(
  type: string | undefined,
  lang: string | undefined,
  isOld: boolean,
): (a: Atomic, b: Atomic) => number {
  if (type === 'number') return (a, b) => byNumber(numberOf(a), numberOf(b));
  if (type !== undefined && type !== 'text') {
    throw new StylesheetFails(`Expected "text" or "number" in data-type: found ${shown(type)}`);
  }
  const texts = lang === undefined ? undefined : collatorOf(lang);
  return (a, b) => {
    const isText = type === 'text' || isOld || (typeof a === 'string' && typeof b === 'string');
    if (!isText) return typeof a === 'number' && typeof b === 'number' ? byNumber(a, b) : orderOf(a, b);
    const [first, second] = [textOf(a), textOf(b)];
    spendText(Math.min(first.length, second.length));
    if (texts) return texts.compare(first, second);
    return first < second ? -1 : first > second ? 1 : 0;
  };
}

/** Values that are no numbers come first. */
const byNumber = (a: number, b: number): number =>
  Number.isNaN(a) || Number.isNaN(b) ? Number(Number.isNaN(b)) - Number(Number.isNaN(a)) : a - b;

function collatorOf(lang: string): Intl.Collator {
  try {
    return new Intl.Collator(lang);
  } catch {
    throw new StylesheetFails(`Expected a language such as "en": found ${shown(lang)}`);
  }
}

/** The sorts within an element: where each item goes. Undefined: there is none. */
export function compileSort(place: Static): Sort | undefined {
  const keys = place.node.children
    .filter((child) => isXsl(child, 'sort'))
    .map((child) => {
      try {
        return compileKey(place.within(child));
      } catch (error) {
        throw located(error, child);
      }
    });
  if (keys.length === 0) return undefined;
  return (items, at, focusOf = (item, index) => at.focus(item, index + 1, items.length)) => {
    at.run.budget.step(items.length * (1 + Math.log2(1 + items.length)));
    const values = items.map((item, index) => keys.map((key) => key.valueOf(focusOf(item, index))));
    const compares = keys.map((key) => key.compare(at));
    return items
      .map((_item, index) => index)
      .sort((a, b) => {
        for (let key = 0; key < keys.length; key++) {
          const order = compares[key]!(values[a]![key], values[b]![key]);
          if (order !== 0) return order;
        }
        return a - b;
      });
  };
}

/** The items of a sequence, sorted by what is within the element. */
export function compileSorted(place: Static): (items: Sequence, at: Dynamic) => Sequence {
  const sort = compileSort(place);
  if (!sort) return (items) => items;
  return (items, at) => sort(items, at).map((index) => items[index]!);
}

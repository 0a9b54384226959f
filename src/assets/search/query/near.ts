import { nextTurn } from '../../../core/lib/turn.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { distanceOf, mostDistance } from '../text/near.ts';
import { globOf } from '../text/terms.ts';
import { wordsBetween } from './words/store.ts';

/** Maximum words compared with one word. */
const mostCompared = 50_000;
/** Words per tick of the event loop. */
const slice = 5000;

/** Words of the index within an edit distance. Only words with the same first letter are compared. */
export async function nearWords(
  reader: Reader,
  text: string,
  most: number = mostDistance,
): Promise<ReadonlyMap<string, number>> {
  const [first = ''] = text;
  const lengths = [Math.max(text.length - most, 1), text.length + most] as const;
  const words = await wordsBetween(reader, `${globOf(first)}*`, lengths, mostCompared);
  const near = new Map<string, number>();
  for (const [index, word] of words.entries()) {
    if (index % slice === slice - 1) await nextTurn();
    const distance = distanceOf(text, word);
    if (distance <= most) near.set(word, distance);
  }
  return near;
}

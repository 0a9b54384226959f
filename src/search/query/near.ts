import { nextTurn } from '../../lib/turn.ts';
import type { Reader } from '../../store/statement.ts';
import { distanceOf, mostDistance } from '../text/near.ts';
import { globOf } from '../text/terms.ts';
import { wordsBetween } from './words/store.ts';

/** Words of the index that are compared with one word. */
const mostCompared = 50_000;
/** Words that are compared in one turn of the loop. */
const slice = 5000;

/** Words of the index with their distance from a text. They begin with the same letter. */
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

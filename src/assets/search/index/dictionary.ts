import { decoded, tokensOfText } from '../text/words.ts';
import { fieldKeyLength, wordGap } from './keys.ts';
import type { EmbeddedDoc, IndexedValue } from './port.ts';

/** All words of an entity. */
export function everyWord({ generic, inTime, words, hasAllWords }: EmbeddedDoc): ReadonlySet<string> {
  if (hasAllWords) return words;
  const every = new Set<string>();
  for (const { fieldWords } of [generic, inTime]) {
    for (const token of fieldWords.split(' ')) {
      if (token !== '' && token !== wordGap) every.add(decoded(token.slice(fieldKeyLength)));
    }
  }
  return every;
}

/**
 * Words of new values. The dictionary already has those of other values, since it never loses any. `added`: new values
 * by document.
 */
export function wordsThatCome(
  docs: readonly EmbeddedDoc[],
  added: readonly (readonly IndexedValue[])[],
): ReadonlySet<string> {
  const come = new Set<string>();
  for (const [index, { words, hasAllWords }] of docs.entries()) {
    for (const word of words) come.add(word);
    if (hasAllWords) continue;
    for (const { json } of added[index]!) {
      if (!json.startsWith('"')) continue;
      for (const token of tokensOfText(JSON.parse(json) as string)) come.add(token);
    }
  }
  return come;
}

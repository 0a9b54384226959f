import { decoded, tokensOfText } from '../text/words.ts';
import { fieldKeyLength, gap } from './keys.ts';
import type { EmbeddedDoc, IndexedValue } from './port.ts';

/** Every word of an entity. */
export function everyWord({ generic, inTime, words, hasAllWords }: EmbeddedDoc): ReadonlySet<string> {
  if (hasAllWords) return words;
  const every = new Set<string>();
  for (const { fieldWords } of [generic, inTime]) {
    for (const token of fieldWords.split(' ')) {
      if (token !== '' && token !== gap) every.add(decoded(token.slice(fieldKeyLength)));
    }
  }
  return every;
}

/**
 * The words of what comes to some entities. The dictionary has those of the values that stay: it loses none.
 * `added`: the values that come to each.
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

/**
 * Splits text into words, equally for indexing and searching: without accents and case. Scripts without spaces become
 * pairs of characters. A change of this file needs a new index.
 */

/** Maximum characters of a word that count. */
const maxWordLength = 64;

const marks = /\p{M}+/gu;
const asciiWords = /[a-z0-9]+/g;
const letters = /[\p{L}\p{N}]+/gu;
const plain = /^[a-z0-9]*$/;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu;

const ascii = /^[\x00-\x7f]*$/;

export const folded = (text: string): string => (ascii.test(text) ? text.toLowerCase() : foldedFully(text));

const foldedFully = (text: string): string =>
  text.normalize('NFKD').replace(marks, '').toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ');

/** Words of a folded text. A simpler pattern is faster for ASCII, with the same result. */
const wordsIn = (text: string): readonly string[] => text.match(ascii.test(text) ? asciiWords : letters) ?? [];

/** Words of a text in order, each as a list of tokens, mostly one. */
export function wordsOf(text: string): readonly (readonly string[])[] {
  return wordsIn(folded(text)).map(tokensOf);
}

export function tokensOfText(text: string): readonly string[] {
  if (ascii.test(text)) return text.toLowerCase().match(asciiWords)?.map(cut) ?? [];
  const tokens: string[] = [];
  for (const word of wordsIn(folded(text))) tokens.push(...tokensOf(word));
  return tokens;
}

export function tokensOf(word: string): readonly string[] {
  if (plain.test(word)) return [cut(word)];
  if (!isUnspaced(word)) return [cut(word)];
  const tokens: string[] = [];
  let at = 0;
  for (const match of word.matchAll(unspaced)) {
    if (match.index > at) tokens.push(cut(word.slice(at, match.index)));
    tokens.push(...pairsOf(match[0]));
    at = match.index + match[0].length;
  }
  if (at < word.length) tokens.push(cut(word.slice(at)));
  return tokens;
}

const someUnspaced = new RegExp(unspaced.source, 'u');

export const isUnspaced = (text: string): boolean => someUnspaced.test(text);

function pairsOf(run: string): readonly string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => characters[index]! + character);
}

const cut = (word: string): string =>
  word.length <= maxWordLength ? word : [...word].slice(0, maxWordLength).join('');

/** Encodes a token in letters that every engine keeps together. Works per character, so that prefixes stay prefixes. */
export function encoded(token: string): string {
  if (plain.test(token)) return token;
  let text = '';
  for (const character of token) {
    text += plain.test(character) ? character : `_${character.codePointAt(0)!.toString(36).padStart(4, '0')}`;
  }
  return text;
}

/** Words of a text as a column of a text index has them. */
export const indexedWords = (text: string): string => tokensOfText(text).map(encoded).join(' ');

export const decoded = (word: string): string =>
  word.includes('_')
    ? word.replaceAll(/_(.{4})/g, (_, digits) => String.fromCodePoint(Number.parseInt(digits, 36)))
    : word;

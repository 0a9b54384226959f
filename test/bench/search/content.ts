/** Contents of the items of the data set: a function of their place alone, so each run makes the same. */

/** Values of each item, one in each of these fields. */
export const fieldTypes = {
  b_title: 'string-sortable',
  ...Object.fromEntries([0, 1, 2, 3, 4, 5].map((at) => [`b_text${at}`, 'string'])),
  ...Object.fromEntries([0, 1, 2, 3, 4].map((at) => [`b_exact${at}`, 'string-exact'])),
  ...Object.fromEntries([0, 1, 2, 3].map((at) => [`b_number${at}`, at === 0 ? 'integer-sortable' : 'integer'])),
  ...Object.fromEntries([0, 1, 2, 3].map((at) => [`b_date${at}`, at === 0 ? 'date-sortable' : 'date'])),
} as Readonly<Record<string, string>>;
export const fieldNames = Object.keys(fieldTypes);
export const sortable = fieldNames.filter((name) => fieldTypes[name]!.endsWith('-sortable'));

/** In every tenth item, and in a hundred items. No other word begins so. */
export const commonWord = 'xcommon';
export const rareWord = 'xrare';
/** Values of the field that facets count. */
export const facetValues = 200;

const vocabulary = 20_000;
const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'ha', 'je', 'ki', 'lo', 'mu', 'na', 'pe', 'ri', 'so', 'tu', 'va'];

/** The word at a place of the vocabulary: the most frequent is the first. */
export function wordAt(place: number): string {
  let text = '';
  for (let rest = place + syllables.length; rest > 0; rest = Math.floor(rest / syllables.length)) {
    text = syllables[rest % syllables.length]! + text;
  }
  return text;
}

/** Numbers below 1 that follow from a seed. */
function numbersFrom(seed: number): () => number {
  let state = (seed + 1) * 0x9e3779b1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const firstDay = Date.UTC(2010, 0, 1);
const days = 5000;
const dateAt = (random: () => number): string =>
  new Date(firstDay + Math.floor(random() * days * 86_400) * 1000).toISOString();

/** How often each word comes follows its place, as in texts that people write. */
const someWords = (random: () => number, least: number, max: number): string[] =>
  Array.from({ length: least + Math.floor(random() * (max - least + 1)) }, () =>
    wordAt(Math.floor(vocabulary ** random()) - 1),
  );

export const isCommon = (place: number): boolean => place % 10 === 3;
export const isRare = (place: number, items: number): boolean => place % (items / 100) === 7;

/** The values of one item, in the order of the fields. `items`: how many there are. */
export function valuesOf(place: number, items: number): readonly string[] {
  const random = numbersFrom(place);
  const below = (limit: number) => String(Math.floor(random() * limit));
  const texts = Array.from({ length: 6 }, () => someWords(random, 3, 12));
  if (isCommon(place)) texts[place % 6]!.push(commonWord);
  if (isRare(place, items)) texts[place % 6]!.push(rareWord);
  return [
    `${someWords(random, 2, 4).join(' ')} ${place}`,
    ...texts.map((words) => words.join(' ')),
    `kind ${below(5)}`,
    `place ${below(facetValues)}`,
    `set ${below(items / 200)}`,
    `person ${below(50)}`,
    `code ${place}`,
    ...[1_000_000, 1000, 100, 1_000_000].map(below),
    ...[0, 1, 2, 3].map(() => dateAt(random)),
  ];
}

/** Items lie in collections of 500, those in groups of which a hundred make the whole, and so on. */
export const perLeaf = 500;
/** Neighbours in age lie in different collections. */
export const leafOf = (place: number, leaves: number): number => (place * 7919) % leaves;

/** Words for true and false, in lower case. A map: an object would also know `constructor`. */
export const booleanWords: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

const directions: ReadonlyMap<string, boolean> = new Map([
  ['asc', false],
  ['ascending', false],
  ['desc', true],
  ['descending', true],
]);

/** Whether a word for the direction of an order means descending. Undefined: it is no such word. */
export const isDescending = (word: string): boolean | undefined => directions.get(word.trim().toLowerCase());

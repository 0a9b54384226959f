import { spendText } from '../budget.ts';
import type { Dynamic } from '../xpath/dynamic.ts';
import { empty, type Item, numberOf, onlyOf, type Sequence, textOf } from '../xpath/values.ts';

/** Position of a call. */
export interface Call {
  readonly name: string;
  readonly isOld: boolean;
  uriOf(prefix: string): string | undefined;
  knowsFunction(key: string): boolean;
}

type Run = (given: readonly Sequence[], at: Dynamic, call: Call) => Sequence;

/** A function: how many values it is given, and what it answers. */
export interface FunctionRow {
  readonly least: number;
  readonly max: number;
  /** Without its last value it looks at the item of the context. */
  readonly onContext: boolean;
  readonly run: Run;
}

export const row = (least: number, max: number, run: Run): FunctionRow => ({ least, max, onContext: false, run });

export const onContext = (max: number, run: Run): FunctionRow => ({ least: max - 1, max, onContext: true, run });

export const itemIn = (given: Sequence | undefined, { isOld, name }: Call): Item | undefined =>
  onlyOf(given ?? empty, isOld, `for ${name}()`);

/** Nothing is an empty text. */
export function textIn(given: Sequence | undefined, call: Call): string {
  const item = itemIn(given, call);
  if (item === undefined) return '';
  const text = textOf(item);
  spendText(text.length);
  return text;
}

export const numberIn = (given: Sequence | undefined, call: Call): number => numberOf(itemIn(given, call));

type Answer = Item | undefined;
const answered = (item: Answer): Sequence => (item === undefined ? empty : [item]);

/** Function of texts. The length of its result counts against the budget. */
export const ofTexts = (least: number, max: number, make: (...texts: string[]) => Answer): FunctionRow =>
  row(least, max, (given, at, call) => {
    const answer = make(...given.map((each) => textIn(each, call)));
    if (typeof answer === 'string') at.run.budget.text(answer.length);
    return answered(answer);
  });

/** Function of one item. An empty sequence gives an empty sequence. */
export const ofItem = (make: (item: Item, at: Dynamic) => Answer): FunctionRow =>
  row(1, 1, ([given], at, call) => {
    const item = itemIn(given, call);
    return item === undefined ? empty : answered(make(item, at));
  });

export type Rows = Readonly<Record<string, FunctionRow>>;

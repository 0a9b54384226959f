import type { Source } from '../architecture/sources.ts';
import { chapters } from './shown.ts';

/** Texts in quotes, as the formatter leaves them. Some of them are titles. */
const text = /'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`/g;
/** Rows such as `M11 ` or `R12: `, and rules such as `items 4.1`. Tracks such as `V1 h264` are no rows. */
const code = new RegExp(
  `^(?:[A-UW-Z]\\d+(?:\\.\\d+)*(?:[,:]|,? (?=\\S))|(?:${Object.keys(chapters).join('|')}) §?G?\\d|§)`,
);
/** Numbers such as `3.1: ` begin only titles. */
const number =
  /\b(?:it|test|describe\w*)(?:\.\w+)?\(\s*['"`]G?\d+(?:\.\d+)*: |\)\(['"`]G?\d+(?:\.\d+)*: |\bname: ['"`]G?\d+(?:\.\d+)*: /g;

/** All texts in quotes. */
export const textsIn = ({ code }: Pick<Source, 'code'>): string[] =>
  [...code.matchAll(text)].map(([, single, double, template]) => single ?? double ?? template ?? '');

/** Texts that begin with the code of a rule, which says nothing to readers without its chapter. */
export const codesIn = (source: Pick<Source, 'code'>): string[] => [
  ...textsIn(source).filter((each) => code.test(each)),
  ...[...source.code.matchAll(number)].map(([found]) => found),
];

import { xmlCharacters } from '../../../../core/documents/escape.ts';
import { spendText } from '../budget.ts';
import { StylesheetFails } from '../fails.ts';
import { type Item, numberOf, numberText, textOf } from '../xpath/values.ts';
import { itemIn, numberIn, ofTexts, onContext, type Rows, row, textIn } from './row.ts';

/** Charges the worst-case cost of a text search. */
const spendSearch = (text: string, part: string): void => spendText(text.length * (1 + part.length / 16));

const escaped = (form: RegExp) => (text: string) => text.replaceAll(form, (each) => encodeURIComponent(each));

const rounded = (value: number): number => (Number.isNaN(value) ? value : Math.floor(value + 0.5));

/** Characters of a text, without splitting surrogate pairs. */
const charactersOf = (text: string): readonly string[] => (/[\ud800-\udfff]/.test(text) ? [...text] : text.split(''));

function substring(text: string, from: number, length: number): string {
  const begin = rounded(from);
  const end = length === Number.POSITIVE_INFINITY ? length : begin + rounded(length);
  if (Number.isNaN(begin) || Number.isNaN(end)) return '';
  const [first, last] = [Math.max(0, begin - 1), Math.max(0, end - 1)];
  if (!/[\ud800-\udfff]/.test(text)) return text.slice(first, last);
  return [...text].slice(first, last).join('');
}

export const stringFunctions: Rows = {
  string: onContext(1, ([given], _at, call) => [textIn(given, call)]),
  concat: row(2, 1000, (given, at, call) => {
    const parts = given.map((each) => textIn(each, call));
    at.run.budget.text(parts.reduce((sum, { length }) => sum + length, 0));
    return [parts.join('')];
  }),
  'string-join': row(1, 2, ([items = [], between], at, call) => {
    const parts = items.map(textOf);
    const glue = textIn(between, call);
    at.run.budget.text(parts.reduce((sum, { length }) => sum + length + glue.length, 0));
    return [parts.join(glue)];
  }),
  substring: row(2, 3, ([given, from, length], at, call) => {
    const max = length === undefined ? Number.POSITIVE_INFINITY : numberIn(length, call);
    const part = substring(textIn(given, call), numberIn(from, call), max);
    at.run.budget.text(part.length);
    return [part];
  }),
  'substring-before': ofTexts(2, 3, (text, part = '') => {
    spendSearch(text, part);
    return text.slice(0, Math.max(0, text.indexOf(part)));
  }),
  'substring-after': ofTexts(2, 3, (text, part = '') => {
    spendSearch(text, part);
    const at = text.indexOf(part);
    return at < 0 ? '' : text.slice(at + part.length);
  }),
  contains: ofTexts(2, 3, (text, part = '') => {
    spendSearch(text, part);
    return text.includes(part);
  }),
  'starts-with': ofTexts(2, 3, (text, part = '') => text.startsWith(part)),
  'ends-with': ofTexts(2, 3, (text, part = '') => text.endsWith(part)),
  'string-length': onContext(1, ([given], _at, call) => [charactersOf(textIn(given, call)).length]),
  'normalize-space': onContext(1, ([given], at, call) => {
    const normal = textIn(given, call)
      .replaceAll(/[ \t\r\n]+/g, ' ')
      .replaceAll(/^ | $/g, '');
    at.run.budget.text(normal.length);
    return [normal];
  }),
  'normalize-unicode': ofTexts(1, 2, (text, form = 'NFC') => {
    if (!/^NFK?[CD]$/.test(form)) throw new StylesheetFails(`Expected NFC, NFD, NFKC or NFKD: found "${form}"`);
    return text.normalize(form);
  }),
  translate: ofTexts(3, 3, (text, from = '', to = '') => {
    const [keys, values] = [charactersOf(from), charactersOf(to)];
    const table = new Map<string, string>();
    keys.forEach((key, index) => {
      if (!table.has(key)) table.set(key, values[index] ?? '');
    });
    return charactersOf(text)
      .map((each) => table.get(each) ?? each)
      .join('');
  }),
  'upper-case': ofTexts(1, 1, (text) => text.toUpperCase()),
  'lower-case': ofTexts(1, 1, (text) => text.toLowerCase()),
  compare: row(2, 3, ([a, b], _at, call) => {
    if (a?.length === 0 || b?.length === 0) return [];
    const [first, second] = [textIn(a, call), textIn(b, call)];
    return [first < second ? -1 : first > second ? 1 : 0];
  }),
  'codepoint-equal': ofTexts(2, 2, (a, b) => a === b),
  'codepoints-to-string': row(1, 1, ([given = []], at) => {
    at.run.budget.text(given.length);
    const all = given.map((each) => {
      const point = numberOf(each);
      const character = Number.isInteger(point) && point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '';
      if (xmlCharacters(character) !== '') return character;
      throw new StylesheetFails(`Expected the number of a character: found ${numberText(point)}`);
    });
    return [all.join('')];
  }),
  'string-to-codepoints': row(1, 1, ([given], at, call) => {
    const text = textIn(given, call);
    at.run.budget.text(text.length);
    return Array.from(text, (each) => each.codePointAt(0)!);
  }),
  'encode-for-uri': ofTexts(1, 1, escaped(/[^A-Za-z0-9_.~-]/gu)),
  'iri-to-uri': ofTexts(1, 1, escaped(/[^!-~]|["<>\\^`{|}]/gu)),
  'escape-html-uri': ofTexts(1, 1, escaped(/[^ -~]/gu)),
  lang: row(1, 2, ([wanted, given], at, call) => {
    const item: Item | undefined = given === undefined ? at.item : itemIn(given, call);
    let node = typeof item === 'object' && 'parent' in item ? item : undefined;
    while (node && node.attribute('lang', 'http://www.w3.org/XML/1998/namespace') === undefined) node = node.parent;
    const language = node?.attribute('lang', 'http://www.w3.org/XML/1998/namespace')?.toLowerCase() ?? '';
    const wantedLanguage = textIn(wanted, call).toLowerCase();
    return [language === wantedLanguage || language.startsWith(`${wantedLanguage}-`)];
  }),
};

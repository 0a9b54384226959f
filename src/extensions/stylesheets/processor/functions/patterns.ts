import { type Match, searchOf } from '../../../../core/documents/pattern-search.ts';
import { spendSteps } from '../budget.ts';
import { StylesheetFails, shown } from '../fails.ts';
import { ofTexts, type Rows, row, textIn } from './row.ts';

/** A pattern, whose work is counted. */
interface Matches {
  any(text: string): boolean;
  all(text: string): readonly Match[];
}

/** Flags as XPath has them. */
export function searchFor(pattern: string, flags: string): Matches {
  const [bad] = /[^smixq]/.exec(flags) ?? [];
  if (bad !== undefined) throw new StylesheetFails(`Expected flags of s, m, i, x and q: found ${shown(flags)}`);
  const source = flags.includes('x') && !flags.includes('q') ? pattern.replaceAll(/[ \t\r\n]/g, '') : pattern;
  const search = searchOf(source, {
    literal: flags.includes('q'),
    ignoresCase: flags.includes('i'),
    lines: flags.includes('m'),
    dots: flags.includes('s'),
  });
  if ('refused' in search) throw new StylesheetFails(`Expected ${search.refused}: found ${shown(pattern)}`);
  // For each character, a step of the pattern at worst: twenty of them take as long as one of ours.
  const cost = search.size / 20;
  return {
    any(text) {
      spendSteps(text.length * Math.min(cost, 1));
      return search.any(text);
    },
    all(text) {
      spendSteps(text.length * cost);
      return search.all(text, (start) => {
        if (!search.isNear) spendSteps((text.length - start) * cost);
      });
    },
  };
}

/** Function for a replacement text with `$1` and `\\$`. */
function replacementOf(text: string, isLiteral: boolean): (match: Match) => string {
  if (isLiteral) return () => text;
  const parts = text.match(/\\[\s\S]|\$\d|[^\\$]+|[\s\S]/g) ?? [];
  for (const part of parts) {
    if (/^(?:\\[\\$]|\$\d|[^\\$]+)$/.test(part)) continue;
    throw new StylesheetFails(`Expected "$" with a digit, or "\\$" and "\\\\", in a replacement: found ${shown(text)}`);
  }
  return ({ groups }) =>
    parts
      .map((part) => {
        if (part.startsWith('$')) return groups[Number(part[1])] ?? '';
        return part.startsWith('\\') ? part.slice(1) : part;
      })
      .join('');
}

const noEmpty = (pattern: string): StylesheetFails =>
  new StylesheetFails(`Expected a regular expression that matches no empty text: found ${shown(pattern)}`);

export const patternFunctions: Rows = {
  matches: ofTexts(2, 3, (text, pattern = '', flags = '') => searchFor(pattern, flags).any(text)),
  replace: row(3, 4, ([given, pattern, by, flags], at, call) => {
    const [text, source] = [textIn(given, call), textIn(pattern, call)];
    const search = searchFor(source, textIn(flags, call));
    if (search.any('')) throw noEmpty(source);
    const replacement = replacementOf(textIn(by, call), textIn(flags, call).includes('q'));
    const parts: string[] = [];
    let from = 0;
    for (const match of search.all(text)) {
      parts.push(text.slice(from, match.start), replacement(match));
      at.run.budget.text(parts.at(-1)!.length + parts.at(-2)!.length);
      from = match.end;
    }
    parts.push(text.slice(from));
    at.run.budget.text(text.length - from);
    return [parts.join('')];
  }),
  tokenize: row(1, 3, ([given, pattern, flags], at, call) => {
    const text = textIn(given, call);
    at.run.budget.text(text.length);
    if (pattern === undefined) return text.split(/[ \t\r\n]+/).filter((each) => each !== '');
    if (text === '') return [];
    const source = textIn(pattern, call);
    const search = searchFor(source, textIn(flags, call));
    if (search.any('')) throw noEmpty(source);
    const parts: string[] = [];
    let from = 0;
    for (const { start, end } of search.all(text)) {
      at.run.budget.node();
      parts.push(text.slice(from, start));
      from = end;
    }
    return [...parts, text.slice(from)];
  }),
};

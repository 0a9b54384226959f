import { quoted } from '../findings.ts';
import { leadingBlanks, splitQuoted, trimBlanks } from '../split.ts';

/** `name[word, word]`, with where it begins in the definition. */
interface Step {
  readonly name: string;
  /** Undefined without brackets, and with empty ones. */
  readonly words: readonly string[] | undefined;
  readonly at: number;
}

interface Misread {
  readonly at: number;
  readonly message: string;
}

/** The filters of a chain, or what is wrong with the text. Brackets must be closed, and nothing may stand after them. */
export function readDefinition(text: string): {
  readonly steps: readonly Step[];
  readonly misread: readonly Misread[];
} {
  const steps: Step[] = [];
  const misread: Misread[] = [];
  for (const token of splitDefinition(text)) {
    const read = readStep(token.text, token.at);
    if ('message' in read) misread.push(read);
    else steps.push(read);
  }
  return { steps, misread };
}

/** Splits at commas outside of brackets. */
export function splitDefinition(text: string): readonly { readonly text: string; readonly at: number }[] {
  const tokens: { text: string; at: number }[] = [];
  let start = 0;
  let depth = 0;
  for (let i = 0; i <= text.length; i++) {
    if (text[i] === '[') depth = 1;
    else if (text[i] === ']') depth = 0;
    if (i < text.length && (text[i] !== ',' || depth > 0)) continue;
    const raw = text.slice(start, i);
    tokens.push({ text: trimBlanks(raw), at: start + leadingBlanks(raw) });
    start = i + 1;
  }
  return tokens;
}

function readStep(token: string, at: number): Step | Misread {
  const open = token.indexOf('[');
  if (token === '') return { at, message: 'Expected a filter: nothing between two commas' };
  if (open < 0) {
    return token.includes(']')
      ? { at, message: `Expected "[" before "]": ${quoted(token)}` }
      : { name: token, words: undefined, at };
  }
  const name = trimBlanks(token.slice(0, open));
  const close = token.indexOf(']', open);
  const inner = token.slice(open + 1, close < 0 ? undefined : close);
  if (name === '') return { at, message: `Expected the name of a filter before "[": ${quoted(token)}` };
  if (inner.includes('[')) return { at, message: `Expected "]" before the next "[": ${quoted(token)}` };
  if (close < 0) return { at, message: `Expected "]": ${quoted(token)} ends without it` };
  const after = trimBlanks(token.slice(close + 1));
  if (after !== '') return { at, message: `Expected a comma or the end after "]": ${quoted(after)}` };
  const words = splitWords(inner);
  return Array.isArray(words)
    ? { name, words: words.length === 0 ? undefined : words, at }
    : { at, message: words as string };
}

/** A single pair of quotes around everything goes first, so `"a,b"` is two words, as in the original. */
export function splitWords(inner: string): readonly string[] | string {
  const text = withoutOuterQuotes(trimBlanks(inner));
  const { tokens, open } = splitQuoted(text);
  if (open) return `Expected a closing quote in the brackets: ${quoted(inner)}`;
  if (tokens.some((token) => token.text === ''))
    return `Expected a word between commas in the brackets: ${quoted(inner)}`;
  return tokens.map((token) => token.text);
}

function withoutOuterQuotes(text: string): string {
  const inside = text.slice(1, -1);
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') && !inside.includes('"') ? inside : text;
}

import { StylesheetFails, shown } from '../fails.ts';

interface Token {
  /** A name may be `a`, `p:a`, `p:*` or `*:a`. */
  readonly type: 'name' | 'number' | 'string' | 'symbol' | 'end';
  readonly text: string;
}

const ncName = '[\\p{L}_][\\p{L}\\p{N}\\p{M}_.\\-·]*';
const name = new RegExp(`(?:\\*:${ncName}|${ncName}(?::(?!:)(?:\\*|${ncName}))?)`, 'uy');
const number = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const text = /"((?:[^"]|"")*)"|'((?:[^']|'')*)'/y;
const symbol = /::|\/\/|\.\.|!=|<=|>=|<<|>>|[()[\]@,$/|+\-*=<>.?]/y;
const blank = /[ \t\r\n]+/y;

/** Expressions are written by people. A longer one is none. */
const maxLength = 64 * 1024;

function tokensOf(source: string): readonly Token[] {
  if (source.length > maxLength) throw new StylesheetFails(`Expected an expression of at most ${maxLength} characters`);
  const tokens: Token[] = [];
  let at = 0;
  const take = (form: RegExp): RegExpExecArray | null => {
    form.lastIndex = at;
    const match = form.exec(source);
    if (match) at += match[0].length;
    return match;
  };
  while (at < source.length) {
    if (take(blank)) continue;
    if (source.startsWith('(:', at)) {
      at = endOfComment(source, at);
      continue;
    }
    const literal = take(text);
    if (literal) {
      const inside = literal[1]?.replaceAll('""', '"') ?? literal[2]!.replaceAll("''", "'");
      tokens.push({ type: 'string', text: inside });
      continue;
    }
    const digits = take(number);
    if (digits) {
      tokens.push({ type: 'number', text: digits[0] });
      continue;
    }
    const word = take(name);
    if (word) {
      tokens.push({ type: 'name', text: word[0] });
      continue;
    }
    const sign = take(symbol);
    if (!sign) throw new StylesheetFails(`Expected an expression of XPath 2.0: found ${shown(source.slice(at))}`);
    tokens.push({ type: 'symbol', text: sign[0] });
  }
  tokens.push({ type: 'end', text: '' });
  return tokens;
}

function endOfComment(source: string, begin: number): number {
  let depth = 0;
  for (let at = begin; at < source.length; at++) {
    if (source.startsWith('(:', at)) depth++;
    else if (source.startsWith(':)', at) && --depth === 0) return at + 2;
  }
  throw new StylesheetFails(`Expected the end of the comment ${shown(source.slice(begin))}`);
}

/** The addresses of prefixes where an expression stands. Undefined: there is none. */
export interface Names {
  uriOf(prefix: string): string | undefined;
  /** Default namespace of elements without a prefix. */
  readonly defaultValue: string;
}

/** Token reader shared by the parsers of types, tests and expressions. */
export interface Reader {
  readonly names: Names;
  peek(ahead?: number): Token;
  next(): Token;
  takes(text: string): boolean;
  expect(text: string): void;
  isNext(...texts: string[]): boolean;
  address(prefix: string): string;
}

export function readerOf(source: string, names: Names): Reader & { end(): void } {
  const tokens = tokensOf(source);
  let at = 0;
  const isSign = (token: Token, text: string): boolean =>
    token.text === text && (token.type === 'symbol' || token.type === 'name');
  const reader = {
    names,
    peek: (ahead = 0) => tokens[Math.min(at + ahead, tokens.length - 1)]!,
    next: () => tokens[at === tokens.length - 1 ? at : at++]!,
    isNext: (...texts: string[]) => texts.every((text, ahead) => isSign(reader.peek(ahead), text)),
    takes(text: string): boolean {
      if (!isSign(reader.peek(), text)) return false;
      at++;
      return true;
    },
    expect(text: string): void {
      if (reader.takes(text)) return;
      throw new StylesheetFails(`Expected ${shown(text)} in ${shown(source)}: found ${foundText(reader.peek())}`);
    },
    address(prefix: string): string {
      const uri = names.uriOf(prefix);
      if (uri === undefined) throw new StylesheetFails(`Expected a namespace for the prefix ${shown(prefix)}`);
      return uri;
    },
    end(): void {
      if (reader.peek().type === 'end') return;
      throw new StylesheetFails(`Expected the end of ${shown(source)}: found ${foundText(reader.peek())}`);
    },
  };
  return reader;
}

export const foundText = ({ type, text }: Token): string => (type === 'end' ? 'its end' : shown(text));

export const parts = (name: string): readonly [prefix: string, local: string] => {
  const colon = name.indexOf(':');
  return colon < 0 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)];
};

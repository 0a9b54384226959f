import { StylesheetFails, shown } from '../fails.ts';
import { type Token, tokensOf } from './lexer.ts';

/** The addresses of prefixes where an expression stands. Undefined: there is none. */
export interface Names {
  uriOf(prefix: string): string | undefined;
  /** Default namespace of elements without a prefix. */
  readonly usual: string;
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

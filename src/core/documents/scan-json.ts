import { unstorablePart } from '../lib/storable.ts';
import { doubled } from './check.ts';
import { cutText, DocumentError } from './error.ts';
import { type DocumentLimits, tooMuch } from './limits.ts';

const [quote, backslash, comma, colon, minus, dot, plus] = [0x22, 0x5c, 0x2c, 0x3a, 0x2d, 0x2e, 0x2b];
const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d];
const [letterE, capitalE, letterU, zero, nine] = [0x65, 0x45, 0x75, 0x30, 0x39];
const words = ['true', 'false', 'null'] as const;

/** Path in the document, as a chain upwards. Formatted only for an error. */
export interface Path {
  readonly above: Path | undefined;
  readonly step: string;
}

/** Path such as `/groupList/group[2]/groupName`. */
export function pathText(path: Path): string {
  const steps: string[] = [];
  for (let each: Path | undefined = path; each; each = each.above) steps.unshift(each.step);
  return `/${steps.join('/')}`;
}

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

const fewNames = 16;

/**
 * Reads a text from its beginning to its end, value by value. The reader asks what begins, then takes it.
 * Our own instead of `JSON.parse`, for four reasons. It stops at the first limit. It refuses a property that stands
 * twice. It keeps the digits of a number. Its errors have a position and quote nothing of the body.
 */
export class JsonCursor {
  readonly #text: string;
  readonly #limits: DocumentLimits;
  readonly #root: Path;
  #at = 0;
  #depth = 0;
  #values = 0;
  #unknown = 0;

  constructor(text: string, limits: DocumentLimits, root: Path) {
    this.#text = text;
    this.#limits = limits;
    this.#root = root;
  }

  /** Kind of the next value. */
  next(): JsonKind {
    const code = this.#skipSpace();
    if (code === quote) return 'string';
    if (code === openObject) return 'object';
    if (code === openArray) return 'array';
    if (code === minus || (code >= zero && code <= nine)) return 'number';
    const word = words.find((each) => this.#text.startsWith(each, this.#at));
    if (word === undefined) this.#expected('a value');
    return word === 'null' ? 'null' : 'boolean';
  }

  /** `path`: of a text that is not to have what no database keeps. */
  string(path?: Path): string {
    this.#count();
    const { from, escapes } = this.#scanString();
    const text = this.#textFrom(from, escapes);
    const part = path && unstorablePart(text);
    if (part) this.#refuse('text', { explanation: `Expected text without ${part}` }, path);
    return text;
  }

  /** The digits as they stand: a double would hold another number, or none. */
  number(): string {
    this.#count();
    return this.#takeNumber();
  }

  word(): 'true' | 'false' | 'null' {
    this.#count();
    return this.#takeWord();
  }

  /** Calls for each property; the callee takes the value. */
  object(path: Path, take: (name: string) => void): void {
    this.#count();
    if (!this.#open(closeObject)) return;
    const names: string[] = [];
    let usedNames: Set<string> | undefined;
    do {
      if (this.#skipSpace() !== quote) this.#expected('a property name in quotes');
      const name = this.#takeString();
      // A few names are compared faster than a set is made.
      const twice = usedNames === undefined ? names.includes(name) : usedNames.has(name);
      if (twice) {
        this.#refuse('structure', { explanation: doubled(name), found: name }, { above: path, step: cutText(name) });
      }
      if (usedNames !== undefined) usedNames.add(name);
      else if (names.push(name) === fewNames) usedNames = new Set(names);
      if (this.#skipSpace() !== colon) this.#expected('a colon');
      this.#at++;
      take(name);
    } while (this.#more(closeObject));
  }

  array(take: () => void): void {
    this.#count();
    if (!this.#open(closeArray)) return;
    do take();
    while (this.#more(closeArray));
  }

  /** Passes over a value that no description knows, and counts what is in it. */
  skip(path: Path): void {
    if (++this.#unknown > this.#limits.unknown) this.#refuse('limit', tooMuch('unknown', this.#limits), path);
    const kind = this.next();
    if (kind === 'object') this.object(path, (name) => this.skip({ above: path, step: cutText(name) }));
    else if (kind === 'array') {
      let index = 0;
      this.array(() => this.skip({ above: path.above, step: `${path.step}[${++index}]` }));
    } else this.#skipScalar(kind);
  }

  #skipScalar(kind: JsonKind): void {
    this.#count();
    if (kind === 'string') this.#scanString();
    else if (kind === 'number') this.#takeNumber();
    else this.#takeWord();
  }

  end(): void {
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#expected('the end');
  }

  #refuse(
    kind: 'syntax' | 'limit' | 'structure' | 'text',
    complaint: { explanation: string; found?: string },
    path = this.#root,
  ): never {
    const before = this.#text.slice(0, this.#at);
    const line = before.split('\n').length;
    const column = this.#at - before.lastIndexOf('\n');
    throw new DocumentError({ ...complaint, kind, place: pathText(path), line, column });
  }

  #refuseLimit(what: keyof DocumentLimits): never {
    return this.#refuse('limit', tooMuch(what, this.#limits));
  }

  #expected(what: string): never {
    const [text, at] = [this.#text, this.#at];
    const actual = at < text.length ? `"${String.fromCodePoint(text.codePointAt(at)!)}"` : 'the end';
    return this.#refuse('syntax', { explanation: `Expected ${what} in JSON: found ${actual}` });
  }

  #skipSpace(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
      this.#at++;
    }
  }

  #count(): void {
    if (++this.#values > this.#limits.elements) this.#refuseLimit('elements');
  }

  /** Gives the text of a string only when it is asked for: most skipped ones are never made. */
  #scanString(): { from: number; escapes: boolean } {
    const text = this.#text;
    const from = this.#at;
    let escapes = false;
    let at = from + 1;
    for (let code = text.charCodeAt(at); code !== quote; code = text.charCodeAt(at)) {
      if (code >= 0x20 && code !== backslash) {
        at++;
        continue;
      }
      this.#at = at;
      if (code !== backslash) this.#expected('a closing quote');
      escapes = true;
      at = this.#afterEscape();
    }
    this.#at = at;
    if (at - from - 1 > this.#limits.text) this.#refuseLimit('text');
    this.#at++;
    return { from, escapes };
  }

  #afterEscape(): number {
    const text = this.#text;
    const escaped = text.charCodeAt(++this.#at);
    if (escaped === letterU) {
      if (!/^[0-9a-fA-F]{4}$/.test(text.slice(this.#at + 1, this.#at + 5))) this.#expected('four hexadecimal digits');
      return this.#at + 5;
    }
    if (this.#at >= text.length || !'"\\/bfnrt'.includes(text.charAt(this.#at))) this.#expected('an escape');
    return this.#at + 1;
  }

  #takeString(): string {
    const { from, escapes } = this.#scanString();
    return this.#textFrom(from, escapes);
  }

  #textFrom(from: number, escapes: boolean): string {
    return escapes ? JSON.parse(this.#text.slice(from, this.#at)) : this.#text.slice(from + 1, this.#at - 1);
  }

  #scanDigits(): void {
    const start = this.#at;
    for (let code = this.#text.charCodeAt(start); code >= zero && code <= nine; ) {
      code = this.#text.charCodeAt(++this.#at);
    }
    if (this.#at === start) this.#expected('a digit');
  }

  #takeNumber(): string {
    const text = this.#text;
    const start = this.#at;
    if (text.charCodeAt(this.#at) === minus) this.#at++;
    if (text.charCodeAt(this.#at) === zero) this.#at++;
    else this.#scanDigits();
    if (text.charCodeAt(this.#at) === dot) {
      this.#at++;
      this.#scanDigits();
    }
    const code = text.charCodeAt(this.#at);
    if (code === letterE || code === capitalE) {
      this.#at++;
      const sign = text.charCodeAt(this.#at);
      if (sign === minus || sign === plus) this.#at++;
      this.#scanDigits();
    }
    if (this.#at - start > this.#limits.text) this.#refuseLimit('text');
    return text.slice(start, this.#at);
  }

  #takeWord(): 'true' | 'false' | 'null' {
    const word = words.find((each) => this.#text.startsWith(each, this.#at))!;
    this.#at += word.length;
    return word;
  }

  #open(close: number): boolean {
    if (this.#depth >= this.#limits.depth) this.#refuseLimit('depth');
    this.#at++;
    if (this.#skipSpace() === close) {
      this.#at++;
      return false;
    }
    this.#depth++;
    return true;
  }

  /** True: another value follows. */
  #more(close: number): boolean {
    const code = this.#skipSpace();
    if (code !== comma && code !== close) this.#expected('a comma or a closing bracket');
    this.#at++;
    if (code === comma) return true;
    this.#depth--;
    return false;
  }
}

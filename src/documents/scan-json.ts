import { doubled } from './check.ts';
import { cut, DocumentError } from './error.ts';
import { type DocumentLimits, tooMuch } from './limits.ts';

const [quote, backslash, comma, colon, minus, dot, plus] = [0x22, 0x5c, 0x2c, 0x3a, 0x2d, 0x2e, 0x2b];
const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d];
const [letterE, capitalE, letterU, zero, nine] = [0x65, 0x45, 0x75, 0x30, 0x39];
const words = ['true', 'false', 'null'];

/** An object or an array that is not closed yet. */
interface Open {
  readonly close: number;
  /** Of an object: its names so far, the last of them the one that is being read. */
  readonly names: string[];
  /** The same, once looking through the list would take long. */
  known: Set<string> | undefined;
  /** Of an array: which of its values is being read. */
  index: number;
}

const fewNames = 16;

/**
 * Checks grammar and limits before the runtime's own parser sees the text. Against three things: a deep array that
 * exhausts the stack of some runtimes, error messages that differ per runtime, lack the position and quote the body,
 * and a property that is there twice, of which the parser would keep the last in silence.
 */
export function scanJson(text: string, limits: DocumentLimits, place: string): void {
  /** Outermost first. */
  const open: Open[] = [];
  let at = 0;
  let values = 0;

  function refuse(kind: 'syntax' | 'limit' | 'structure', complaint: { explanation: string; found?: string }): never {
    const before = text.slice(0, at);
    const line = before.split('\n').length;
    const where = kind === 'structure' ? `${place}${stepsTo(open)}` : place;
    throw new DocumentError({ ...complaint, kind, place: where, line, column: at - before.lastIndexOf('\n') });
  }

  const refuseLimit = (what: keyof DocumentLimits) => refuse('limit', tooMuch(what, limits));

  function expected(what: string): never {
    const found = at < text.length ? `"${String.fromCodePoint(text.codePointAt(at)!)}"` : 'the end';
    return refuse('syntax', { explanation: `Expected ${what} in JSON: found ${found}` });
  }

  function skipSpace(): number {
    for (;;) {
      const code = text.charCodeAt(at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
      at++;
    }
  }

  /** Whether something in it is escaped. */
  function scanString(): boolean {
    let escapes = false;
    const start = ++at;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === quote) break;
      if (!(code >= 0x20)) expected('a closing quote');
      at++;
      if (code !== backslash) continue;
      escapes = true;
      const escaped = text.charCodeAt(at);
      if (escaped === letterU) {
        if (!/^[0-9a-fA-F]{4}$/.test(text.slice(at + 1, at + 5))) expected('four hexadecimal digits');
        at += 5;
      } else if (at < text.length && '"\\/bfnrt'.includes(text.charAt(at))) at++;
      else expected('an escape');
    }
    if (at - start > limits.text) refuseLimit('text');
    at++;
    return escapes;
  }

  function scanDigits(): void {
    const start = at;
    for (let code = text.charCodeAt(at); code >= zero && code <= nine; code = text.charCodeAt(at)) at++;
    if (at === start) expected('a digit');
  }

  function scanNumber(): void {
    const start = at;
    if (text.charCodeAt(at) === minus) at++;
    if (text.charCodeAt(at) === zero) at++;
    else scanDigits();
    if (text.charCodeAt(at) === dot) {
      at++;
      scanDigits();
    }
    const code = text.charCodeAt(at);
    if (code === letterE || code === capitalE) {
      at++;
      const sign = text.charCodeAt(at);
      if (sign === minus || sign === plus) at++;
      scanDigits();
    }
    if (at - start > limits.text) refuseLimit('text');
  }

  function scanKey(within: Open): void {
    if (skipSpace() !== quote) expected('a property name in quotes');
    const start = at;
    const escapes = scanString();
    addName(within, escapes ? JSON.parse(text.slice(start, at)) : text.slice(start + 1, at - 1));
    if (skipSpace() !== colon) expected('a colon');
    at++;
  }

  function addName(within: Open, name: string): void {
    const { names, known } = within;
    const twice = known === undefined ? names.includes(name) : known.has(name);
    names.push(name);
    if (twice) refuse('structure', { explanation: doubled(name), found: name });
    if (known !== undefined) known.add(name);
    else if (names.length === fewNames) within.known = new Set(names);
  }

  /** True if a bracket was opened that is not empty: a value must follow. */
  function scanValue(): boolean {
    const code = skipSpace();
    if (++values > limits.elements) refuseLimit('elements');
    if (code === openObject || code === openArray) {
      if (open.length >= limits.depth) refuseLimit('depth');
      at++;
      const close = code === openObject ? closeObject : closeArray;
      if (skipSpace() === close) {
        at++;
        return false;
      }
      const within: Open = { close, names: [], known: undefined, index: 1 };
      open.push(within);
      if (code === openObject) scanKey(within);
      return true;
    }
    if (code === quote) scanString();
    else if (code === minus || (code >= zero && code <= nine)) scanNumber();
    else {
      const word = words.find((each) => text.startsWith(each, at));
      if (word === undefined) expected('a value');
      at += word.length;
    }
    return false;
  }

  for (;;) {
    if (scanValue()) continue;
    // After a value: close what ends here, then either go on or be done.
    while (open.length > 0 && skipSpace() === open[open.length - 1]!.close) {
      open.pop();
      at++;
    }
    if (open.length === 0) break;
    if (skipSpace() !== comma) expected('a comma or a closing bracket');
    at++;
    const within = open[open.length - 1]!;
    if (within.close === closeObject) scanKey(within);
    else within.index++;
  }
  skipSpace();
  if (at < text.length) expected('the end');
}

/** `/groupList/group[2]/groupName`, as readers spell a place. */
const stepsTo = (open: readonly Open[]): string =>
  open.map(({ close, names, index }) => (close === closeObject ? `/${cut(names.at(-1)!)}` : `[${index}]`)).join('');

import { DocumentError } from './error.ts';
import { type DocumentLimits, tooMuch } from './limits.ts';

const [quote, backslash, comma, colon, minus, dot, plus] = [0x22, 0x5c, 0x2c, 0x3a, 0x2d, 0x2e, 0x2b];
const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d];
const [letterE, capitalE, letterU, zero, nine] = [0x65, 0x45, 0x75, 0x30, 0x39];
const words = ['true', 'false', 'null'];

/**
 * Checks grammar and limits before the runtime's own parser sees the text. Against two things: a deep array that
 * exhausts the stack of some runtimes, and error messages that differ per runtime, lack the position and quote the body.
 */
export function scanJson(text: string, limits: DocumentLimits, place: string): void {
  /** The brackets that are open, outermost first. */
  const open: number[] = [];
  let at = 0;
  let values = 0;

  function refuse(kind: 'syntax' | 'limit', complaint: { explanation: string }): never {
    const before = text.slice(0, at);
    const line = before.split('\n').length;
    throw new DocumentError({ ...complaint, kind, place, line, column: at - before.lastIndexOf('\n') });
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

  function scanString(): void {
    const start = ++at;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === quote) break;
      if (!(code >= 0x20)) expected('a closing quote');
      at++;
      if (code !== backslash) continue;
      const escaped = text.charCodeAt(at);
      if (escaped === letterU) {
        if (!/^[0-9a-fA-F]{4}$/.test(text.slice(at + 1, at + 5))) expected('four hexadecimal digits');
        at += 5;
      } else if (at < text.length && '"\\/bfnrt'.includes(text.charAt(at))) at++;
      else expected('an escape');
    }
    if (at - start > limits.text) refuseLimit('text');
    at++;
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

  function scanKey(): void {
    if (skipSpace() !== quote) expected('a property name in quotes');
    scanString();
    if (skipSpace() !== colon) expected('a colon');
    at++;
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
      open.push(close);
      if (code === openObject) scanKey();
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
    while (open.length > 0 && skipSpace() === open[open.length - 1]) {
      open.pop();
      at++;
    }
    if (open.length === 0) break;
    if (skipSpace() !== comma) expected('a comma or a closing bracket');
    at++;
    if (open[open.length - 1] === closeObject) scanKey();
  }
  skipSpace();
  if (at < text.length) expected('the end');
}

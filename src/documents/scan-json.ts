import { doubled } from './check.ts';
import { cut, DocumentError } from './error.ts';
import { type DocumentLimits, tooMuch } from './limits.ts';

const [quote, backslash, comma, colon, minus, dot, plus] = [0x22, 0x5c, 0x2c, 0x3a, 0x2d, 0x2e, 0x2b];
const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d];
const [letterE, capitalE, letterU, zero, nine] = [0x65, 0x45, 0x75, 0x30, 0x39];
const words = ['true', 'false', 'null'] as const;

/** Where we are, as a chain upwards; spelled out only for an error. */
export interface Path {
  readonly above: Path | undefined;
  readonly step: string;
}

/** `/groupList/group[2]/groupName` */
export function placeOf(path: Path): string {
  const steps: string[] = [];
  for (let each: Path | undefined = path; each; each = each.above) steps.unshift(each.step);
  return `/${steps.join('/')}`;
}

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** Reads a text from its beginning to its end, value by value. The reader asks what begins, then takes it. */
export interface JsonCursor {
  /** What begins here. */
  next(): JsonKind;
  string(): string;
  /** The digits as they stand: a double would hold another number, or none. */
  number(): string;
  word(): 'true' | 'false' | 'null';
  /** Calls for each property; the callee takes the value. */
  object(path: Path, take: (name: string) => void): void;
  array(take: () => void): void;
  /** Passes over a value that no description knows, and counts what is in it. */
  skip(path: Path): void;
  end(): void;
}

const fewNames = 16;

/**
 * Our own reader instead of `JSON.parse`, for four reasons. It stops at the first limit. It refuses a property that
 * stands twice. It keeps the digits of a number. Its errors have a position and quote nothing of the body.
 */
export function jsonCursor(text: string, limits: DocumentLimits, root: Path): JsonCursor {
  let at = 0;
  let depth = 0;
  let values = 0;
  let unknown = 0;

  function refuse(
    kind: 'syntax' | 'limit' | 'structure',
    complaint: { explanation: string; found?: string },
    path = root,
  ): never {
    const before = text.slice(0, at);
    const line = before.split('\n').length;
    throw new DocumentError({ ...complaint, kind, place: placeOf(path), line, column: at - before.lastIndexOf('\n') });
  }

  const refuseLimit = (what: keyof DocumentLimits): never => refuse('limit', tooMuch(what, limits));

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

  function next(): JsonKind {
    const code = skipSpace();
    if (code === quote) return 'string';
    if (code === openObject) return 'object';
    if (code === openArray) return 'array';
    if (code === minus || (code >= zero && code <= nine)) return 'number';
    const word = words.find((each) => text.startsWith(each, at));
    if (word === undefined) expected('a value');
    return word === 'null' ? 'null' : 'boolean';
  }

  function count(): void {
    if (++values > limits.elements) refuseLimit('elements');
  }

  /** Gives the text of a string only when it is asked for: most skipped ones are never made. */
  function scanString(): { from: number; escapes: boolean } {
    let escapes = false;
    const from = at++;
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
    if (at - from - 1 > limits.text) refuseLimit('text');
    at++;
    return { from, escapes };
  }

  function takeString(): string {
    const { from, escapes } = scanString();
    return escapes ? JSON.parse(text.slice(from, at)) : text.slice(from + 1, at - 1);
  }

  function scanDigits(): void {
    const start = at;
    for (let code = text.charCodeAt(at); code >= zero && code <= nine; code = text.charCodeAt(at)) at++;
    if (at === start) expected('a digit');
  }

  function takeNumber(): string {
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
    return text.slice(start, at);
  }

  function takeWord(): 'true' | 'false' | 'null' {
    const word = words.find((each) => text.startsWith(each, at))!;
    at += word.length;
    return word;
  }

  function open(close: number): boolean {
    if (depth >= limits.depth) refuseLimit('depth');
    at++;
    if (skipSpace() === close) {
      at++;
      return false;
    }
    depth++;
    return true;
  }

  /** True: another value follows. */
  function more(close: number): boolean {
    const code = skipSpace();
    if (code !== comma && code !== close) expected('a comma or a closing bracket');
    at++;
    if (code === comma) return true;
    depth--;
    return false;
  }

  function object(path: Path, take: (name: string) => void): void {
    count();
    if (!open(closeObject)) return;
    const names: string[] = [];
    let known: Set<string> | undefined;
    do {
      if (skipSpace() !== quote) expected('a property name in quotes');
      const name = takeString();
      // A few names are compared faster than a set is made.
      const twice = known === undefined ? names.includes(name) : known.has(name);
      if (twice) refuse('structure', { explanation: doubled(name), found: name }, { above: path, step: cut(name) });
      if (known !== undefined) known.add(name);
      else if (names.push(name) === fewNames) known = new Set(names);
      if (skipSpace() !== colon) expected('a colon');
      at++;
      take(name);
    } while (more(closeObject));
  }

  function array(take: () => void): void {
    count();
    if (!open(closeArray)) return;
    do take();
    while (more(closeArray));
  }

  const takers: Readonly<Record<JsonKind, (path: Path) => void>> = {
    string: scanScalar(scanString),
    number: scanScalar(takeNumber),
    boolean: scanScalar(takeWord),
    null: scanScalar(takeWord),
    object: (path) => object(path, (name) => skip({ above: path, step: cut(name) })),
    array(path) {
      let index = 0;
      array(() => skip({ above: path.above, step: `${path.step}[${++index}]` }));
    },
  };

  function scanScalar(scan: () => unknown): () => void {
    return () => {
      count();
      scan();
    };
  }

  function skip(path: Path): void {
    if (++unknown > limits.unknown) refuse('limit', tooMuch('unknown', limits), path);
    takers[next()](path);
  }

  const counted =
    <T>(take: () => T) =>
    (): T => {
      count();
      return take();
    };

  return {
    next,
    string: counted(takeString),
    number: counted(takeNumber),
    word: counted(takeWord),
    object,
    array,
    skip,
    end() {
      skipSpace();
      if (at < text.length) expected('the end');
    },
  };
}

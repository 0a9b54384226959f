import type { TellUnknown } from './check.ts';
import type { Description, Value } from './describe.ts';
import { DocumentError } from './error.ts';
import { type DocumentLimits, defaultLimits, tooMuch } from './limits.ts';
import { bodyText, createDecoder } from './text.ts';
import { type XmlMachine, xmlMachine } from './xml-machine.ts';

export interface XmlReader<T> {
  write(chunk: Uint8Array): void;
  end(): T;
}

export function readXml<D extends Description>(
  description: D,
  body: Uint8Array | string,
  limits: DocumentLimits = defaultLimits,
  tell?: TellUnknown,
): Value<D> {
  const place = `/${description.name}`;
  const text = bodyText(body, limits, place);
  // saxes would join half a surrogate pair with whatever follows it; decoded bytes hold none.
  if (typeof body === 'string' && /\p{Surrogate}/u.test(body)) {
    throw new DocumentError({ kind: 'syntax', place, explanation: 'Expected Unicode text: found half a character' });
  }
  const machine = xmlMachine(description, text.length, limits, tell);
  machine.feed(text);
  return machine.end();
}

/** Shared by all readers: each body ends its own, and creating an error costs as much as reading a short document. */
const ended = new Error('Expected no call of a reader that has ended');

/** Reads a body while it arrives, and refuses it as soon as a limit is exceeded. */
export function createXmlReader<D extends Description>(
  description: D,
  limits: DocumentLimits = defaultLimits,
  tell?: TellUnknown,
): XmlReader<Value<D>> {
  const place = `/${description.name}`;
  let machine: XmlMachine<Value<D>> | undefined;
  const decoder = createDecoder(place);
  let bytes = 0;
  let failure: unknown;

  /**
   * Runs only while the reader is active: after an error the parser's state is undefined, and after the end it is
   * reused.
   */
  function once<R>(work: () => R): R {
    if (failure !== undefined) throw failure;
    try {
      return work();
    } catch (error) {
      failure = error;
      throw error;
    }
  }

  return {
    write: (chunk) =>
      once(() => {
        bytes += chunk.length;
        if (bytes > limits.bytes) {
          throw new DocumentError({ kind: 'limit', place, ...tooMuch('bytes', limits) });
        }
        machine ??= xmlMachine(description, chunk.length, limits, tell);
        machine.feed(decoder.decode(chunk));
      }),
    end: () =>
      once(() => {
        machine ??= xmlMachine(description, 0, limits, tell);
        machine.feed(decoder.end());
        const value = machine.end();
        failure = ended;
        return value;
      }),
  };
}

/** Start and end of declarations, instructions and comments before the root element. */
const ahead: readonly (readonly [begin: string, end: string])[] = [
  ['<?', '?>'],
  ['<!--', '-->'],
];

const blank = /\s/;
const element = /<(?:[^\s<>/:!?]{1,80}:)?([^\s<>/:!?]{1,80})[\s/>]/y;

/** Name of the root element, without its prefix. Undefined if the text does not begin like XML. */
export function rootName(xml: string): string | undefined {
  let at = xml.startsWith('\ufeff') ? 1 : 0;
  for (;;) {
    while (blank.test(xml.charAt(at))) at++;
    const bracket = ahead.find(([begin]) => xml.startsWith(begin, at));
    if (bracket === undefined) break;
    const end = xml.indexOf(bracket[1], at + bracket[0].length);
    if (end < 0) return undefined;
    at = end + bracket[1].length;
  }
  element.lastIndex = at;
  return element.exec(xml)?.[1];
}

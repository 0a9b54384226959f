import type { ServiceError } from '../lib/errors.ts';
import { hiddenPart, unstorablePart } from '../lib/storable.ts';

/** Bounds of JSON without a description. The sender of its bytes has bounded those before. */
interface PlainLimits {
  /** Levels of objects and lists. */
  readonly depth: number;
  /** Members of all objects and lists. */
  readonly values: number;
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Refusal of a place: what was expected there, and what was found. */
type Refusal = (place: string, expected: string, actual: string) => ServiceError;

/**
 * JSON that no description bounds. Levels and values are counted before anything is made of the text, so that no reader
 * of the value needs bounds of its own. Throws the refusal of a place where something else was expected.
 */
export function readPlainJson(text: string, limits: PlainLimits, what: string, refusal: Refusal): unknown {
  const excess = excessOf(text, limits);
  if (excess) throw refusal('body', excess, 'more');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refusal('body', what, text);
  }
  if (hiddenPart(text)) checkTexts(value, '', refusal);
  return value;
}

function excessOf(text: string, { depth, values }: PlainLimits): string | undefined {
  let [level, count] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at);
    else if (code === comma) count++;
    else if (code === openObject || code === openArray) {
      count++;
      if (++level > depth) return `at most ${depth} values in values`;
    } else if (code === closeObject || code === closeArray) level--;
    if (count > values) return `at most ${values} values`;
  }
  return undefined;
}

function endOfText(text: string, from: number): number {
  let at = from + 1;
  for (let code = text.charCodeAt(at); code !== quote && at < text.length; code = text.charCodeAt(at)) {
    at += code === backslash ? 2 : 1;
  }
  return at;
}

function checkTexts(value: unknown, place: string, refusal: Refusal): void {
  if (typeof value === 'string') {
    const part = unstorablePart(value);
    // The rest of the text may be a secret.
    if (part) throw refusal(place || 'body', `text without ${part}`, '\ufffd');
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      checkTexts(name, place, refusal);
      checkTexts(each, place === '' ? name : `${place}/${name}`, refusal);
    }
  }
}

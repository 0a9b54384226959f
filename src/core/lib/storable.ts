/** The part of a text that no database keeps. Undefined: the text can be stored. */
export function unstorablePart(text: string): 'a NUL character' | 'half a surrogate pair' | undefined {
  // The engine would cut the text there: `admin\0x` would find `admin`.
  if (text.includes('\0')) return 'a NUL character';
  // The engine would put U+FFFD there: two different texts would be the same row.
  return text.isWellFormed() ? undefined : 'half a surrogate pair';
}

/** A part that no database keeps, looked for in the escapes of a JSON text without parsing it. */
export function hiddenPart(json: string): ReturnType<typeof unstorablePart> {
  for (let at = json.indexOf('\\'); at >= 0; at = json.indexOf('\\', at)) {
    if (json[at + 1] !== 'u') {
      at += 2;
      continue;
    }
    const unit = unitAt(json, at);
    if (unit === 0) return 'a NUL character';
    const isPair = isHigh(unit) && json.startsWith('\\u', at + 6) && isLow(unitAt(json, at + 6));
    if (!isPair && (isHigh(unit) || isLow(unit))) return 'half a surrogate pair';
    at += isPair ? 12 : 6;
  }
  return undefined;
}

const unitAt = (json: string, at: number): number => Number.parseInt(json.slice(at + 2, at + 6), 16);
const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

/** The beginning of a text from outside, without what cannot be stored: a cut may leave half a pair. */
export const storable = (text: string, max = Number.POSITIVE_INFINITY): string =>
  text.slice(0, max).toWellFormed().replaceAll('\0', '\ufffd');

import { badParameter } from '../../http/parameters/index.ts';

/** A colour of six hexadecimal digits, as in a parameter. */
export function colourIn(name: string, text: string): readonly [number, number, number] {
  const digits = /^(?:#|0x)?([0-9a-f]{6})$/i.exec(text.trim())?.[1];
  if (digits === undefined) throw badParameter(name, 'Expected a colour such as #1f4e79', text.slice(0, 60));
  const at = (place: number) => Number.parseInt(digits.slice(place, place + 2), 16);
  return [at(0), at(2), at(4)];
}

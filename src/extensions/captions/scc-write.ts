import type { TimedCue } from './cue.ts';
import { bytesFor, fallbackFor, frameText, sccRate } from './scc-codes.ts';

const columns = 32;
const rows = 15;

/** Words sent together: a command and its repetition, or one word of text. */
type Unit = readonly string[];

/** Byte with odd parity, in hexadecimal. */
function odd(byte: number): string {
  let ones = 0;
  for (let rest = byte; rest > 0; rest >>= 1) ones += rest & 1;
  return ((ones % 2 === 0 ? 0x80 : 0) | byte).toString(16).padStart(2, '0');
}

const word = (first: number, second: number): string => odd(first) + odd(second);
const twice = (first: number, second: number): Unit => [word(first, second), word(first, second)];

const erase = twice(0x14, 0x2c);
const show = twice(0x14, 0x2f);
const firstByte = [0x11, 0x11, 0x12, 0x12, 0x15, 0x15, 0x16, 0x16, 0x17, 0x17, 0x10, 0x13, 0x13, 0x14, 0x14];
const lowerRows = new Set([2, 4, 6, 8, 10, 13, 15]);
const preamble = (row: number): Unit => twice(firstByte[row - 1]!, lowerRows.has(row) ? 0x60 : 0x40);

/** Breaks text into lines of at most 32 characters, up to the rows of a screen. */
function linesOf(text: string): readonly string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let rest = paragraph.trim();
    while (rest.length > columns) {
      const blank = rest.lastIndexOf(' ', columns);
      const end = blank > 0 ? blank : columns;
      lines.push(rest.slice(0, end).trim());
      rest = rest.slice(end).trim();
    }
    if (rest !== '') lines.push(rest);
  }
  return lines.slice(0, rows);
}

function textUnits(line: string): readonly Unit[] {
  const units: Unit[] = [];
  let half: number | undefined;
  const put = (byte: number) => {
    if (half === undefined) half = byte;
    else {
      units.push([word(half, byte)]);
      half = undefined;
    }
  };
  const flush = () => {
    if (half !== undefined) put(0);
  };
  for (const character of line) {
    const bytes = bytesFor(character);
    if (bytes.length === 1) {
      put(bytes[0]!);
      continue;
    }
    // Extended characters overwrite the character before them.
    if (bytes[0] !== 0x11) put(fallbackFor(character));
    flush();
    units.push(twice(bytes[0]!, bytes[1]!));
  }
  flush();
  return units;
}

/** Commands that load a caption without showing it. */
function loading(text: string): readonly Unit[] {
  const lines = linesOf(text);
  const top = rows - lines.length + 1;
  return [
    twice(0x14, 0x2e),
    twice(0x14, 0x20),
    ...lines.flatMap((line, at) => [preamble(top + at), ...textUnits(line)]),
  ];
}

const lengthOf = (units: readonly Unit[]): number => units.reduce((sum, unit) => sum + unit.length, 0);

/** Inserts the command at its time: one word is sent per frame. */
function inserted(units: readonly Unit[], unit: Unit, at: number): readonly Unit[] {
  const result: Unit[] = [];
  let sent = 0;
  let isIn = false;
  for (const each of units) {
    if (!isIn && sent >= at) {
      result.push(unit);
      isIn = true;
    }
    result.push(each);
    sent += each.length;
  }
  return isIn ? result : [...result, unit];
}

/** Writes SCC for subtitles in order of time. Captions load ahead of time, so that they appear whole. */
export function* writeScc(cues: readonly TimedCue[]): Generator<string, void> {
  yield 'Scenarist_SCC V1.0\n';
  /** Frame at which the last caption disappears; `free`: first frame without a word. */
  let leaves: number | undefined;
  let free = 0;
  const sent = (frame: number, units: readonly Unit[]): string => {
    free = frame + lengthOf(units);
    return `\n${frameText(frame)}\t${units.flat().join(' ')}\n`;
  };
  for (const { start, end, text } of cues) {
    const appears = Math.round(start * sccRate);
    let units = loading(text);
    if (lengthOf(units) === 4) continue;
    if (leaves !== undefined && leaves < appears) {
      const before = appears - lengthOf(units);
      if (leaves + erase.length <= before) yield sent(Math.max(leaves, free), [erase]);
      else units = inserted(units, erase, Math.max(0, leaves - (before - erase.length)));
    }
    const begin = Math.max(free, appears - lengthOf(units), 0);
    yield sent(begin, [...units, show]);
    leaves = Math.max(Math.round(end * sccRate), begin + lengthOf(units) + 1);
  }
  if (leaves !== undefined) yield sent(Math.max(leaves, free), [erase]);
}

import fc from 'fast-check';

/** Bytes for a target, as a text with a character for each. */
export type Input = string;

/** Words of the language of a target. */
export interface Words {
  readonly pieces: readonly string[];
  /** Openings and closings that nest. */
  readonly around: readonly (readonly [open: string, close: string])[];
}

export const bytesOf = (input: Input): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(input, 'latin1'));
export const textOf = (input: Input): string => Buffer.from(input, 'latin1').toString('utf8');
export const inputOf = (given: string | Uint8Array): Input => Buffer.from(given as string).toString('latin1');

/** Texts that often lie outside of what a reader expects. */
export const hostile: readonly string[] = [
  ...['', ' ', '\0', '\t\r\n', '\u2028', '\ufeff', '\ufffe', '😀', 'e\u0301', 'İ', 'ß', '\u202e', '\x7f', '\u0085'],
  ...['-1', '0', '1e999', '-0', 'NaN', 'Infinity', '0x10', '1.5', '4294967296', '9007199254740993', '9'.repeat(400)],
  ...['null', 'true', '__proto__', 'constructor', 'toString', '*', '?', '[', '\\', '%', '%00', '%2e%2e', '%ff', '..'],
  ...['a/b', '../x', "'", '"', '<a>', '&amp;', '$', ';', ',', ':', '#', '~', '|', '-', '+', '=', 'a'.repeat(5000)],
  ...['VX-1', 'VX-999999999999999999999', 'VX-01', 'vx-1', 'VX*1', 'admin', 'plain', 'memory:///in/', 'file:///etc/x'],
  ...['2024-01-01T00:00:00Z', '+275761-01-01T00:00:00Z', '-000001-01-01', 'NOW-1YEAR/DAY', '0@PAL', '1@0', '-INF'],
  ...['1@1000000000/0', '99999999999999999999@25', '00:00:00:00', '10:00:00;00@NTSC', '1-', '-1-1', '(', ')', '((('],
];

const numbers = [
  ...['0', '-1', '1', '255', '65535', '2147483648', '4294967295', '9007199254740993', '1e9', '1e400', '0.1', '-0'],
  ...['9'.repeat(30), '00000000001', '1_000'],
];

interface Place extends Words {
  readonly seeds: readonly Input[];
  /** Characters of an input. */
  readonly maxLength: number;
}

/** Changes the stretch from `at` to `end`. */
type Edit = (text: string, at: number, end: number, choice: number, place: Place) => string;

const cut = (text: string, at: number, end: number, between: string): string =>
  text.slice(0, at) + between + text.slice(end);
const pick = <T>(of: readonly T[], choice: number): T => of[choice % of.length]!;
const flipped = (text: string, at: number, bit: number): string =>
  String.fromCharCode((text.charCodeAt(at) || 0) ^ (1 << bit));
/** Times that a stretch may be there: up to the maximum length of the input, and rarely so many. */
const timesOf = (choice: number, length: number, { maxLength }: Place): number =>
  Math.min(2 ** (choice % 18), Math.floor(maxLength / Math.max(1, length)));

const edits: readonly (readonly [weight: number, edit: Edit])[] = [
  [5, (text, at, _end, choice, { pieces }) => cut(text, at, at, pick(pieces, choice))],
  [4, (text, at, end, choice, { pieces }) => cut(text, at, end, pick(pieces, choice))],
  [3, (text, at, end) => cut(text, at, end, '')],
  [2, (text, at, end, choice, { seeds }) => cut(text, at, end, stretchOf(pick(seeds, choice), choice, end - at))],
  [2, (text, at, _end, choice) => cut(text, at, at + 1, flipped(text, at, choice % 8))],
  [1, (text, at) => text.slice(0, at)],
  [3, (text, at, end, choice) => cut(text, at, end, inputOf(pick(hostile, choice)))],
  [3, (text, at, _end, choice) => withNumber(text, at, pick(numbers, choice))],
  // Lengths and offsets of binary forms.
  [2, (text, at, _end, choice) => cut(text, at, at + 4, pick(['\xff\xff\xff\xff', '\0\0\0\0', '\0\0\0\x01'], choice))],
  [
    1,
    (text, at, end, choice, place) => cut(text, at, end, text.slice(at, end).repeat(timesOf(choice, end - at, place))),
  ],
  [1, (text, at, _end, choice, place) => repeated(text, at, choice, place)],
  [1, (text, at, end, choice, place) => nested(text, at, end, choice, place)],
];

const stretchOf = (seed: Input, from: number, length: number): string =>
  seed.slice(from % (seed.length + 1)).slice(0, length + 8);

/** The first number from there on becomes another one. */
function withNumber(text: string, at: number, number: string): string {
  const match = /\d+/.exec(text.slice(at));
  return match ? cut(text, at + match.index, at + match.index + match[0].length, number) : text;
}

function repeated(text: string, at: number, choice: number, place: Place): string {
  const piece = pick(place.pieces, choice);
  return cut(text, at, at, piece.repeat(timesOf(choice >> 3, piece.length, place)));
}

function nested(text: string, at: number, end: number, choice: number, place: Place): string {
  const [open, close] = pick(place.around, choice);
  const times = timesOf(choice >> 3, open.length + close.length, place);
  return cut(text, at, end, open.repeat(times) + text.slice(at, end) + close.repeat(times));
}

const number = fc.nat(0xffffff);
const edit = fc.tuple(
  fc.oneof(...edits.map(([weight, change]) => ({ weight, arbitrary: fc.constant(change) }))),
  number,
  fc.oneof({ weight: 4, arbitrary: fc.nat(12) }, { weight: 1, arbitrary: number }),
  number,
);

/** Seeds with some edits. */
export function inputs(place: Place): fc.Arbitrary<Input> {
  return fc.tuple(fc.constantFrom(...place.seeds), fc.array(edit, { maxLength: 5 })).map(([seed, changes]) =>
    changes
      .reduce((text, [change, from, length, choice]) => {
        const at = from % (text.length + 1);
        return change(text, at, Math.min(text.length, at + length), choice, place);
      }, seed)
      .slice(0, place.maxLength),
  );
}

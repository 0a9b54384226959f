/**
 * Time codes as exact fractions of a second: `0@PAL`, `0@25` and `0` are the same instant. Different notations never
 * create separate timespans.
 */
export interface Instant {
  /** Seconds. Undefined: -INF or +INF. */
  readonly fraction: Fraction | undefined;
  /** Equal for equal instants. */
  readonly key: string;
}

interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Length of one unit in seconds, as a fraction. */
const named: ReadonlyMap<string, readonly [numerator: number, denominator: number]> = new Map([
  ['PAL', [1, 25]],
  ['NTSC', [1001, 30000]],
  ['NTSC30', [1, 30]],
]);

export const first: Instant = { fraction: undefined, key: '-INF' };
export const last: Instant = { fraction: undefined, key: '+INF' };

const code = /^(-?\d{1,18})(?:\.(\d{1,18}))?(?:@(.+))?$/;
const base = /^(\d{1,10})(?::(\d{1,10}))?$/;

/** Parses `10.5`, `250@PAL`, `900@30000:1001`, `-INF`, `+INF`. Undefined: invalid. */
export function instantOf(text: string): Instant | undefined {
  if (text === '-INF') return first;
  if (text === '+INF') return last;
  const match = code.exec(text);
  if (match === null) return undefined;
  const [, whole, decimals = '', timeBase] = match;
  const plain = plainInstant(whole!, decimals, timeBase);
  if (plain) return plain;
  const unit = timeBase === undefined ? ([1n, 1n] as const) : timeBaseOf(timeBase);
  if (unit === undefined) return undefined;
  return instant(BigInt(whole! + decimals) * unit[0], 10n ** BigInt(decimals.length) * unit[1]);
}

/** Digits that a number holds exactly. */
const exactDigits = 15;

/**
 * An instant that fits into numbers: a file of subtitles has thousands, and big integers take ten times as long. Undefined:
 * too many digits, or no time base.
 */
function plainInstant(whole: string, decimals: string, timeBase: string | undefined): Instant | undefined {
  const unit = timeBase === undefined ? second : plainBase(timeBase);
  if (unit === undefined || whole.length + decimals.length > exactDigits) return undefined;
  const numerator = Number(whole + decimals) * unit[0];
  const denominator = 10 ** decimals.length * unit[1];
  if (Math.abs(numerator) > Number.MAX_SAFE_INTEGER || denominator > Number.MAX_SAFE_INTEGER) return undefined;
  let [large, small] = [Math.abs(numerator), denominator];
  while (small !== 0) [large, small] = [small, large % small];
  return new PlainInstant(numerator / large, denominator / large);
}

const second = [1, 1] as const;

/** Parses `PAL`, `25`, `30000:1001` as the length of one unit in seconds. Undefined: invalid. */
function plainBase(text: string): readonly [numerator: number, denominator: number] | undefined {
  const unit = named.get(text);
  if (unit !== undefined) return unit;
  const match = base.exec(text);
  if (match === null) return undefined;
  const [denominator, numerator] = [Number(match[1]), Number(match[2] ?? '1')];
  return denominator === 0 || numerator === 0 ? undefined : [numerator, denominator];
}

class PlainInstant implements Instant {
  readonly key: string;
  readonly #numerator: number;
  readonly #denominator: number;

  constructor(numerator: number, denominator: number) {
    // Minus zero is zero.
    this.#numerator = numerator + 0;
    this.#denominator = denominator;
    this.key = `${this.#numerator}/${denominator}`;
  }

  get fraction(): Fraction {
    return { numerator: BigInt(this.#numerator), denominator: BigInt(this.#denominator) };
  }
}

/** Length of one unit as whole numbers of any size. Undefined: invalid. */
export function timeBaseOf(text: string): readonly [numerator: bigint, denominator: bigint] | undefined {
  const unit = plainBase(text);
  return unit && [BigInt(unit[0]), BigInt(unit[1])];
}

/** A time base as texts have it: by its name where it has one, else `24` or `24000:1001`. */
export function baseText(numerator: number, denominator: number): string {
  for (const [name, [unit, per]] of named) {
    if (BigInt(numerator) * BigInt(per) === BigInt(denominator) * BigInt(unit)) return name;
  }
  return numerator === 1 ? String(denominator) : `${denominator}:${numerator}`;
}

/** A time code as a count of units. A decimal fraction counts in tenths of its unit, or less. */
export function samplesOf(text: string) {
  const [, whole = '0', decimals = '', timeBase = '1'] = code.exec(text) ?? [];
  const [numerator, denominator] = timeBaseOf(timeBase) ?? [1n, 1n];
  const per = denominator * 10n ** BigInt(decimals.length);
  return { samples: Number(whole + decimals), timeBase: { numerator: Number(numerator), denominator: Number(per) } };
}

function instant(numerator: bigint, denominator: bigint): Instant {
  const by = divisorOf(numerator < 0n ? -numerator : numerator, denominator);
  const fraction = { numerator: numerator / by, denominator: denominator / by };
  return { fraction, key: `${fraction.numerator}/${fraction.denominator}` };
}

function divisorOf(a: bigint, b: bigint): bigint {
  let [large, small] = [a, b];
  while (small !== 0n) [large, small] = [small, large % small];
  return large === 0n ? 1n : large;
}

/** Comparator: below zero if `a` is earlier. */
export function compare(a: Instant, b: Instant): number {
  if (a.key === b.key) return 0;
  if (a.fraction === undefined || b.fraction === undefined) return a === first || b === last ? -1 : 1;
  const difference = a.fraction.numerator * b.fraction.denominator - b.fraction.numerator * a.fraction.denominator;
  return difference < 0n ? -1 : 1;
}

/** Adds an offset, or with `back` subtracts it. Infinite times stay. */
export function shift(from: Instant, by: Instant, back = false): Instant {
  if (from.fraction === undefined || by.fraction === undefined) return from;
  const [a, b] = [from.fraction, by.fraction];
  const moved = (back ? -b.numerator : b.numerator) * a.denominator;
  return instant(a.numerator * b.denominator + moved, a.denominator * b.denominator);
}

/** A length of one whole as a length of another one. The first whole is no single instant. */
export function rescaled(length: Instant, whole: Instant, other: Instant): Instant {
  const [part, from, to] = [length.fraction, whole.fraction, other.fraction];
  if (!part || !from || !to || whole.key === other.key) return length;
  const sign = from.numerator < 0n ? -1n : 1n;
  const over = part.numerator * from.denominator * to.numerator * sign;
  return instant(over, part.denominator * from.numerator * to.denominator * sign);
}

/** A hundred thousand hours: later times have more digits than any form of a time code. */
const maxSeconds = 360_000_000;

/** Seconds of a time of media, from its start on. Undefined: no such time. */
export function mediaSeconds(text: string): number | undefined {
  const fraction = instantOf(text)?.fraction;
  if (fraction === undefined) return undefined;
  const seconds = Number(fraction.numerator) / Number(fraction.denominator);
  return seconds >= 0 && seconds <= maxSeconds ? seconds : undefined;
}

const digits = 9n;

/** Time code in a time base, as decimal seconds if it is no whole number of units. */
export function textIn(timeBase: string, { fraction, key }: Instant): string {
  if (fraction === undefined) return key;
  const [unit, per] = timeBaseOf(timeBase)!;
  return `${decimalOf(fraction.numerator * per, fraction.denominator * unit)}@${timeBase}`;
}

/** Decimal seconds with up to nine digits. */
export const secondsText = ({ fraction, key }: Instant): string =>
  fraction === undefined ? key : decimalOf(fraction.numerator, fraction.denominator);

function decimalOf(numerator: bigint, denominator: bigint): string {
  if (numerator < 0n) return `-${decimalOf(-numerator, denominator)}`;
  const scaled = (numerator * 10n ** digits * 2n + denominator) / (denominator * 2n);
  const rest = String(scaled % 10n ** digits)
    .padStart(Number(digits), '0')
    .replace(/0+$/, '');
  return `${scaled / 10n ** digits}${rest === '' ? '' : `.${rest}`}`;
}

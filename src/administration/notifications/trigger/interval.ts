/** Times in seconds; `from` and `to` of what is open are infinite. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** The length of one unit, in seconds, as numerator and denominator. */
const timeBases: Readonly<Record<string, readonly [number, number]>> = {
  PAL: [1, 25],
  NTSC: [1001, 30000],
  NTSC30: [1, 30],
};

const code = /^(\d{1,15}(?:\.\d{1,9})?)(?:@(?:(PAL|NTSC|NTSC30)|(\d{1,9})(?::(\d{1,9}))?))?$/;

/**
 * `10.5`, `250@PAL`, `900@30000:1001`, `-INF`, `+INF`; NaN for anything else. Samples are multiplied before they are
 * divided, so that two spellings of one time give one number.
 */
export function intervalSeconds(text: string): number {
  if (text === '-INF') return Number.NEGATIVE_INFINITY;
  if (text === '+INF') return Number.POSITIVE_INFINITY;
  const match = code.exec(text);
  if (match === null) return Number.NaN;
  const [, samples, name, denominator, numerator = '1'] = match;
  const [times, by] = name !== undefined ? timeBases[name]! : [Number(numerator), Number(denominator ?? 1)];
  return (Number(samples) * times) / by;
}

/** `10@PAL-20@PAL`, `-INF-10`, `10-+INF`; undefined for anything else, and for an end before its start. */
export function spanOf(text: string): Span | undefined {
  const match = /^(-INF|[^-]+)-(\+INF|[^-]+)$/.exec(text);
  if (match === null) return undefined;
  const [from, to] = [intervalSeconds(match[1]!), intervalSeconds(match[2]!)];
  return from <= to ? { from, to } : undefined;
}

/** Whether the spans overlap. Ends are exclusive, unless a span is a single point. */
export function overlaps(a: Span, from: number, to: number): boolean {
  if (a.from === a.to || from === to) return a.from <= to && from <= a.to;
  return a.from < to && from < a.to;
}

import { badValue } from '../../../core/documents/error.ts';
import type { ItemChange, MetadataChange } from '../../../core/events/payloads.ts';

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
function overlaps(a: Span, from: number, to: number): boolean {
  if (a.from === a.to || from === to) return a.from <= to && from <= a.to;
  return a.from < to && from < a.to;
}

/**
 * A name in which each asterisk stands for any text. The pieces between are looked for from left to right and never
 * again, so the time is that of reading the name.
 */
export function compileWildcard(pattern: string): (name: string) => boolean {
  if (!pattern.includes('*')) return (name) => name === pattern;
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop() ?? '';
  return (name) => {
    if (name.length < head.length + tail.length || !name.startsWith(head) || !name.endsWith(tail)) return false;
    const end = name.length - tail.length;
    let at = head.length;
    for (const piece of rest) {
      const index = name.indexOf(piece, at);
      if (index < 0 || index + piece.length > end) return false;
      at = index + piece.length;
    }
    return true;
  };
}

/** Each list means any of its entries; an empty one means all. */
export interface MetadataSource {
  readonly of: 'metadata/modify' | 'collection/metadata/modify';
  readonly field: readonly string[];
  readonly language: readonly string[];
  readonly track: readonly string[];
  readonly interval: readonly string[];
}

type Accepts = (change: MetadataChange) => boolean;

/** Matches if a single change satisfies all conditions. */
export function compileMetadata(source: MetadataSource): (changed: Pick<ItemChange, 'changes'>) => boolean {
  const place = `/NotificationDocument/trigger/${source.of}`;
  const field = anyOf(source.field, compileField);
  const language = anyOf(source.language, compileLanguage);
  const track = anyOf(source.track, (text) => compileTrack(text, `${place}/track`));
  const interval = anyOf(source.interval, (text) => compileInterval(text, `${place}/interval`));
  return ({ changes }) => {
    for (const change of changes) {
      if (field(change) && language(change) && track(change) && interval(change)) return true;
    }
    return false;
  };
}

const all: Accepts = () => true;

function anyOf(texts: readonly string[], compile: (text: string) => Accepts): Accepts {
  if (texts.length === 0 || texts.includes('all')) return all;
  const choices = texts.map(compile);
  return choices.length === 1 ? choices[0]! : (change) => choices.some((accepts) => accepts(change));
}

/** Matches field names such as `title` or `rights_*`. */
function compileField(text: string): Accepts {
  const fits = compileWildcard(text);
  return ({ field }) => fits(field);
}

/** Matches languages such as `en_US`, `en*`, `*_CA` or `none`. */
function compileLanguage(text: string): Accepts {
  if (text === 'none') return ({ language }) => language === undefined;
  const fits = compileWildcard(text);
  return ({ language }) => language !== undefined && fits(language);
}

/** `A1`, `A2-4`, `A*`, `generic`. */
function compileTrack(text: string, place: string): Accepts {
  if (text === 'generic') return ({ track }) => track === undefined;
  const [, kind = '', first, last] = /^([A-Za-z]+)([1-9]\d{0,8})-([1-9]\d{0,8})$/.exec(text) ?? [];
  if (Number(first) <= Number(last)) return compileRange(kind, Number(first), Number(last));
  if (!/^(?:[A-Za-z]+(?:[1-9]\d{0,8}|\*)|\*)$/.test(text)) {
    throw badValue(place, 'tracks such as "A1", "A2-4", "A*", "generic" or "all"', text);
  }
  const fits = compileWildcard(text);
  return ({ track }) => track !== undefined && fits(track);
}

function compileRange(kind: string, first: number, last: number): Accepts {
  return ({ track }) => {
    if (!track?.startsWith(kind)) return false;
    const number = Number(track.slice(kind.length));
    return number >= first && number <= last;
  };
}

/** Matches intervals such as `10@PAL-20@PAL` or `generic`. */
function compileInterval(text: string, place: string): Accepts {
  if (text === 'generic') return ({ start, end }) => start === '-INF' && end === '+INF';
  const span = spanOf(text);
  if (span === undefined)
    throw badValue(place, 'spans such as "10-20.5" or "250@PAL-500@PAL", "generic" or "all"', text);
  if (span.from === Number.NEGATIVE_INFINITY && span.to === Number.POSITIVE_INFINITY) return all;
  return ({ start, end }) =>
    !(start === '-INF' && end === '+INF') && overlaps(span, intervalSeconds(start), intervalSeconds(end));
}

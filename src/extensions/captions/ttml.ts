import { escapeAttribute, escapeText } from '../../core/documents/escape.ts';
import { type DocumentLimits, walkXml } from '../../core/documents/index.ts';
import { CaptionError, type Cue, type CueReader, inMilliseconds, type TimedCue } from './cue.ts';
import { clockText } from './vtt.ts';

/** Time parameters of a TTML document. */
interface TtmlClock {
  /** Frames per second, as counted and in reality. */
  readonly counted: number;
  readonly passing: number;
  readonly ticks: number;
  readonly subFrames: number;
  /** True: times are SMPTE time codes, where 29.97 real frames count as 30. */
  readonly isSmpte: boolean;
}

const positive = (text: string | undefined, defaultValue: number): number => {
  const value = Number(text ?? defaultValue);
  return Number.isFinite(value) && value > 0 && value <= 1e9 ? value : defaultValue;
};

/** Reads the parameters from attributes of the root. */
function clockOf(given: ReadonlyMap<string, string>): TtmlClock {
  const timeBase = given.get('timeBase') ?? 'media';
  if (timeBase !== 'media' && timeBase !== 'smpte') {
    throw new CaptionError(`Expected TTML with the time base media or smpte: found "${timeBase.slice(0, 40)}"`);
  }
  const counted = positive(given.get('frameRate'), 30);
  const [numerator, denominator] = (given.get('frameRateMultiplier') ?? '1 1').trim().split(/[\s:]+/);
  const passing = (counted * positive(numerator, 1)) / positive(denominator, 1);
  const subFrames = positive(given.get('subFrameRate'), 1);
  const defaultTicks = given.has('frameRate') ? passing * subFrames : 1;
  const ticks = positive(given.get('tickRate'), defaultTicks);
  return { counted, passing, ticks, subFrames, isSmpte: timeBase === 'smpte' };
}

const clockTime = /^(\d{2,4}):(\d{2}):(\d{2})(?:(\.\d{1,9})|[:;](\d{2,4})(?:\.(\d{1,4}))?)?$/;
const offsetTime = /^(\d{1,12}(?:\.\d{1,9})?)(h|ms|m|s|f|t)$/;

/** Parses a time as seconds. Throws a CaptionError if it is invalid. */
function ttmlSeconds(text: string, clock: TtmlClock): number {
  const trimmed = text.trim();
  const { counted, passing, ticks, subFrames, isSmpte } = clock;
  const [, hours, minutes, seconds, fraction = '0', frames = '0', parts = '0'] = clockTime.exec(trimmed) ?? [];
  if (hours !== undefined) {
    const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
    const count = Number(frames) + Number(parts) / subFrames;
    return isSmpte
      ? (whole * counted + count) / passing + Number(fraction)
      : whole + Number(fraction) + count / passing;
  }
  const [, number, unit] = offsetTime.exec(trimmed) ?? [];
  const length: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001, f: 1 / passing, t: 1 / ticks };
  if (number !== undefined) return Number(number) * length[unit!]!;
  throw new CaptionError(`Expected times of TTML such as 00:00:01.500 or 12.5s: found "${trimmed.slice(0, 40)}"`);
}

/** Values that an element passes to its children. */
interface Frame {
  /** Seconds from the start of the media. */
  readonly start: number;
  readonly end: number;
  readonly language: string | undefined;
  readonly keepsSpace: boolean;
  /** True: the text of the element is a separate subtitle. */
  readonly isCue: boolean;
  text: string;
}

const timed: ReadonlySet<string> = new Set(['body', 'div', 'p', 'span']);
const skipped: ReadonlySet<string> = new Set(['head', 'metadata', 'image', 'audio', 'data']);

/** Parses TTML: text of paragraphs, and of spans with their own times. Ignores styles and positions. */
export function* readTtml(xml: string, limits: DocumentLimits): CueReader {
  const cues: Cue[] = [];
  const frames: Frame[] = [];
  let clock: TtmlClock | undefined;
  let inside = 0;

  function enter(name: string, given: ReadonlyMap<string, string>): void {
    const outer = frames.at(-1) ?? { start: 0, end: Number.POSITIVE_INFINITY, language: undefined, keepsSpace: false };
    if (given.get('timeContainer') === 'seq') {
      throw new CaptionError('Expected TTML without timeContainer="seq": its times follow each other');
    }
    const time = (key: string) => {
      const text = given.get(key);
      return text === undefined ? undefined : ttmlSeconds(text, clock!);
    };
    const [begin, end, duration] = [time('begin'), time('end'), time('dur')];
    const start = outer.start + (begin ?? 0);
    const ends = [outer.end];
    if (end !== undefined) ends.push(outer.start + end);
    if (duration !== undefined) ends.push(start + duration);
    const hasTimes = begin !== undefined || end !== undefined || duration !== undefined;
    const space = given.get('space');
    frames.push({
      start,
      end: Math.min(...ends),
      language: given.get('lang') ?? outer.language,
      keepsSpace: space === undefined ? outer.keepsSpace : space === 'preserve',
      isCue: name === 'p' || (name === 'span' && hasTimes),
      text: '',
    });
  }

  function leave(): void {
    const { isCue, text, start, end, keepsSpace, language } = frames.pop()!;
    const outer = frames.at(-1);
    if (!isCue) {
      if (outer) outer.text += text;
      return;
    }
    const said = keepsSpace ? text.replaceAll('\v', '\n').trim() : withoutSpace(text);
    if (said === '' || end <= start || end === Number.POSITIVE_INFINITY) return;
    const [from, to] = [Math.round(start * 1000), Math.round(end * 1000)];
    if (to <= from) return;
    const spoken = language === undefined || language === '' ? {} : { language };
    cues.push({ start: inMilliseconds(from), end: inMilliseconds(to), text: said, ...spoken });
  }

  const walker = {
    open(name: string, given: ReadonlyMap<string, string>) {
      if (inside > 0 || skipped.has(name)) inside++;
      else if (name === 'tt') {
        clock = clockOf(given);
        enter(name, given);
      } else if (!clock) throw new CaptionError(`Expected TTML: found the root element "${name.slice(0, 80)}"`);
      else if (name === 'br') frames.at(-1)!.text += '\v';
      else if (timed.has(name)) enter(name, given);
      else inside++;
    },
    text(text: string) {
      if (inside === 0 && frames.length > 0) frames.at(-1)!.text += text;
    },
    close(name: string) {
      if (inside > 0) inside--;
      else if (name !== 'br') leave();
    },
  };
  for (const _piece of walkXml(xml, limits, walker)) {
    yield undefined;
    yield* cues.splice(0);
  }
  yield* cues;
}

/** Collapses white space, so that only explicit line breaks begin a line. */
const withoutSpace = (text: string): string =>
  text
    .split('\v')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .join('\n')
    .trim();

export function* writeTtml(cues: readonly TimedCue[]): Generator<string, void> {
  const languages = new Set(cues.map(({ language }) => language));
  const [only = ''] = languages.size === 1 ? [...languages] : [];
  const head = `<?xml version="1.0" encoding="UTF-8"?>\n<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="${escapeAttribute(only)}">`;
  yield `${head}\n<body>\n<div>\n`;
  for (const { start, end, text, language } of cues) {
    const spoken = language === undefined || language === only ? '' : ` xml:lang="${escapeAttribute(language)}"`;
    const lines = text.split('\n').map(escapeText).join('<br/>');
    yield `<p begin="${clockText(start)}" end="${clockText(end)}" xml:space="preserve"${spoken}>${lines}</p>\n`;
  }
  yield '</div>\n</body>\n</tt>\n';
}

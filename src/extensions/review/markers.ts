import { escapeAttribute, xmlCharacters } from '../../core/documents/escape.ts';
import { instantOf, samplesOf } from '../../core/lib/time-code.ts';
import { oneLine } from '../../http/reply.ts';
import { edl, framesIn, type Rate, rateOf, secondsOfFrames, timeCodeText } from '../sequences/public.ts';
import type { MarkerRow } from './store.ts';

/** A marked part, in pictures. */
interface Marker extends MarkerRow {
  readonly from: number;
  /** The first picture behind it. */
  readonly until: number;
}

/** Rate of markers whose times have none. */
const usualRate: Rate = { frames: 25, ntsc: false };

/** Rate of the first time code that counts pictures. */
export const rateOfRows = (rows: readonly MarkerRow[]): Rate =>
  rows.flatMap(({ start }) => (start === null ? [] : (rateOf(samplesOf(start)) ?? [])))[0] ?? usualRate;

const frameAt = (code: string, rate: Rate): number => framesIn(samplesOf(code), rate) ?? 0;

/** Annotations with a time, in its order. Each marks at least one picture. */
function markersOf(rows: readonly MarkerRow[], rate: Rate): readonly Marker[] {
  const markers = rows.flatMap((row): Marker[] => {
    if (row.start === null) return [];
    const from = frameAt(row.start, rate);
    return [{ ...row, from, until: Math.max(from + 1, row.end === null ? 0 : frameAt(row.end, rate)) }];
  });
  return markers.toSorted((one, other) => one.from - other.from);
}

/** Content of a list of markers in any form. */
interface MarkerSheet {
  readonly title: string;
  readonly rate: Rate;
  readonly rows: readonly MarkerRow[];
}

export interface MarkerForm {
  readonly type: string;
  readonly ending: string;
  /** Markers that editing programs read. */
  readonly most: number;
  /** Texts in order. */
  texts(sheet: MarkerSheet): Iterable<string>;
}

const longestLine = 1_000;
const line = (text: string | null): string => oneLine((text ?? '').slice(0, longestLine).toWellFormed());

const heads = ['id', 'parent', 'timecode in', 'timecode out', 'start', 'end', 'state', 'user', 'assigned to'];

/** A cell that a program for sheets would take for a formula begins with an apostrophe. */
function cell(value: string | null): string {
  const text = value ?? '';
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const row = (cells: readonly (string | null)[]): string => `${cells.map(cell).join(',')}\r\n`;

function* csv({ rate, rows }: MarkerSheet): Generator<string> {
  yield row([...heads, 'rectangle', 'version', 'created', 'text']);
  for (const each of rows) {
    const [marker] = markersOf([each], rate);
    yield row([
      each.id,
      each.parent,
      marker ? timeCodeText(marker.from, rate) : null,
      marker ? timeCodeText(marker.until, rate) : null,
      each.start,
      each.end,
      each.state,
      each.user,
      each.assignee,
      each.rectangle,
      each.essenceVersion === null ? null : String(each.essenceVersion),
      new Date(each.createdAt).toISOString(),
      each.text,
    ]);
  }
}

/** An event for each marker, with the comments by which editing programs know it as one. */
function* events({ title, rate, rows }: MarkerSheet): Generator<string> {
  const markers = markersOf(rows, rate);
  const clips = markers.map(({ id, from, until }) => ({
    item: id,
    sourceTrack: 1,
    start: from,
    end: until,
    from,
    to: until,
  }));
  const sources = markers.map(({ id, from, until, user, text }) => {
    const words = line(`${user}: ${text ?? ''}`);
    const bar = ` |C:ResolveColorBlue |M:${words.replaceAll('|', '/')} |D:${until - from}`;
    return [
      id,
      { name: words, path: undefined, comment: `LOC: ${timeCodeText(from, rate)} BLUE    ${words}\r\n${bar}` },
    ] as const;
  });
  const cuts = { rate, tracks: [{ audio: false, clips }] };
  yield edl.write([{ id: title, name: title, cuts, sources: new Map(sources) }]);
}

/** Seconds as a fraction of the rate, as Final Cut Pro counts. */
const rational = (frames: number, { frames: per, ntsc }: Rate): string =>
  ntsc ? `${frames * 1001}/${per * 1000}s` : `${frames}/${per}s`;

function* finalCut({ title, rate, rows }: MarkerSheet): Generator<string> {
  const markers = markersOf(rows, rate);
  const length = rational(Math.max(1, ...markers.map(({ until }) => until)), rate);
  const name = escapeAttribute(title);
  const xmlLine = (text: string): string => escapeAttribute(line(text));
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE fcpxml>\n<fcpxml version="1.9"><resources><format id="r1" frameDuration="${rational(1, rate)}"/></resources>`;
  yield `<library><event name="${name}"><project name="${name}"><sequence format="r1" duration="${length}" tcStart="0s" tcFormat="NDF"><spine><gap name="${name}" offset="0s" start="0s" duration="${length}">`;
  for (const { from, until, state, user, text } of markers) {
    const kind = state === 'done' ? ' completed="1"' : ' completed="0"';
    yield `<marker start="${rational(from, rate)}" duration="${rational(until - from, rate)}" value="${xmlLine(text ?? '')}" note="${xmlLine(user)}"${kind}/>`;
  }
  yield '</gap></spine></sequence></project></event></library></fcpxml>\n';
}

function clock(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000);
  const two = (number: number): string => String(number).padStart(2, '0');
  const whole = Math.floor(milliseconds / 1000);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60].map(two);
  return `${parts.join(':')}.${String(milliseconds % 1000).padStart(3, '0')}`;
}

/** Nothing of the text can begin a cue or a tag. */
const cueText = (text: string): string =>
  xmlCharacters(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .split(/\r\n|\r|\n/)
    .filter((each) => each.trim() !== '')
    .join('\n');

/** Seconds of a time as it is, or of its picture where it has no end. */
function* webVtt({ rate, rows }: MarkerSheet): Generator<string> {
  yield 'WEBVTT\n';
  const secondsOf = (code: string): number => {
    const { numerator, denominator } = instantOf(code)!.fraction!;
    return Number(numerator) / Number(denominator);
  };
  for (const { id, start, end, user, text } of markersOf(rows, rate)) {
    const from = secondsOf(start!);
    const to = Math.max(from + secondsOfFrames(1, rate), end === null ? 0 : secondsOf(end));
    yield `\n${id}\n${clock(from)} --> ${clock(to)}\n${cueText(`${user}: ${text ?? ''}`)}\n`;
  }
}

/** Forms by the words of the parameter. */
export const markerForms = {
  csv: { type: 'text/csv', ending: '.csv', most: 1_000, texts: csv },
  edl: { type: 'text/plain', ending: '.edl', most: 999, texts: events },
  fcpxml: { type: 'application/xml', ending: '.fcpxml', most: 1_000, texts: finalCut },
  vtt: { type: 'text/vtt', ending: '.vtt', most: 1_000, texts: webVtt },
} as const satisfies Readonly<Record<string, MarkerForm>>;

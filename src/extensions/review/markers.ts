import { escapeAttribute, xmlCharacters } from '../../core/documents/escape.ts';
import { csvLine } from '../../core/lib/csv.ts';
import { mediaSeconds, samplesOf } from '../../core/lib/time-code.ts';
import { oneLine } from '../../http/reply.ts';
import {
  edl,
  frameSeenAt,
  otioClip,
  otioMarker,
  otioRange,
  otioTimeline,
  otioTrack,
  otioType,
  type Rate,
  rateOf,
  secondsOfFrames,
  timeCodeText,
} from '../sequences/public.ts';
import type { MarkerRow } from './store.ts';

/** A marked part, in pictures. */
interface Marker extends MarkerRow {
  readonly from: number;
  /** The first picture behind it. */
  readonly until: number;
}

/** Rate of markers whose times have none. */
const defaultRate: Rate = { frames: 25, ntsc: false };

/** Rate of the first time code that counts pictures. */
export const rateOfRows = (rows: readonly MarkerRow[]): Rate =>
  rows.flatMap(({ start }) => (start === null ? [] : (rateOf(samplesOf(start)) ?? [])))[0] ?? defaultRate;

const frameAt = (code: string, rate: Rate): number => frameSeenAt(samplesOf(code), rate) ?? 0;

/** Annotations with a time of media, in its order. Each marks at least one picture. */
function markersOf(rows: readonly MarkerRow[], rate: Rate): readonly Marker[] {
  const markers = rows.flatMap((row): Marker[] => {
    if (row.start === null || mediaSeconds(row.start) === undefined) return [];
    const from = frameAt(row.start, rate);
    const isEnded = row.end !== null && mediaSeconds(row.end) !== undefined;
    return [{ ...row, from, until: Math.max(from + 1, isEnded ? frameAt(row.end!, rate) : 0) }];
  });
  return markers.toSorted((one, other) => one.from - other.from);
}

/** Content of a list of markers in any form. */
interface MarkerSheet {
  /** Id of the item. */
  readonly item: string;
  readonly title: string;
  readonly rate: Rate;
  readonly rows: readonly MarkerRow[];
}

export interface MarkerForm {
  readonly type: string;
  readonly ending: string;
  /** Markers that editing programs read. */
  readonly max: number;
  /** Texts in order. */
  texts(sheet: MarkerSheet): Iterable<string>;
}

const maxLineLength = 1_000;
const line = (text: string | null): string => oneLine((text ?? '').slice(0, maxLineLength).toWellFormed());

/** Names of people. */
const authorOf = ({ realName, user }: MarkerRow): string => realName || user;

const heads = ['id', 'parent', 'timecode in', 'timecode out', 'start', 'end', 'state', 'user', 'assigned to'];

const row = (cells: readonly (string | null)[]): string => csvLine(cells.map((text) => text ?? ''));

type SheetRow = MarkerRow & Partial<Marker>;

/** Replies stand behind their comments, as in a list of comments. */
function inThreads(rows: readonly SheetRow[]): readonly SheetRow[] {
  const threads = new Map(rows.map((comment) => [comment.id, { comment, replies: [] as SheetRow[] }]));
  const comments = rows.filter((each) => {
    const thread = threads.get(each.parent ?? '');
    thread?.replies.push({ ...each, state: thread.comment.state });
    return thread === undefined;
  });
  return comments.flatMap((each) => [each, ...threads.get(each.id)!.replies]);
}

function* csv({ rate, rows }: MarkerSheet): Generator<string> {
  yield row([...heads, 'rectangle', 'version', 'created', 'text']);
  const untimed = rows.filter((each) => markersOf([each], rate).length === 0);
  // Comments on all of the item come first.
  for (const each of inThreads([...untimed, ...markersOf(rows, rate)])) {
    yield row([
      each.id,
      each.parent,
      each.from === undefined ? null : timeCodeText(each.from, rate),
      each.until === undefined ? null : timeCodeText(each.until, rate),
      each.start,
      each.end,
      each.state,
      authorOf(each),
      each.assigneeRealName || each.assignee,
      each.rectangle,
      // People count versions from 1.
      each.essenceVersion === null ? null : String(each.essenceVersion + 1),
      new Date(each.createdAt).toISOString(),
      each.text,
    ]);
  }
}

/**
 * Parts of a single track: events that overlap are refused by editing programs. An event ends where the next begins, and
 * begins at least a picture later than the one before. The comments below it tell the time and length of the mark.
 */
function inOneTrack(markers: readonly Marker[]): readonly { readonly start: number; readonly end: number }[] {
  let free = 0;
  return markers.map(({ from, until }, at) => {
    const start = Math.max(from, free);
    const next = markers[at + 1]?.from ?? until;
    free = Math.max(start + 1, Math.min(until, next));
    return { start, end: free };
  });
}

/** An event for each marker, with the comments by which editing programs know it as one. */
function* events({ item, title, rate, rows }: MarkerSheet): Generator<string> {
  const markers = markersOf(rows, rate);
  const clips = inOneTrack(markers).map(({ start, end }, at) => ({
    item: markers[at]!.id,
    sourceTrack: 1,
    start,
    end,
    from: start,
    to: end,
  }));
  const sources = markers.map((marker) => {
    const { id, from, until, text } = marker;
    const words = line(`${authorOf(marker)}: ${text ?? ''}`);
    const bar = ` |C:ResolveColorBlue |M:${words.replaceAll('|', '/')} |D:${until - from}`;
    return [
      id,
      { item, name: words, path: undefined, comment: `LOC: ${timeCodeText(from, rate)} BLUE    ${words}\r\n${bar}` },
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
  for (const marker of markers) {
    const { from, until, state, text } = marker;
    const kind = state === 'done' ? ' completed="1"' : ' completed="0"';
    yield `<marker start="${rational(from, rate)}" duration="${rational(until - from, rate)}" value="${xmlLine(text ?? '')}" note="${xmlLine(authorOf(marker))}"${kind}/>`;
  }
  yield '</gap></spine></sequence></project></event></library></fcpxml>\n';
}

/** Markers on a clip of the item without media: other programs write those of clips into their own forms. */
function* openTimeline({ title, rate, rows }: MarkerSheet): Generator<string> {
  const markers = markersOf(rows, rate);
  const name = title.toWellFormed();
  const range = otioRange(0, Math.max(1, ...markers.map(({ until }) => until)), rate);
  const clip = otioClip({ name, range, media: { name, range } });
  // No text can hold the place of the markers: JSON escapes its quotes.
  const [head, tail] = JSON.stringify(otioTimeline(name, [otioTrack('V1', 'Video', [clip])])).split('"markers":[]');
  yield `${head}"markers":[`;
  for (const [at, each] of markers.entries()) {
    const { id, parent, from, until, state, user, assignee, rectangle, text } = each;
    const marker = otioMarker({
      name: line(`${authorOf(each)}: ${text ?? ''}`),
      color: state === 'done' ? 'GREEN' : 'RED',
      range: otioRange(from, until, rate),
      comment: (text ?? '').toWellFormed(),
      metadata: { portico: { id, parent, user, state, assignedTo: assignee, rectangle } },
    });
    yield `${at === 0 ? '' : ','}${JSON.stringify(marker)}`;
  }
  yield `]${tail}\n`;
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
  for (const marker of markersOf(rows, rate)) {
    const { id, start, end, text } = marker;
    const from = mediaSeconds(start!)!;
    const to = Math.max(from + secondsOfFrames(1, rate), mediaSeconds(end ?? '') ?? 0);
    yield `\n${id}\n${clock(from)} --> ${clock(to)}\n${cueText(`${authorOf(marker)}: ${text ?? ''}`)}\n`;
  }
}

/** Forms by the words of the parameter. */
export const markerForms = {
  csv: { type: 'text/csv', ending: '.csv', max: 1_000, texts: csv },
  edl: { type: 'text/plain', ending: '.edl', max: 999, texts: events },
  fcpxml: { type: 'application/xml', ending: '.fcpxml', max: 1_000, texts: finalCut },
  otio: { type: otioType, ending: '.otio', max: 1_000, texts: openTimeline },
  vtt: { type: 'text/vtt', ending: '.vtt', max: 1_000, texts: webVtt },
} as const satisfies Readonly<Record<string, MarkerForm>>;

import { compare, type Instant, instantOf, timeBaseOf } from '../../../core/lib/time-code.ts';
import { badParameter, date, flag, list, type QueryOf, text } from '../../../http/parameters/index.ts';

/** Query parameters of a metadata view, shared with routes of items and collections. */
export const metadataView = {
  projection: text('Projection whose outgoing stylesheet transforms the answer, for metadata of one entity', {
    defaultValue: 'default',
  }),
  interval: text(
    'Timespans that overlap an interval such as "10@PAL-20@PAL". "generic": only untimed metadata. "all"',
    { defaultValue: 'all' },
  ),
  starttc: flag('Adds the start time code of the item to all times', false),
  field: list(text('Fields: "a,b:alias" answers these, "-c" all but this one')),
  group: list(text('Groups: "a,b:alias" answers these, "a+" with the groups in it, "-c" all but this one')),
  track: list(text('Tracks such as "A1", "A2-4", "A*", "generic" or "all"')),
  language: list(text('Languages such as "en_US", "*_CA", "none" or "all"')),
  conflict: flag('False: of conflicting values, only the newest', true),
  samplerate: text('The time base of all times in the answer: "PAL", "25", "30000:1001"'),
  sampleRate: text('Alias of "samplerate"'),
  revision: text('Comma-separated ids of change sets: the metadata of that revision'),
  defaultValue: flag('Adds the default values of fields that have no value', false),
  include: list(text('"type" adds the definition of each field. Other words add data of the definition')),
  includeConstraintValue: text('No effect: constraints have no values', {
    defaultValue: 'all',
  }),
  includeTransientMetadata: flag('Adds computed values', true),
  displayName: flag(
    'Adds the name of the entity as the computed field `__name`. To name it in `field` does so, too',
    false,
  ),
  from: date('Only values changed at this time or later'),
  to: date('Only values changed before this time'),
};

/** Query parameter for answers with a short form. */
export const terseView = { terse: flag('The terse form: by field, a list of values with their times', false) };

export type MetadataQuery = QueryOf<typeof metadataView>;

/** Defaults for answers that are pruned by content paths. */
export const unfiltered = {
  field: undefined,
  group: undefined,
  track: undefined,
  language: undefined,
  interval: 'all',
  terse: false,
} as const;

/** Selected names, mapped to their names in the answer. */
interface Selection {
  /** Undefined: all names. */
  readonly only: ReadonlyMap<string, string> | undefined;
  readonly except: ReadonlySet<string>;
  /** Groups that include their nested groups. */
  readonly deep: ReadonlySet<string>;
}

/** Parsed query parameters of a view. */
export interface MetadataView {
  readonly fields: Selection;
  readonly groups: Selection;
  showsSpan(start: Instant, end: Instant, isGeneric: boolean): boolean;
  showsTrack(track: string | undefined): boolean;
  showsLanguage(language: string | undefined): boolean;
  /** Filter by the time of the last change. */
  showsTime(at: number): boolean;
  readonly conflict: boolean;
  readonly timeBase: string | undefined;
  readonly starttc: boolean;
  readonly revision: readonly string[] | undefined;
  readonly defaultValue: boolean;
  readonly include: readonly string[];
  /** Whether computed values are shown that no parameter names. */
  readonly transient: boolean;
  /** Whether the computed values have the name. */
  readonly displayName: boolean;
}

const always = (): boolean => true;

/** Default view: everything. */
export const wholeView: MetadataView = {
  fields: { only: undefined, except: new Set(), deep: new Set() },
  groups: { only: undefined, except: new Set(), deep: new Set() },
  showsSpan: always,
  showsTrack: always,
  showsLanguage: always,
  showsTime: always,
  conflict: true,
  timeBase: undefined,
  starttc: false,
  revision: undefined,
  defaultValue: false,
  include: [],
  transient: true,
  displayName: false,
};

/** View for answers to changes: no computed values. */
export const storedView: MetadataView = { ...wholeView, transient: false };

/** Whether a view shows everything as it is stored, except for fields that it names. */
export const isPlain = (view: MetadataView): boolean =>
  view.groups.only === undefined &&
  view.groups.except.size === 0 &&
  [view.showsSpan, view.showsTrack, view.showsLanguage, view.showsTime].every((filter) => filter === always) &&
  view.conflict &&
  view.timeBase === undefined &&
  !view.starttc &&
  view.revision === undefined &&
  !view.defaultValue &&
  view.include.length === 0;

export function viewOf(query: MetadataQuery): MetadataView {
  const { interval, from, to, include, revision } = query;
  const timeBase = query.samplerate ?? query.sampleRate;
  if (timeBase !== undefined && timeBaseOf(timeBase) === undefined) {
    throw badParameter('samplerate', 'Expected a time base such as PAL, 25 or 30000:1001', timeBase);
  }
  return {
    fields: selectionOf(query.field, false),
    groups: selectionOf(query.group, true),
    showsSpan: spansOf(interval),
    showsTrack: anyOf(query.track, trackPattern),
    showsLanguage: anyOf(query.language, languagePattern),
    showsTime:
      from === undefined && to === undefined
        ? always
        : (at) => (from === undefined || at >= from) && (to === undefined || at < to),
    conflict: query.conflict,
    timeBase,
    starttc: query.starttc,
    revision: revision?.split(',').flatMap((id) => id.trim() || []),
    defaultValue: query.defaultValue,
    include: include ?? [],
    transient: query.includeTransientMetadata,
    displayName: query.displayName,
  };
}

/** Parses names. `isGroup`: a leading minus applies to the whole list, as clients write it. */
function selectionOf(texts: readonly string[] = [], isGroup: boolean): Selection {
  const only = new Map<string, string>();
  const except = new Set<string>();
  const deep = new Set<string>();
  const negative = isGroup && texts[0]?.startsWith('-');
  for (const entry of texts) {
    if (negative || entry.startsWith('-')) {
      except.add(entry.replace(/^-/, ''));
      continue;
    }
    const colon = entry.indexOf(':');
    const [written, alias] = colon < 0 ? [entry, undefined] : [entry.slice(0, colon), entry.slice(colon + 1)];
    const name = isGroup && written.endsWith('+') ? written.slice(0, -1) : written;
    if (name !== written) deep.add(name);
    only.set(name, alias ?? name);
  }
  return { only: only.size > 0 ? only : undefined, except, deep };
}

function spansOf(text: string): MetadataView['showsSpan'] {
  if (text === 'all') return always;
  const wanted = text.split(',').map((part) => (part.trim() === 'generic' ? 'generic' : intervalOf(part.trim())));
  return (start, end, isGeneric) =>
    wanted.some((each) => (each === 'generic' ? isGeneric : overlaps(each, { start, end })));
}

interface Interval {
  readonly start: Instant;
  readonly end: Instant;
}

function intervalOf(text: string): Interval {
  // A minus sign separates the two, and also precedes negative times.
  const match = /^(-INF|-?[^-]+)-(\+INF|-?[^-]+)$/.exec(text.replace(/ INF$/, '+INF'));
  const [start, end] = [instantOf(match?.[1] ?? ''), instantOf(match?.[2] ?? '')];
  if (start !== undefined && end !== undefined && compare(start, end) <= 0) return { start, end };
  throw badParameter('interval', 'Expected a span such as 10@PAL-20@PAL, "generic" or "all"', text);
}

/** Whether two intervals overlap. Ends are exclusive, unless the interval is a single point. */
function overlaps(a: Interval, b: Interval): boolean {
  const isPoint = a.start.key === a.end.key || b.start.key === b.end.key;
  const [first, second] = [compare(a.start, b.end), compare(b.start, a.end)];
  return isPoint ? first <= 0 && second <= 0 : first < 0 && second < 0;
}

type Pattern = (text: string | undefined) => boolean;

function anyOf(texts: readonly string[] | undefined, compile: (text: string) => Pattern): Pattern {
  if (texts === undefined || texts.length === 0 || texts.includes('all')) return always;
  const patterns = texts.map(compile);
  return (text) => patterns.some((fits) => fits(text));
}

function languagePattern(text: string): Pattern {
  if (text === 'none') return (language) => language === undefined;
  const fits = wildcard(text);
  return (language) => language !== undefined && fits(language);
}

function trackPattern(text: string): Pattern {
  if (text === 'generic') return (track) => track === undefined;
  const [, kind = '', first, last] = /^([A-Za-z]+)([1-9]\d{0,8})-([1-9]\d{0,8})$/.exec(text) ?? [];
  if (first !== undefined) {
    return (track) => {
      const number = track?.startsWith(kind) ? Number(track.slice(kind.length)) : Number.NaN;
      return number >= Number(first) && number <= Number(last);
    };
  }
  if (!/^(?:[A-Za-z]+(?:[1-9]\d{0,8}|\*)|\*)$/.test(text)) {
    throw badParameter('track', 'Expected tracks such as "A1", "A2-4", "A*", "generic" or "all"', text);
  }
  const fits = wildcard(text);
  return (track) => track !== undefined && fits(track);
}

/** Matcher for `*` wildcards, piece by piece, so that no pattern takes exponential time. */
function wildcard(pattern: string): (text: string) => boolean {
  const [head = '', ...rest] = pattern.split('*');
  return (text) => {
    if (rest.length === 0) return text === head;
    const tail = rest.at(-1)!;
    if (!text.startsWith(head) || !text.endsWith(tail)) return false;
    let at = head.length;
    for (const piece of rest.slice(0, -1)) {
      const position = text.indexOf(piece, at);
      if (position < 0) return false;
      at = position + piece.length;
    }
    return at + tail.length <= text.length;
  };
}

import type { MetadataDocument, MetadataFieldValueType, MetadataGroupValueType } from 'portico/types';
import { subtitle } from '../components/words.ts';
import type { Marks } from './engine.ts';
import { codeOf, type Rate, secondsOf } from './frames.ts';

/** A timed entry: a group or a field of metadata that counts for a part of the film. */
export interface Span {
  readonly key: string;
  readonly kind: 'group' | 'field';
  readonly name: string;
  readonly uuid: string | undefined;
  /** Seconds. */
  readonly from: number;
  readonly to: number;
  /** Time codes as the API tells them. */
  readonly start: string;
  readonly end: string;
  readonly fields: readonly SpanField[];
}

export interface SpanField {
  readonly name: string;
  readonly values: readonly string[];
  /** Languages of the values, in their order. */
  readonly languages?: readonly (string | undefined)[];
}

/** The name of the group or field, and what its values say. */
export const labelOf = ({ fields, name }: Pick<Span, 'fields' | 'name'>): string =>
  fields
    .flatMap(({ values }) => values)
    .filter(Boolean)
    .join(' · ') || name;

const fieldOf = ({ name = '', value = [] }: MetadataFieldValueType): SpanField => ({
  name,
  values: value.map((each) => each.value ?? ''),
  languages: value.map((each) => each.lang),
});

/** Timed entries of metadata in the order of their times. */
export function spansOf({ timespan = [] }: MetadataDocument): readonly Span[] {
  const spans = timespan.flatMap(({ start = '-INF', end = '+INF', field = [], group = [] }) => {
    const [from, to] = [secondsOf(start, 0), secondsOf(end, 0)];
    if (!Number.isFinite(from) || !Number.isFinite(to)) return [];
    const entry = (kind: Span['kind'], each: MetadataFieldValueType | MetadataGroupValueType): Span => ({
      key: each.uuid ?? `${start} ${end} ${each.name}`,
      kind,
      name: each.name ?? '',
      uuid: each.uuid,
      ...{ from, to, start, end },
      fields: kind === 'group' ? ((each as MetadataGroupValueType).field ?? []).map(fieldOf) : [fieldOf(each)],
    });
    return [...group.map((each) => entry('group', each)), ...field.map((each) => entry('field', each))];
  });
  return spans.toSorted((one, other) => one.from - other.from || one.to - other.to || one.key.localeCompare(other.key));
}

/** The lane of each span: those of one lane never overlap. */
export function lanesOf(spans: readonly Pick<Span, 'from' | 'to'>[]): readonly number[] {
  const ends: number[] = [];
  return spans.map(({ from, to }) => {
    const free = ends.findIndex((end) => end <= from);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = to;
    return lane;
  });
}

/** Where an entry goes, in frames. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/**
 * The place of a new entry: from the in to the out of the player, or else for some frames from the one that is seen. Marks
 * and places have the frame after the last one as their end.
 */
export function placeOfMarks({ from, to }: Marks, seen: number, frames: number, defaultValue: number): Place {
  const begin = from ?? (to !== undefined && to <= seen ? 0 : seen);
  return { from: begin, to: to ?? Math.max(begin + 1, Math.min(frames, begin + defaultValue)) };
}

/** A place that has moved by some frames, within the film. At least one frame is left. */
export function movedPlace({ from, to }: Place, by: number, what: 'all' | 'from' | 'to', last: number): Place {
  if (what === 'from') return { from: Math.min(to - 1, Math.max(0, from + by)), to };
  if (what === 'to') return { from, to: Math.max(from + 1, Math.min(last, to + by)) };
  const step = Math.max(-from, Math.min(by, last - to));
  return { from: from + step, to: to + step };
}

const content = ({ kind, name }: Pick<Span, 'kind' | 'name'>, fields: readonly SpanField[]) => {
  const field = fields.map(({ name, values, languages }) => ({
    name,
    value: values.map((value, at) => ({ value, ...(languages?.[at] !== undefined && { lang: languages[at] }) })),
  }));
  return kind === 'group' ? { group: [{ name, field }] } : { field };
};

const without = ({ kind, name, uuid, start, end }: Span) => {
  const removalMark = { name, ...(uuid !== undefined && { uuid }), mode: 'remove' };
  return { start, end, ...(kind === 'group' ? { group: [removalMark] } : { field: [{ ...removalMark, value: [] }] }) };
};

/** Metadata that makes an entry. */
export const additionOf = (
  what: Pick<Span, 'kind' | 'name'>,
  fields: readonly SpanField[],
  { from, to }: Place,
  rate: Rate,
): MetadataDocument => ({
  timespan: [{ start: codeOf(from, rate), end: codeOf(to, rate), ...content(what, fields) }],
});

/** Metadata that takes an entry away. */
export const removalOf = (span: Span): MetadataDocument => ({ timespan: [without(span)] });

/** Metadata that gives an entry another place or other values, in one change set. */
export const replacementOf = (
  span: Span,
  fields: readonly SpanField[],
  place: Place,
  rate: Rate,
): MetadataDocument => ({
  timespan: [without(span), ...additionOf(span, fields, place, rate).timespan!],
});

const clock = (seconds: number): string => {
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}:${s.toFixed(3).padStart(6, '0')}`;
};

/** Captions of one language as WebVTT. */
export interface Captions {
  /** Tag of the language. `und`: the values name none, or no tag of a language. */
  readonly language: string;
  readonly vtt: string;
}

const unnamed = 'und';
const languageForm = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,3}$/;

function tagOf(language = ''): string {
  const tag = language.replaceAll('_', '-');
  return languageForm.test(tag) ? tag : unnamed;
}

/** Captions by their languages, which players and readers of the screen go by. */
export function captionsOf(spans: readonly Span[]): readonly Captions[] {
  const cues = new Map<string, string[]>();
  for (const { from, to, fields } of spans) {
    for (const { name, values, languages } of fields) {
      if (name !== subtitle) continue;
      const texts = new Map<string, string[]>();
      for (const [at, value] of values.entries()) {
        const language = tagOf(languages?.[at]);
        texts.set(language, [...(texts.get(language) ?? []), escapeText(value)]);
      }
      for (const [language, lines] of texts) {
        const cue = `${clock(from)} --> ${clock(to)}\n${lines.join('\n')}`;
        cues.set(language, [...(cues.get(language) ?? []), cue]);
      }
    }
  }
  return [...cues].map(([language, all]) => ({ language, vtt: `WEBVTT\n\n${all.join('\n\n')}\n` }));
}

const escapeText = (text: string): string =>
  text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/\n{2,}/g, '\n');

import { badValue } from '../../core/documents/error.ts';
import { readPlainJson } from '../../core/documents/index.ts';
import { isRecord } from '../../core/lib/checks.ts';
import { instantOf, secondsText } from '../../core/lib/time-code.ts';
import { checkDrawing, noRegion, type Region } from './region.ts';
import type { AnnotationRow } from './store.ts';

/** Annotations as JSON-LD, by the Web Annotation Data Model. */

export const context = 'http://www.w3.org/ns/anno.jsonld';
const fragments = 'http://www.w3.org/TR/media-frags/';

/** Form that callers accept, and the type of answers in it. */
export const jsonLd = 'application/ld+json';
export const webAnnotationType = `${jsonLd}; profile="${context}"`;

/** Bytes of a Web Annotation. */
export const mostBytes = 32_768;
/** Bounds of an annotation, and of a page: two hundred values for each of its annotations. */
const limits = { depth: 20, values: 20_000 };

export type Members = Readonly<Record<string, unknown>>;

/** Content of an annotation, whichever form it came in. */
export interface Content extends Region {
  readonly text: string | null;
  readonly parent: string | null;
  /** Members as they were sent, as JSON. Null: the content says all. */
  readonly members: string | null;
}

const refused = (place: string, expected: string, value?: unknown) =>
  badValue(place, expected, value === undefined || typeof value === 'string' ? value : JSON.stringify(value));

/** Addresses of annotations of one item begin with this. */
export interface Place {
  /** Address of the item. */
  readonly item: string;
}

export const addressOf = ({ item }: Place, id: string): string => `${item}/annotation/${id}`;

/** Members that the service says itself, whatever a caller sends: nobody writes in the name of another. */
const own = ['@context', 'id', 'type', 'creator', 'created', 'modified'];

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

export function membersIn(json: string): Members {
  const what = 'a Web Annotation in JSON';
  const value = readPlainJson(json, limits, what, badValue);
  if (isRecord(value)) return value;
  throw refused('body', what, json);
}

/** Content of a Web Annotation. Members without a meaning here are kept as they are. */
export function contentOf(value: Members, place: Place, at = 'body'): Content {
  if (!listOf(value['@context']).includes(context)) throw refused('@context', context, value['@context']);
  if (!listOf(value['type']).includes('Annotation')) throw refused('type', 'Annotation', value['type']);
  if (value['target'] === undefined) throw refused('target', 'what the annotation is about');
  checkMembers(value, at);
  const targets = listOf(value['target']);
  const parent = targets.flatMap((target) => parentIn(target, place) ?? [])[0] ?? null;
  const about = targets.find((target) => parentIn(target, place) === undefined);
  return {
    ...(about === undefined ? noRegion : regionOf(about)),
    text: textIn(value),
    parent,
    members: JSON.stringify(kept(value, place)),
  };
}

/** Throws if there is too much, or any drawing is more than shapes. */
export function checkMembers(value: Members, place: string): void {
  const size = JSON.stringify(value).length;
  if (size > mostBytes) throw refused(place, `at most ${mostBytes} bytes`, String(size));
  const parts: unknown[] = [value];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (typeof part !== 'object' || part === null) continue;
    if (isRecord(part) && listOf(part['type']).includes('SvgSelector') && part['value'] !== undefined)
      checkDrawing(typeof part['value'] === 'string' ? part['value'] : '', 'target/selector/value');
    parts.push(...Object.values(part));
  }
}

/** The id of another place goes into `via`, as the protocol of Web Annotations says. */
function kept(value: Members, place: Place): Members {
  const { id, via } = value;
  const isForeign = typeof id === 'string' && !id.startsWith(addressOf(place, ''));
  const others = Object.entries(value).filter(([name]) => name === '@context' || !own.includes(name));
  return { ...(isForeign && via === undefined && { via: id }), ...Object.fromEntries(others) };
}

/** Text of the first body that has one, and no tag if another has. */
function textIn({ body, bodyValue }: Members): string | null {
  if (typeof bodyValue === 'string') return bodyValue;
  const texts = listOf(body).filter((each) => isRecord(each) && typeof each['value'] === 'string') as Members[];
  const text = texts.find(({ purpose }) => purpose !== 'tagging') ?? texts[0];
  return text === undefined ? null : String(text['value']);
}

/** A target with other addresses of what it is about. */
export function renamed(target: unknown, rename: (address: string) => string): unknown {
  if (typeof target === 'string') return rename(target);
  if (Array.isArray(target)) return target.map((each) => renamed(each, rename));
  if (!isRecord(target)) return target;
  const addresses = (['id', 'source'] as const).filter((name) => typeof target[name] === 'string');
  return { ...target, ...Object.fromEntries(addresses.map((name) => [name, rename(String(target[name]))])) };
}

/** Address of a target without its selectors. */
const sourceOf = (target: unknown): string | undefined => {
  const source = isRecord(target) ? (target['source'] ?? target['id']) : target;
  return typeof source === 'string' ? source : isRecord(source) ? sourceOf(source) : undefined;
};

function parentIn(target: unknown, place: Place): string | undefined {
  const [source = ''] = (sourceOf(target) ?? '').split('#');
  const beginning = addressOf(place, '');
  return source.startsWith(beginning) ? source.slice(beginning.length) : undefined;
}

/** Part of the media by the fragment of an address, and by selectors and what refines them. */
function regionOf(target: unknown): Region {
  const region: { -readonly [K in keyof Region]: Region[K] } = { ...noRegion };
  const [, fragment = ''] = (sourceOf(target) ?? '').split('#');
  readFragment(fragment, region);
  // Grows while it is walked, by what refines its selectors.
  const selectors = isRecord(target) ? [...listOf(target['selector'])] : [];
  for (const selector of selectors) {
    if (!isRecord(selector)) continue;
    const { type, value, refinedBy } = selector;
    if (typeof value === 'string') {
      if (listOf(type).includes('FragmentSelector')) readFragment(value, region);
      if (listOf(type).includes('SvgSelector')) region.drawing ??= value;
    }
    selectors.push(...listOf(refinedBy));
  }
  return region;
}

/** Reads a media fragment. Dimensions that it cannot read are left out, as its recommendation says. */
function readFragment(fragment: string, region: { -readonly [K in keyof Region]: Region[K] }): void {
  for (const pair of fragment.replace(/^#/, '').split('&')) {
    const [name, value = ''] = pair.split('=');
    if (name === 't') Object.assign(region, timesOf(value));
    if (name === 'xywh') region.rectangle = rectangleOf(value) ?? region.rectangle;
  }
}

const rectangleForm = /^(?:(percent|pixel):)?(\d{1,6}(?:\.\d{1,6})?(?:,\d{1,6}(?:\.\d{1,6})?){3})$/;

function rectangleOf(value: string): string | undefined {
  const [, unit = 'pixel', numbers] = rectangleForm.exec(value) ?? [];
  return numbers === undefined ? undefined : `${unit}:${numbers}`;
}

/** Time bases of frames in media fragments. */
const bases: ReadonlyMap<string, number> = new Map([
  ['smpte', 30],
  ['smpte-25', 25],
  ['smpte-30', 30],
]);

function timesOf(value: string): Pick<Region, 'start' | 'end'> | undefined {
  const [, format = 'npt', from = '', to] = /^(?:([a-z][\w-]*):)?([\d:.]*)(?:,([\d:.]*))?$/.exec(value) ?? [];
  const frames = bases.get(format);
  if (format !== 'npt' && frames === undefined) return undefined;
  const [start, end] = [from === '' ? '0' : from, to].map((time) => (time ? secondsOf(time, frames) : null));
  if (start === undefined || end === undefined || (from === '' && !to)) return undefined;
  return { start, end };
}

/** A time such as `10.5`, `1:10.5`, `0:01:10`, or with frames behind the seconds. */
function secondsOf(time: string, frames: number | undefined): string | undefined {
  const parts = time.split(':');
  const count = frames === undefined ? 0 : parts.length === 4 ? Number.parseInt(parts.pop()!, 10) : 0;
  if (parts.length > 3 || !parts.every((part, at) => /^\d{1,6}(?:\.\d{0,9})?$/.test(part) && isWhole(part, at, parts)))
    return undefined;
  const last = parts.at(-1)!;
  const before = parts.slice(0, -1).reduce((sum, part) => (sum + Number(part)) * 60, 0);
  if (frames !== undefined) return `${(before + Number(last)) * frames + count}@${frames === 25 ? 'PAL' : frames}`;
  const [seconds, decimals = ''] = last.split('.');
  return `${before + Number(seconds)}${decimals === '' ? '' : `.${decimals}`}`;
}

const isWhole = (part: string, at: number, parts: readonly string[]): boolean =>
  at === parts.length - 1 || !part.includes('.');

/** A row as a Web Annotation, without its context where a list has it. */
export function webAnnotationOf(row: AnnotationRow, place: Place): Members {
  const { '@context': sentContext = context, ...members } = (
    row.members === null ? generated(row, place) : JSON.parse(row.members)
  ) as Members;
  return {
    '@context': sentContext,
    id: addressOf(place, row.id),
    type: 'Annotation',
    ...members,
    creator: { type: 'Person', nickname: row.user },
    created: new Date(row.createdAt).toISOString(),
    modified: new Date(row.changedAt).toISOString(),
  };
}

/** Members behind which the columns stand. A change of those makes these anew, and keeps all others. */
export function membersWithoutContent(members: string | null, row: AnnotationRow, place: Place): string | null {
  if (members === null) return null;
  const { body, bodyValue, target, motivation, ...others } = JSON.parse(members) as Members;
  return JSON.stringify({ ...others, ...generated(row, place) });
}

function generated(row: AnnotationRow, place: Place): Members {
  const { text, parent } = row;
  const selector = selectorOf(row);
  const about = selector === undefined ? place.item : { source: place.item, selector };
  const reply = parent === null ? undefined : addressOf(place, parent);
  return {
    motivation: reply === undefined ? 'commenting' : 'replying',
    ...(text !== null && { body: { type: 'TextualBody', value: text, format: 'text/plain' } }),
    target: reply === undefined ? about : selector === undefined ? reply : [reply, about],
  };
}

function selectorOf({ start, end, rectangle, drawing }: Region): Members | undefined {
  const seconds = (code: string): string => secondsText(instantOf(code)!);
  const parts = [
    ...(start === null ? [] : [`t=${[start, ...(end === null ? [] : [end])].map(seconds).join(',')}`]),
    ...(rectangle === null ? [] : [`xywh=${rectangle}`]),
  ];
  const svg = drawing === null ? undefined : { type: 'SvgSelector', value: drawing };
  if (parts.length === 0) return svg;
  const fragment = { type: 'FragmentSelector', conformsTo: fragments, value: parts.join('&') };
  return svg ? { ...fragment, refinedBy: svg } : fragment;
}

/** Texts of a page of annotations of an item, in steps by their lengths. */
export function* pageTexts(
  rows: readonly AnnotationRow[],
  place: Place,
  page: {
    readonly address: string;
    readonly next: string | undefined;
    readonly offset: number;
    readonly hits: number;
    /** Whether the page has what an import reads beside the members of the standard. */
    readonly isComplete: boolean;
  },
): Generator<number, readonly string[]> {
  const head = JSON.stringify({
    '@context': context,
    id: page.address,
    type: 'AnnotationPage',
    partOf: { id: addressOf(place, '').slice(0, -1), type: 'AnnotationCollection', total: page.hits },
    startIndex: page.offset,
    ...(page.next !== undefined && { next: page.next }),
  });
  const texts = [`${head.slice(0, -1)},"items":[`];
  for (const row of rows) {
    const { state, assignee, essenceVersion } = row;
    const more = {
      state,
      ...(assignee !== null && { assignedTo: assignee }),
      ...(essenceVersion !== null && { version: essenceVersion }),
    };
    const text = JSON.stringify({ ...webAnnotationOf(row, place), ...(page.isComplete && more) });
    texts.push(texts.length === 1 ? text : `,${text}`);
    yield text.length;
  }
  return [...texts, ']}'];
}

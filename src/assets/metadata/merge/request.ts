import { compare, instantOf } from '../../../core/lib/time-code.ts';
import { runAtOnce } from '../../../core/lib/turn.ts';
import type { MetadataDocumentValue, MetadataField, MetadataGroup, MetadataTimespan } from '../documents.ts';
import { badMetadata, tooManyValues } from './refusals.ts';
import type { ReshapeStep } from './reshape.ts';
import { maxValues, spanKey } from './state.ts';
import { sizeOfSpan } from './stored.ts';
import { maxOrdinals } from './uuid.ts';

/**
 * Content of a change set, as stored in the log. Ordinals number the elements of the document, so that new instances
 * get the same uuids in each replay.
 */

type MergeMode = 'add' | 'remove';

interface Element {
  /** Ordinal in the document. */
  readonly n: number;
  /** Uuid of the instance to change, in any position. */
  readonly uuid?: string | undefined;
  readonly mode?: MergeMode | undefined;
  /** Key of the matched instance at the time of writing. Undefined: a new instance, or no match. */
  readonly at?: string | undefined;
}

export interface ValueRequest extends Element {
  readonly text: string;
  readonly language?: string | undefined;
}

export interface FieldRequest extends Element {
  /** Undefined only if a uuid is given. */
  readonly name?: string | undefined;
  readonly track?: string | undefined;
  readonly reference?: string | undefined;
  readonly values: readonly ValueRequest[];
}

export interface GroupRequest extends Element {
  readonly name?: string | undefined;
  readonly reference?: string | undefined;
  readonly fields: readonly FieldRequest[];
  readonly groups: readonly GroupRequest[];
}

export interface SpanRequest {
  readonly start: string;
  readonly end: string;
  /** True: the timespan of the document was empty, so its content is removed. */
  readonly clear?: true | undefined;
  readonly fields: readonly FieldRequest[];
  readonly groups: readonly GroupRequest[];
}

/** Moves a first-level field or group to another timespan. */
export interface MoveRequest {
  readonly uuid: string;
  readonly start: string;
  readonly end: string;
}

export interface MetadataRequest {
  /** True: set by the service itself, which may change fields that callers cannot. */
  readonly system?: true | undefined;
  /** Main groups. Empty: cleared. */
  readonly main?: readonly string[] | undefined;
  /** Template of the metadata. An empty text removes it. */
  readonly template?: string | undefined;
  /** Change sets that the writer has seen. */
  readonly revision?: readonly string[] | undefined;
  readonly spans: readonly SpanRequest[];
  readonly moves?: readonly MoveRequest[] | undefined;
  /** Steps of a schema migration, applied after all other parts. */
  readonly reshape?: readonly ReshapeStep[] | undefined;
}

/** Whether the request is empty. */
export const asksNothing = ({ main, template, spans, moves = [], reshape = [] }: MetadataRequest): boolean =>
  main === undefined && template === undefined && spans.length === 0 && moves.length === 0 && reshape.length === 0;

interface RequestOptions {
  /** True: a change set of the service itself. */
  readonly system?: boolean | undefined;
  /** Whether a field is skipped, since callers send it back unchanged. */
  isIgnored(name: string): boolean;
}

/** Parses a document into a request. Throws if no state could accept it. */
export const metadataRequestOf = (document: MetadataDocumentValue, options: RequestOptions): MetadataRequest =>
  runAtOnce(metadataRequestInSteps(document, options));

/** Parses a document that may be long, span by span. Steps of `runInSlices`. */
export function* metadataRequestInSteps(
  document: MetadataDocumentValue,
  options: RequestOptions,
  revision = document.revision,
): Generator<number, MetadataRequest> {
  const reader = new DocumentReader(options);
  const { group, template, timespan = [] } = document;
  const revisions = revision?.split(',').flatMap((id) => id.trim() || []) ?? [];
  return {
    spans: yield* spansOf(reader, timespan),
    ...(options.system && { system: true }),
    ...(group && group.length > 0 && { main: group.map((name) => name.trim()).filter((name) => name !== '') }),
    ...(template !== undefined && { template: storable(template, 'template') }),
    ...(revisions.length > 0 && { revision: revisions }),
  };
}

/** A timespan whose content grows with further ones of the same instants. */
interface SpanParts extends SpanRequest {
  readonly fields: FieldRequest[];
  readonly groups: GroupRequest[];
}

/** Merges timespans with equal instants. */
function* spansOf(
  reader: DocumentReader,
  timespans: readonly MetadataTimespan[],
): Generator<number, readonly SpanRequest[]> {
  const merged: SpanParts[] = [];
  const places = new Map<string, SpanParts>();
  for (const timespan of timespans) {
    const span = reader.span(timespan);
    yield sizeOfSpan * (1 + span.fields.length + span.groups.length);
    const key = spanKey(instantOf(span.start)!, instantOf(span.end)!);
    const before = places.get(key);
    if (before === undefined || before.clear || span.clear) {
      merged.push(span);
      places.set(key, span);
    } else {
      for (const field of span.fields) before.fields.push(field);
      for (const group of span.groups) before.groups.push(group);
    }
  }
  return merged.filter(({ clear, fields, groups }) => clear || fields.length + groups.length > 0);
}

export function spanTexts(start = '-INF', end = '+INF'): { readonly start: string; readonly end: string } {
  const [from, to] = [start, end].map((text) => text.trim());
  const [first, last] = [timeOf('start', from!), timeOf('end', to!)];
  if (compare(first, last) > 0) throw badMetadata('timespan', `an end that is no earlier than ${from}`, to);
  return { start: from!, end: to! };
}

function timeOf(name: string, text: string) {
  const instant = instantOf(text);
  if (instant) return instant;
  throw badMetadata(name, 'a time code such as 250@PAL, 3.5, -INF or +INF', text);
}

class DocumentReader {
  readonly #options: RequestOptions;
  #ordinal = 0;
  #values = 0;

  constructor(options: RequestOptions) {
    this.#options = options;
  }

  span({ start, end, field = [], group = [] }: MetadataTimespan): SpanParts {
    const isEmpty = field.length + group.length === 0;
    const times = spanTexts(start, end);
    const [fields, groups] = [this.fields(field), this.groups(group)];
    return { start: times.start, end: times.end, clear: isEmpty || undefined, fields, groups };
  }

  fields(fields: readonly MetadataField[]): FieldRequest[] {
    return fields.flatMap((field) => {
      // Skipped elements use up their ordinal, too: it is the position in the document.
      const n = this.#next();
      const isIgnored = isAsRead(field) || this.#options.isIgnored(field.name ?? '');
      return isIgnored ? [] : [this.#field(field, n)];
    });
  }

  #field(field: MetadataField, n: number): FieldRequest {
    const { name, track, reference, value = [] } = field;
    this.#values += value.length;
    if (this.#values > maxValues) throw tooManyValues(maxValues, name);
    const values = value.map((each): ValueRequest => {
      const { lang, value: text = '' } = each;
      if (lang !== undefined && !language.test(lang)) throw badMetadata(name, 'a language tag such as en_US', lang);
      const storableText = storable(text, name);
      const { uuid, mode } = addressOf(each, name);
      return { n: this.#next(), uuid, mode, at: undefined, text: storableText, language: lang };
    });
    const { uuid, mode } = addressOf(field, name);
    const isAddressed = uuid !== undefined || values.some(({ uuid }) => uuid !== undefined);
    if (name === undefined && !isAddressed) throw badMetadata('name', 'a field with a name or a uuid');
    if (track !== undefined && !trackName.test(track)) throw badMetadata(name, 'a track such as A1', track);
    return {
      n,
      uuid,
      mode,
      at: undefined,
      name: named(name),
      track: track || undefined,
      reference: referenceOf(reference, name, values),
      values,
    };
  }

  groups(groups: readonly MetadataGroup[]): GroupRequest[] {
    return groups.flatMap((group) => {
      const n = this.#next();
      if (isAsRead(group)) return [];
      const { name, reference, field = [], group: inner = [] } = group;
      const { uuid, mode } = addressOf(group, name);
      if (name === undefined && uuid === undefined) {
        throw badMetadata('name', 'a group with a name or a uuid');
      }
      const [fields, groups] = [this.fields(field), this.groups(inner)];
      const refers = referenceOf(reference, name, [...field, ...inner]);
      return [{ n, uuid, mode, at: undefined, name: named(name), reference: refers, fields, groups }];
    });
  }

  #next(): number {
    if (this.#ordinal === maxOrdinals) throw badMetadata(undefined, `at most ${maxOrdinals} entries in a document`);
    return this.#ordinal++;
  }
}

/** Whether an element is a value of another entity that the caller sends back. */
const isAsRead = ({ inheritance, referenced, reference }: MetadataGroup): boolean =>
  inheritance !== undefined || (referenced !== undefined && reference === undefined);

const language = /^[A-Za-z]{1,8}(?:[-_][A-Za-z0-9]{1,8}){0,8}$/;
const trackName = /^[A-Za-z]+[1-9][0-9]*$/;
const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const named = (name: string | undefined) => (name === undefined ? undefined : storable(name, 'name'));

interface Address {
  readonly uuid: string | undefined;
  readonly mode: MergeMode | undefined;
}

/** Parses uuid and mode. Clients send an empty mode for none. */
function addressOf(given: { readonly uuid?: unknown; readonly mode?: unknown }, name: string | undefined): Address {
  const { uuid, mode } = given as { readonly uuid?: string; readonly mode?: string };
  if (mode && mode !== 'add' && mode !== 'remove') throw badMetadata(name, 'the mode "add" or "remove"', mode);
  return { uuid: uuid ? uuidIn(uuid, name) : undefined, mode: (mode as MergeMode) || undefined };
}

export function uuidIn(text: string, name: string | undefined): string {
  const uuid = text.trim().toLowerCase();
  if (uuidForm.test(uuid)) return uuid;
  throw badMetadata(name, 'a uuid', text);
}

function referenceOf(
  reference: string | undefined,
  name: string | undefined,
  content: readonly unknown[],
): string | undefined {
  if (reference === undefined) return undefined;
  if (content.length > 0) throw badMetadata(name, 'either a reference or a content', reference);
  return uuidIn(reference, name);
}

/** Refuses characters that some response formats cannot carry. */
function storable(text: string, name: string | undefined): string {
  if (text.includes('\0')) throw badMetadata(name, 'a text without a NUL character', text.replaceAll('\0', '\uFFFD'));
  if (text.isWellFormed()) return text;
  throw badMetadata(name, 'a text without half a surrogate pair');
}

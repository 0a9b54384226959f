import { instantOf } from '../../../core/lib/time-code.ts';
import { type AppliedField, changed, idle } from './fields.ts';
import { applyContents } from './groups.ts';
import { type MergeOptions, MetadataMerge } from './merging.ts';
import { badMetadata, noSuchMetadataEntry } from './refusals.ts';
import { asksNothing, type MetadataRequest, type MoveRequest, type SpanRequest } from './request.ts';
import { reshape } from './reshape.ts';
import {
  type Contents,
  copyState,
  emptyContents,
  fieldKey,
  isEmpty,
  type MetadataState,
  type Span,
  spanKey,
} from './state.ts';
import { sizeOfSpan } from './stored.ts';

/** Moves a first-level field or group to another timespan. False: not moved. */
function applyMove(merging: MetadataMerge, request: MoveRequest): boolean {
  const { uuid } = request;
  const match = merging.addresses.fieldWith(uuid) ?? merging.addresses.groupWith(uuid);
  if (match === undefined) {
    if (!merging.strict) return false;
    throw merging.addresses.valueWith(uuid) ? notMovable(uuid) : noSuchMetadataEntry(uuid);
  }
  const { state, strict, change } = merging;
  if (state.spans.get(match.spanKey)?.contents !== match.contents) {
    if (strict) throw notMovable(uuid);
    return false;
  }
  if ('field' in match && merging.isKept(match.field.name)) {
    if (strict) throw badMetadata(match.field.name, 'a field that callers may change', match.field.name);
    return false;
  }
  merging.meet('field' in match ? match.field : match.group);
  const key = spanKey(instantOf(request.start)!, instantOf(request.end)!);
  if (key === match.spanKey) return false;
  const to = state.spans.get(key) ?? { start: request.start, end: request.end, contents: emptyContents() };
  if ('group' in match) {
    match.contents.groups = match.contents.groups.filter((each) => each !== match.group);
    to.contents.groups = [...to.contents.groups, { ...match.group, changed: change }];
  } else {
    if (isTaken(to.contents, match.fieldKey)) {
      if (strict) throw badMetadata(match.field.name, 'a timespan without this field', match.field.name);
      return false;
    }
    match.contents.fields.delete(match.fieldKey);
    to.contents.fields.set(fieldKey(match.field.name, match.field.track), { ...match.field, changed: change });
  }
  state.spans.set(key, to);
  return true;
}

const isTaken = ({ fields }: Contents, key: string): boolean => fields.has(key);

const notMovable = (uuid: string) => badMetadata(uuid, 'the uuid of a field or group of the first level', uuid);

export interface Merged {
  readonly state: MetadataState;
  /** The request with uuids of matching instances, as the log stores it. */
  readonly request: MetadataRequest;
  /** The request without fields and groups that changed nothing. */
  readonly trimmed: MetadataRequest;
  readonly changed: boolean;
  /** Keys of all instances that the request addresses. */
  readonly touched: ReadonlySet<string>;
}

/** Merges a change set into a copy of the state. Steps of `runInSlices`. */
export function* merge(
  state: MetadataState,
  request: MetadataRequest,
  options: MergeOptions,
): Generator<number, Merged> {
  const copy = copyState(state);
  if (copy.spans.size > 1) yield copy.spans.size * sizeOfSpan;
  return yield* mergeInto(copy, request, options);
}

/** Merges a change set into the given state, in place. Steps of `runInSlices`. */
export function* mergeInto(
  state: MetadataState,
  request: MetadataRequest,
  options: MergeOptions,
): Generator<number, Merged> {
  const merging = new MetadataMerge(state, options, request.revision);
  const main = mainAfter(merging, request);
  const template = templateAfter(merging, request);
  const spans: ReturnType<typeof applySpan>[] = [];
  for (const span of request.spans) {
    spans.push(applySpan(merging, span));
    yield sizeOfSpan * (1 + span.fields.length + span.groups.length);
  }
  const moves = (request.moves ?? []).filter((move) => applyMove(merging, move));
  // Timespans outside the request can change only by uuid.
  for (const key of merging.addresses.isUsed ? state.spans.keys() : request.spans.map(keyOfRequest)) {
    const span = state.spans.get(key);
    if (span && isEmpty(span.contents)) state.spans.delete(key);
  }
  const isMainChanged = main !== state.main;
  const reshaped = request.reshape && reshape(merging, { main, template, spans: state.spans }, request.reshape);
  const trimmed: MetadataRequest = {
    spans: spans.flatMap(({ trimmed: span }) => span ?? []),
    ...(request.system && { system: true as const }),
    ...(isMainChanged && { main: request.main }),
    ...(template !== state.template && { template: request.template }),
    ...(request.revision && { revision: request.revision }),
    ...(moves.length > 0 && { moves }),
    ...(reshaped && { reshape: request.reshape }),
  };
  return {
    state: reshaped ?? { main, template, spans: state.spans },
    request: { ...request, spans: spans.map((span) => span.request) },
    trimmed,
    changed: !asksNothing(trimmed),
    touched: merging.touched,
  };
}

function mainAfter({ state, change }: MetadataMerge, { main: names }: MetadataRequest): MetadataState['main'] {
  const { main } = state;
  if (names === undefined || (names.length === 0 && main === undefined)) return main;
  const isSame = main?.names.length === names.length && names.every((name, index) => name === main.names[index]);
  if (isSame) return main;
  return names.length === 0 ? undefined : { names, changed: change };
}

function templateAfter(
  { state, change }: MetadataMerge,
  { template: text }: MetadataRequest,
): MetadataState['template'] {
  const { template } = state;
  if (text === undefined || text === (template?.text ?? '')) return template;
  return text === '' ? undefined : { text, changed: change };
}

const keyOfRequest = ({ start, end }: SpanRequest): string => spanKey(instantOf(start)!, instantOf(end)!);

function applySpan(merging: MetadataMerge, request: SpanRequest): AppliedField<SpanRequest> {
  const { spans } = merging.state;
  const key = keyOfRequest(request);
  const spanBefore = spans.get(key);
  if (request.clear) return spanBefore === undefined ? idle(request) : changed(request, clear(merging, spanBefore));
  const span = spanBefore ?? { start: request.start, end: request.end, contents: emptyContents() };
  spans.set(key, span);
  const applied = applyContents(merging, { contents: span.contents, spanKey: key }, request);
  return {
    request: { ...request, ...applied.request },
    trimmed: applied.trimmed && { ...request, ...applied.trimmed },
  };
}

/** Removes everything that the change set may change. */
function clear(merging: MetadataMerge, { contents }: Span): boolean {
  const size = sizeOf(contents);
  for (const [key, field] of contents.fields) {
    if (merging.isKept(field.name) || merging.protects(field.values)) continue;
    merging.meet(field);
    contents.fields.delete(key);
  }
  for (const group of contents.groups) merging.meet(group);
  contents.groups = [];
  return sizeOf(contents) < size;
}

const sizeOf = ({ fields, groups }: Contents): number => fields.size + groups.length;

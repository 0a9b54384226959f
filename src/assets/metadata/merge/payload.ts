import type { MetadataChange } from '../../../core/events/payloads.ts';
import { bytesOf } from '../../../core/lib/bytes.ts';
import type { FieldRequest, GroupRequest, MetadataRequest, SpanRequest } from './request.ts';
import { requestOfText } from './stored-request.ts';

/**
 * Form of a payload in the log of events, if the change set of the event has its values. `bytes`: those of the payload.
 * `chosen`: places of its changes among those of the change set. Left out: all, in order.
 */
type Reference = readonly [serial: number, bytes: number, chosen?: readonly number[]];

/** Changes as a change set alone tells them: right for values that no earlier ones were merged with. */
function changesOf({ spans }: MetadataRequest): readonly MetadataChange[] {
  const changes: MetadataChange[] = [];
  for (const span of spans) collect(changes, span, span);
  return changes;
}

function collect(
  changes: MetadataChange[],
  span: SpanRequest,
  { fields, groups }: Pick<GroupRequest, 'fields' | 'groups'>,
): void {
  for (const field of fields) collectField(changes, span, field);
  for (const group of groups) collect(changes, span, group);
}

function collectField(
  changes: MetadataChange[],
  { start, end }: SpanRequest,
  { name: field = '', track, reference, values }: FieldRequest,
): void {
  const [first] = values;
  const isPlain = track === undefined && reference === undefined;
  // Most fields: a value of no language.
  if (isPlain && values.length === 1 && first?.language === undefined) {
    changes.push({ field, values: [first!.text], start, end });
    return;
  }
  const texts = new Map<string | undefined, string[]>();
  if (reference !== undefined || first === undefined) texts.set(undefined, reference === undefined ? [] : [reference]);
  else {
    for (const { language, text } of values) {
      const list = texts.get(language);
      if (list) list.push(text);
      else texts.set(language, [text]);
    }
  }
  for (const [language, list] of texts) {
    changes.push({
      field,
      values: list,
      ...(language !== undefined && { language }),
      ...(track !== undefined && { track }),
      start,
      end,
    });
  }
}

const isSame = (one: MetadataChange, other: MetadataChange | undefined): boolean =>
  other !== undefined &&
  one.field === other.field &&
  one.language === other.language &&
  one.track === other.track &&
  one.start === other.start &&
  one.end === other.end &&
  one.values.length === other.values.length &&
  one.values.every((text, index) => text === other.values[index]);

/** The text that stands for a payload. Undefined: the change set does not tell all of its values. */
export function referenceOf(
  serial: number,
  payload: { readonly changes: readonly MetadataChange[] },
  request: MetadataRequest,
): string | undefined {
  const all = changesOf(request);
  const chosen = chosenOf(payload.changes, all);
  if (chosen === undefined) return undefined;
  const bytes = bytesOf(JSON.stringify(payload));
  return JSON.stringify((chosen === 'all' ? [serial, bytes] : [serial, bytes, chosen]) satisfies Reference);
}

function chosenOf(
  changes: readonly MetadataChange[],
  all: readonly MetadataChange[],
): 'all' | readonly number[] | undefined {
  if (changes.length === all.length && changes.every((change, at) => isSame(change, all[at]))) return 'all';
  const places = new Map(all.map((each, at) => [keyOf(each), at]));
  const chosen: number[] = [];
  for (const change of changes) {
    const at = places.get(keyOf(change));
    if (at === undefined || !isSame(change, all[at])) return undefined;
    chosen.push(at);
  }
  return chosen;
}

const keyOf = ({ field, language, track, start, end }: MetadataChange): string =>
  JSON.stringify([field, language, track, start, end]);

/** Row of the log of events, with the change set that its payload refers to: its id and its text. */
interface PayloadRow {
  readonly entityType: string;
  readonly entityId: string;
  readonly payload: string;
  readonly changeSet: string | null;
}

/** The payload as its commit gave it. */
export function payloadOf({ entityType, entityId, payload, changeSet }: PayloadRow): string {
  if (!payload.startsWith('[')) return payload;
  const [, , chosen] = JSON.parse(payload) as Reference;
  const space = changeSet?.indexOf(' ') ?? 0;
  const changeSetId = changeSet?.slice(0, space) ?? '';
  const changes = changeSet === null ? [] : changesOf(requestOfText(changeSet.slice(space + 1)));
  const key = entityType === 'document' ? 'document' : `${entityType}Id`;
  return JSON.stringify({ [key]: entityId, changeSetId, changes: chosen?.map((at) => changes[at]) ?? changes });
}

/** Puts the payloads of a page together. Steps of `runInSlices`. */
export function* withPayloads<R extends PayloadRow>(rows: readonly R[]): Generator<number, Omit<R, 'changeSet'>[]> {
  const whole: Omit<R, 'changeSet'>[] = [];
  for (const row of rows) {
    const payload = payloadOf(row);
    const { changeSet, ...others } = row;
    whole.push(changeSet === null ? others : { ...others, payload });
    yield changeSet?.length ?? 0;
  }
  return whole;
}

import { badValue } from '../../core/documents/error.ts';
import { existing } from '../../core/lib/checks.ts';
import type { MetadataDocumentValue, MetadataEntry, MetadataGroup } from './documents.ts';
import { Addresses } from './merge/addresses.ts';
import { noSuchMetadataEntry } from './merge/refusals.ts';
import { uuidIn } from './merge/request.ts';
import { type MetadataState, spanKeyOf, uuidOfInstance } from './merge/state.ts';

/** An entry that a caller changes by its uuid. */
export interface EntryInput {
  readonly uuid: string;
  readonly entry: MetadataEntry;
}

/** Converts entries to an equivalent metadata document, each entry in its timespan. */
export function documentOfEntries(state: MetadataState, entries: readonly EntryInput[]): MetadataDocumentValue {
  const addresses = new Addresses(state);
  return { timespan: entries.map((each) => timespanOf(state, addresses, each)) };
}

function timespanOf(state: MetadataState, addresses: Addresses, { uuid: text, entry }: EntryInput) {
  const uuid = uuidIn(text, 'uuid');
  const { field, group, value } = entry;
  if ([field, group, value].filter((each) => each !== undefined).length !== 1) {
    throw badValue('/MetadataEntryDocument', 'exactly one of field, group or value');
  }
  const span = (spanKey: string) => {
    const { start, end } = [...state.spans.values()].find((each) => spanKeyOf(each) === spanKey)!;
    return { start, end };
  };
  if (group) {
    const groupMatch = existing(addresses.groupWith(uuid), noSuchMetadataEntry, uuid);
    return { ...span(groupMatch.spanKey), group: [{ ...group, uuid }] };
  }
  if (field) {
    const fieldMatch = existing(addresses.fieldWith(uuid), noSuchMetadataEntry, uuid);
    return { ...span(fieldMatch.spanKey), field: [{ ...field, uuid }] };
  }
  const valueMatch = existing(addresses.valueWith(uuid), noSuchMetadataEntry, uuid);
  return {
    ...span(valueMatch.spanKey),
    field: [{ uuid: uuidOfInstance(valueMatch.field), value: [{ ...value, uuid }] }],
  };
}

/** Metadata document that removes an entry. */
export function entryRemoval(state: MetadataState, uuid: string): MetadataDocumentValue {
  const addresses = new Addresses(state);
  const mode = 'remove';
  const entry: MetadataEntry = addresses.groupWith(uuid)
    ? { group: { mode } }
    : addresses.fieldWith(uuid)
      ? { field: { mode } }
      : { value: { mode } };
  return documentOfEntries(state, [{ uuid, entry }]);
}

/** Finds the group, field or value with this uuid in a document. */
export function entryIn({ timespan = [] }: MetadataDocumentValue, uuid: string): MetadataEntry | undefined {
  for (const span of timespan) {
    const entry = entryAmong(span, uuid);
    if (entry) return entry;
  }
  return undefined;
}

function entryAmong({ field = [], group = [] }: MetadataGroup, uuid: string): MetadataEntry | undefined {
  for (const each of field) {
    if (each.uuid === uuid) return { field: each };
    const value = each.value?.find((one) => one.uuid === uuid);
    if (value) return { value };
  }
  for (const each of group) {
    const entry = each.uuid === uuid ? { group: each } : entryAmong(each, uuid);
    if (entry) return entry;
  }
  return undefined;
}

import { instantOf, textIn } from '../../../core/lib/time-code.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { fieldDocuments, keyFilterOf } from '../../definitions/public.ts';
import { definitionOf, fieldsNamed, loadFields, loadGroups } from '../../definitions/public-reading.ts';
import type { MetadataDocumentValue, MetadataField, MetadataGroup } from '../documents.ts';
import type { MetadataState } from '../merge/state.ts';
import type { MetadataView } from './parameters.ts';

/** Default values of the fields in a view, and of those of the main groups. */
export async function defaultsOf(
  reader: Reader,
  { fields }: MetadataView,
  { main }: MetadataState,
): Promise<ReadonlyMap<string, string>> {
  const groups = await loadGroups(reader, main?.names ?? []);
  const members = [...groups.values()].flatMap((group) => group.fields.map(({ name }) => name));
  const definitions = await loadFields(reader, [...(fields.only?.keys() ?? []), ...members]);
  const defaults = new Map<string, string>();
  for (const { name, defaultValue: text } of definitions.values()) if (text !== undefined) defaults.set(name, text);
  return defaults;
}

/** Adds definitions to the fields of documents, if the view includes them. */
export async function withDefinitions(
  reader: Reader,
  documents: ReadonlyMap<string, MetadataDocumentValue>,
  view: MetadataView,
  site: string,
): Promise<ReadonlyMap<string, MetadataDocumentValue>> {
  const { include, timeBase, fields } = view;
  if (include.length === 0 && timeBase === undefined) return documents;
  const names = new Map([...(fields.only ?? [])].map(([name, alias]) => [alias, name]));
  const nameOf = (alias: string): string => names.get(alias) ?? alias;
  const answered = new Set<string>();
  for (const { timespan = [] } of documents.values()) for (const span of timespan) collect(span, answered, nameOf);

  const rows = await fieldsNamed(reader, { names: [...answered] });
  const keys = keyFilterOf(include.filter((word) => word !== 'type'));
  const shown = await fieldDocuments(reader, rows, { keys, includeValues: false }, site);
  const byName = new Map(shown.map((definition) => [definition.name!, definition]));
  const times = new Set(rows.map(definitionOf).flatMap(({ name, base }) => (base === 'timeCode' ? name : [])));

  const field = (each: MetadataField): MetadataField => {
    const name = nameOf(each.name!);
    const { data, ...type } = byName.get(name) ?? {};
    return {
      ...each,
      ...(timeBase !== undefined && times.has(name) && { value: each.value?.map((one) => inBase(one, timeBase)) }),
      ...(data && { data }),
      ...(include.includes('type') && byName.has(name) && { type }),
    };
  };
  const group = (each: MetadataGroup): MetadataGroup => ({
    ...each,
    field: each.field?.map(field),
    group: each.group?.map(group),
  });
  return new Map(
    Array.from(documents, ([id, { timespan = [], ...rest }]) => [
      id,
      { ...rest, timespan: timespan.map((span) => ({ ...span, ...group(span) })) },
    ]),
  );
}

function collect(
  { field = [], group = [] }: MetadataGroup,
  names: Set<string>,
  nameOf: (alias: string) => string,
): void {
  for (const { name } of field) names.add(nameOf(name!));
  for (const each of group) collect(each, names, nameOf);
}

function inBase<V extends { readonly value?: string | undefined }>(value: V, timeBase: string): V {
  const instant = instantOf(value.value ?? '');
  return instant ? { ...value, value: textIn(timeBase, instant) } : value;
}

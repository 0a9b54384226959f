import { groupBy } from '../../../core/lib/group-by.ts';
import { type Instant, instantOf, secondsText, shift, textIn } from '../../../core/lib/time-code.ts';
import { yieldTurn } from '../../../core/lib/turn.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { loadAll } from '../load.ts';
import {
  type Contents,
  emptyState,
  fieldKey,
  generic,
  type MetadataState,
  type Span,
  type StoredField,
  type StoredGroup,
  spanKey,
} from '../merge/state.ts';
import { sizedStates } from '../store.ts';
import { inheritedNames, inheritedSources } from './store.ts';

/** Collections per read. */
const slice = 50;

interface InheritedNames {
  readonly fields: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
}

/**
 * Inherited metadata by item id, from the nearest collection first. Own fields and groups of an item hide inherited
 * ones with the same name. Items without such collections are missing; items that hide everything have an empty state.
 */
export async function inheritedBy(
  reader: Reader,
  items: ReadonlyMap<string, MetadataState>,
  ahead?: InheritableNames,
): Promise<ReadonlyMap<string, MetadataState>> {
  const inherited = new Map<string, MetadataState>();
  const names = ahead ?? (await inheritableNames(reader));
  if (names.length === 0 || items.size === 0) return inherited;
  const sources = await sourcesAmong(reader, [...items.keys()]);
  const of = (kind: string) => new Set(names.filter((each) => each.kind === kind).map(({ name }) => name));
  const wanted: InheritedNames = { fields: of('field'), groups: of('group') };
  const states = await statesOf(reader, [...new Set(sources.map(({ id }) => id))]);
  for (const [root, those] of groupBy(sources, (source) => source.root)) {
    const own = items.get(root)!;
    const start = startOf(own);
    const shown = emptyState();
    for (const { id, absoluteTime } of those) {
      const shiftBy = absoluteTime === 1 ? start : undefined;
      inherit(shown, own, states.get(id)!, { wanted, from: `Collection/${id}`, shiftBy });
    }
    inherited.set(root, shown);
  }
  return inherited;
}

/** Fields and groups that items inherit. */
export const inheritableNames = async (reader: Reader) => inheritedNames(reader, {});

export type InheritableNames = Awaited<ReturnType<typeof inheritableNames>>;

/** Items that may inherit anything. */
export async function heirsAmong(
  reader: Reader,
  ids: readonly string[],
  ahead?: InheritableNames,
): Promise<ReadonlySet<string>> {
  const names = ahead ?? (await inheritableNames(reader));
  return new Set(names.length === 0 ? [] : (await sourcesAmong(reader, ids)).map(({ root }) => root));
}

/** Collections from which items inherit. */
export const sourcesAmong = (reader: Reader, ids: readonly string[]) => inheritedSources(reader, { ids });

/** Bytes of inherited metadata, by item. */
export async function inheritedBytes(reader: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const bytes = new Map<string, number>();
  const sources = await sourcesAmong(reader, ids);
  const collections = [...new Set(sources.map(({ id }) => id))];
  const sizes = await sizedStates(reader, { kind: 'collection', ids: collections, each: 0 });
  const sizeOf = new Map(sizes.map((each) => [each.id, each.bytes ?? 0]));
  for (const { root, id } of sources) bytes.set(root, (bytes.get(root) ?? 0) + sizeOf.get(id)!);
  return bytes;
}

async function statesOf(reader: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, MetadataState>> {
  const states = new Map<string, MetadataState>();
  for (let at = 0; at < ids.length; at += slice) {
    if (at > 0) await yieldTurn();
    const loaded = await loadAll(reader, 'collection', ids.slice(at, at + slice));
    for (const [id, { state }] of loaded) states.set(id, state);
  }
  return states;
}

interface From {
  readonly wanted: InheritedNames;
  /** Id of the collection, as in documents. */
  readonly from: string;
  /** Offset that is subtracted from the times of the collection. */
  readonly shiftBy: Instant | undefined;
}

/** Adds inherited fields and groups. Values of the same field in several collections are all shown. */
function inherit(
  shown: MetadataState,
  own: MetadataState,
  { spans }: MetadataState,
  { wanted, from, shiftBy }: From,
): void {
  for (const [key, span] of spans) {
    const fields = [...span.contents.fields.values()].filter(({ name }) => wanted.fields.has(name));
    const groups = span.contents.groups.filter(({ name }) => wanted.groups.has(name));
    if (fields.length + groups.length === 0) continue;
    const [at, times] = key === generic || !shiftBy ? [key, span] : shifted(span, shiftBy);
    const mine = own.spans.get(at)?.contents;
    const contents = contentsAt(shown, at, times);
    for (const field of fields) {
      if (mine?.fields.has(fieldKey(field.name, field.track))) continue;
      contents.fields.set(`${fieldKey(field.name, field.track)} ${from}`, { ...field, inheritance: from });
    }
    for (const group of groups) {
      if (mine?.groups.some(({ name }) => name === group.name)) continue;
      contents.groups.push(marked(group, from));
    }
  }
}

/** Marks a group and its content as inherited. */
const marked = (group: StoredGroup, inheritance: string): StoredGroup => ({
  ...group,
  inheritance,
  contents: {
    fields: new Map(
      Array.from(group.contents.fields, ([key, field]): [string, StoredField] => [key, { ...field, inheritance }]),
    ),
    groups: group.contents.groups.map((inner) => marked(inner, inheritance)),
  },
});

function contentsAt({ spans }: MetadataState, key: string, { start, end }: Pick<Span, 'start' | 'end'>): Contents {
  const span = spans.get(key);
  if (span) return span.contents;
  const contents: Contents = { fields: new Map(), groups: [] };
  spans.set(key, { start, end, contents });
  return contents;
}

/** Start of the item in absolute time. */
function startOf({ spans }: MetadataState): Instant | undefined {
  const text = spans.get(generic)?.contents.fields.get('startTimeCode')?.values[0]?.text;
  return text === undefined ? undefined : instantOf(text);
}

function shifted({ start, end }: Span, by: Instant): readonly [string, Pick<Span, 'start' | 'end'>] {
  const [from, to] = [moved(start, by), moved(end, by)];
  return [spanKey(from.instant, to.instant), { start: from.text, end: to.text }];
}

/** Shifts a time code, in its original time base. */
function moved(text: string, by: Instant): { readonly instant: Instant; readonly text: string } {
  const instant = shift(instantOf(text)!, by, true);
  const base = /@(.+)$/.exec(text)?.[1];
  return { instant, text: base === undefined ? secondsText(instant) : textIn(base, instant) };
}

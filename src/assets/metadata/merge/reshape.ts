import type { MetadataMerge } from './merging.ts';
import {
  type Contents,
  emptyContents,
  everyContents,
  fieldKey,
  isEmpty,
  type MetadataState,
  type Span,
  type StoredField,
  type StoredValue,
} from './state.ts';

/** A step of a schema migration, as stored in change sets. Paths are names of groups, the outermost first. */
export type ReshapeStep =
  | { readonly do: 'rename'; readonly of: MemberKind; readonly name: string; readonly to: string }
  | { readonly do: 'move'; readonly of: MemberKind; readonly name: string; readonly from: Path; readonly to: Path }
  /** Without a path: at any position. */
  | { readonly do: 'delete'; readonly of: MemberKind; readonly name: string; readonly from?: Path };

type MemberKind = 'field' | 'group';
type Path = readonly string[];

/**
 * Applies the steps to a state: fields, groups and values keep uuids, users and times. Undefined: nothing changed. Main
 * groups are updated, too.
 */
export function reshape(
  merging: MetadataMerge,
  state: MetadataState,
  steps: readonly ReshapeStep[],
): MetadataState | undefined {
  let after: MetadataState | undefined;
  let ordinal = 0;
  const next = () => ordinal++;
  for (const step of steps) {
    const main = mainAfter(after ?? state, step);
    const changed = carryOut(merging, (after ?? state).spans, step, next);
    if (!changed && main === undefined) continue;
    const { spans, main: before, template } = after ?? state;
    for (const [key, { contents }] of spans) if (isEmpty(contents)) spans.delete(key);
    after = { spans, template, main: main === undefined ? before : mainOf(merging, main) };
  }
  return after;
}

const mainOf = ({ change }: MetadataMerge, names: readonly string[]): MetadataState['main'] =>
  names.length === 0 ? undefined : { names, changed: change };

/** New names of the main groups. Undefined: unchanged. */
function mainAfter({ main }: MetadataState, step: ReshapeStep): readonly string[] | undefined {
  if (step.of !== 'group' || !main?.names.includes(step.name)) return undefined;
  if (step.do === 'rename') return [...new Set(main.names.map((name) => (name === step.name ? step.to : name)))];
  if (step.do === 'delete' && step.from === undefined) return main.names.filter((name) => name !== step.name);
  return undefined;
}

function carryOut(
  merging: MetadataMerge,
  spans: MetadataState['spans'],
  step: ReshapeStep,
  next: () => number,
): boolean {
  const state = { spans, main: undefined };
  if (step.do === 'rename') return countOf(everyContents(state), ({ contents }) => rename(merging, contents, step)) > 0;
  if (step.do === 'delete') {
    const { from } = step;
    const all =
      from === undefined ? [...everyContents(state)].map(({ contents }) => contents) : contentsAlong(spans, from);
    return countOf(all, (contents) => take(merging, contents, step).length > 0) > 0;
  }
  return move(merging, spans, step, next);
}

/** Counts matches without stopping at the first. */
function countOf<T>(all: Iterable<T>, holds: (each: T) => boolean): number {
  let count = 0;
  for (const each of all) if (holds(each)) count++;
  return count;
}

function rename(
  { change }: MetadataMerge,
  contents: Contents,
  { of, name, to }: ReshapeStep & { do: 'rename' },
): boolean {
  if (of === 'group') {
    if (!contents.groups.some((group) => group.name === name)) return false;
    contents.groups = contents.groups.map((group) =>
      group.name === name ? { ...group, name: to, changed: change } : group,
    );
    return true;
  }
  const fields = [...contents.fields.values()];
  if (!fields.some((field) => field.name === name)) return false;
  contents.fields.clear();
  for (const field of fields) put(contents, field.name === name ? { ...field, name: to, changed: change } : field);
  return true;
}

/** Adds a field. An existing one gets the values appended, unless it is a reference. */
function put({ fields }: Contents, field: StoredField): void {
  const key = fieldKey(field.name, field.track);
  const sameField = fields.get(key);
  if (sameField === undefined) fields.set(key, field);
  else if (sameField.reference === undefined && field.reference === undefined)
    fields.set(key, { ...sameField, values: joined(sameField.values, field.values), changed: field.changed });
}

/** Merges values grouped by language, without duplicates. */
function joined(first: readonly StoredValue[], second: readonly StoredValue[]): readonly StoredValue[] {
  const byLanguage = new Map<string | undefined, StoredValue[]>();
  for (const value of [...first, ...second]) {
    const same = byLanguage.get(value.language);
    if (same === undefined) byLanguage.set(value.language, [value]);
    else if (!same.some(({ text }) => text === value.text)) same.push(value);
  }
  return [...byLanguage.values()].flat();
}

type Content = Pick<Contents, 'groups'> & { readonly fields: readonly StoredField[] };
type RemovedContent = Content & { readonly length: number };

/** Removes fields or groups of that name from contents, with any track. */
function take(
  merging: MetadataMerge,
  contents: Contents,
  { of, name }: Pick<ReshapeStep, 'of' | 'name'>,
): RemovedContent {
  const fields = of === 'field' ? [...contents.fields.values()].filter((field) => field.name === name) : [];
  const groups = of === 'group' ? contents.groups.filter((group) => group.name === name) : [];
  for (const field of fields) contents.fields.delete(fieldKey(field.name, field.track));
  if (groups.length > 0) contents.groups = contents.groups.filter((group) => group.name !== name);
  for (const instance of [...fields, ...groups]) merging.meet(instance);
  return { fields, groups, length: fields.length + groups.length };
}

function move(
  merging: MetadataMerge,
  spans: MetadataState['spans'],
  step: ReshapeStep & { do: 'move' },
  next: () => number,
): boolean {
  const { from, to } = step;
  const shared = from.findIndex((name, index) => name !== to[index]);
  const common = shared < 0 ? from.length : shared;
  const { change } = merging;
  let moved = 0;
  for (const base of contentsAlong(spans, from, common)) {
    for (const source of below(base, from.slice(common))) {
      const { fields, groups, length } = take(merging, source, step);
      moved += length;
      if (length === 0) continue;
      const target = reach(merging, base, to.slice(common), next);
      for (const field of fields) put(target, { ...field, changed: change });
      target.groups = [...target.groups, ...groups.map((group) => ({ ...group, changed: change }))];
    }
  }
  return moved > 0;
}

/** Contents at a path below any contents with its first group. An empty path: the first level. */
function contentsAlong(spans: ReadonlyMap<string, Span>, path: Path, upTo = path.length): readonly Contents[] {
  const starts = [...spans.values()].map(({ contents }) => contents);
  if (path.length === 0) return starts;
  const all = [...everyContents({ spans: new Map(spans), main: undefined })].map(({ contents }) => contents);
  return [...new Set(all.flatMap((contents) => below(contents, path.slice(0, upTo))))];
}

/** References are skipped: they show a group from another position. */
function below(contents: Contents, path: Path): readonly Contents[] {
  const [name, ...rest] = path;
  if (name === undefined) return [contents];
  const groups = contents.groups.filter((group) => group.name === name && group.reference === undefined);
  return groups.flatMap((group) => below(group.contents, rest));
}

/** The first contents at the path. Creates missing groups. */
function reach(merging: MetadataMerge, contents: Contents, path: Path, next: () => number): Contents {
  const [name, ...rest] = path;
  if (name === undefined) return contents;
  const sameGroup = contents.groups.find((group) => group.name === name && group.reference === undefined);
  if (sameGroup) return reach(merging, sameGroup.contents, rest, next);
  const newGroup = { name, contents: emptyContents(), ...merging.make(next()) };
  contents.groups = [...contents.groups, newGroup];
  return reach(merging, newGroup.contents, rest, next);
}

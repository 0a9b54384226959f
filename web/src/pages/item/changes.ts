import type { MetadataChangeSetDocument, MetadataDocument, MetadataFieldValueType } from 'portico/types';

/** A change set in short: who made it, when, and how many values it has. */
export interface Change {
  readonly id: string;
  readonly user: string | undefined;
  readonly at: string | undefined;
  readonly names: readonly string[];
}

interface Node {
  readonly user?: string | undefined;
  readonly timestamp?: string | undefined;
  readonly name?: string | undefined;
  readonly field?: readonly MetadataFieldValueType[] | undefined;
  readonly group?: readonly Node[] | undefined;
}

const within = (nodes: readonly Node[]): readonly Node[] =>
  nodes.flatMap((node) => [node, ...within([...(node.field ?? []), ...(node.group ?? [])])]);

/** Change sets, the newest first. */
export function changesOf({ changeSet = [] }: MetadataChangeSetDocument): readonly Change[] {
  return changeSet
    .map(({ id = '', metadata }) => {
      const nodes = within((metadata?.timespan ?? []).flatMap(({ field = [], group = [] }) => [...field, ...group]));
      const stamp = nodes.find(({ timestamp }) => timestamp !== undefined);
      const names = [...new Set(nodes.flatMap(({ name }) => (name === undefined ? [] : [name])))];
      return { id, user: stamp?.user, at: stamp?.timestamp, names };
    })
    .toReversed();
}

interface Difference {
  readonly name: string;
  /** Times, for entries that do not count for the whole item. */
  readonly span: string | undefined;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

interface WithMode {
  readonly mode?: string | undefined;
}

/** Values that a change set has added and taken away, by field. */
export function differencesOf({ timespan = [] }: MetadataDocument): readonly Difference[] {
  const differences = new Map<string, { name: string; span: string | undefined; before: string[]; after: string[] }>();
  const take = (field: MetadataFieldValueType, inherited: string | undefined, span: string | undefined) => {
    const { name = '', value = [] } = field;
    const key = `${span ?? ''} ${name}`;
    const row = differences.get(key) ?? { name, span, before: [], after: [] };
    for (const each of value) {
      const mode = (each as WithMode).mode ?? field.mode ?? inherited ?? 'add';
      (mode === 'remove' ? row.before : row.after).push(each.value ?? '');
    }
    differences.set(key, row);
  };
  const walk = (node: Node & WithMode, mode: string | undefined, span: string | undefined) => {
    const own = node.mode ?? mode;
    for (const field of node.field ?? []) take(field, own, span);
    for (const group of node.group ?? []) walk(group, own, span);
  };
  for (const { start = '-INF', end = '+INF', ...node } of timespan) {
    walk(node, undefined, start === '-INF' && end === '+INF' ? undefined : `${start} – ${end}`);
  }
  return [...differences.values()].filter(({ before, after }) => before.join('\n') !== after.join('\n'));
}

import { askerOf, type FieldReader } from '../../assets/definitions/public-reading.ts';
import type { ItemsContext } from '../../assets/items/public.ts';
import {
  type ChangeSet,
  type Deletions,
  type FieldRequest,
  type GroupRequest,
  type MetadataResource,
  newestOfLog,
  type ReshapeStep,
  stateOfChangeSet,
} from '../../assets/metadata/public.ts';
import {
  deletionsIn,
  emptyState,
  fieldKey,
  type MetadataOwner,
  readableFields,
} from '../../assets/metadata/public-reading.ts';
import { runInSlices } from '../../core/lib/turn.ts';
import type { Reader } from '../../core/store/statement.ts';
import { choice } from '../../http/parameters/index.ts';
import type { Route } from '../../http/route.ts';
import { between, type Graph, type GraphEdge, type GraphNode } from '../../room/graphs.ts';
import { graphRoutes } from './graph-routes.ts';

const groupings = ['change', 'none'] as const;
type Grouping = (typeof groupings)[number];

/** Whether the caller may see a field. `around`: its groups, the nearest first. */
type IsReadable = (name: string, around: readonly string[]) => boolean;

/** A field written by a change set. */
interface Written {
  /** Key of its position: equal for all change sets that write the same field. */
  readonly key: string;
  readonly name: string;
  readonly field: FieldRequest;
}

/** Maximum field names per node. */
const maxNames = 10;
const maxValues = 5;
/** Limit of nodes: a change set may write thousands of fields, and nobody reads so large a graph. */
const maxNodes = 2000;

/** Graph of change sets. An edge leads to the previous change set of the same field. Steps of `runInSlices`. */
function* logGraph(
  owner: MetadataOwner,
  sets: readonly ChangeSet[],
  by: Grouping,
  { isReadable, deletions }: { readonly isReadable: IsReadable; readonly deletions: Deletions },
): Generator<number, Graph> {
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  /** Node of the last change set, by position of the field. */
  const last = new Map<string, string>();
  for (const set of sets) {
    const gone = deletions.between(set.epoch, deletions.newest);
    const all = yield* writtenBy(set);
    const written = all.filter(({ name, around }) => !gone.has(name) && isReadable(name, around));
    yield written.length * sizeOfField;
    const add = by === 'change' ? bySet : byField;
    for (const { node, fields } of add(set, written)) {
      if (nodes.length >= maxNodes) break;
      nodes.push({ ...node, shape: 'box', dashed: set.request.system });
      const replaced = new Map<string, string[]>();
      for (const { key, name } of fields) {
        const before = last.get(key);
        if (before !== undefined && before !== node.id) {
          const names = replaced.get(before);
          if (names) names.push(name);
          else replaced.set(before, [name]);
        }
        last.set(key, node.id);
      }
      for (const [to, names] of replaced)
        edges.push({ from: node.id, to, label: `replaces ${few(names, 3).join(', ')}` });
    }
  }
  return { name: `metadata of ${owner.kind} ${owner.id}`, way: 'up', nodes, edges };
}

interface Drawn {
  readonly node: GraphNode;
  readonly fields: readonly Written[];
}

const headOf = ({ change: { user, at } }: ChangeSet): readonly string[] => [user, new Date(at).toISOString()];

function bySet(set: ChangeSet, fields: readonly Written[]): readonly Drawn[] {
  const names = [...new Set(fields.map(({ name }) => name))];
  const said = [...(set.request.reshape ?? []).map(stepIn), ...names];
  const label = [set.change.id, ...headOf(set), ...few(said, maxNames)].join(between);
  return [{ node: { id: `change ${set.change.id}`, label }, fields }];
}

const byField = (set: ChangeSet, fields: readonly Written[]): readonly Drawn[] =>
  fields.map((each) => {
    const { values, mode, reference } = each.field;
    const texts = values.map((value) => `${value.mode === 'remove' ? '- ' : ''}${value.text}`);
    const isGone = mode === 'remove' || (texts.length === 0 && reference === undefined);
    const said = isGone ? ['removed'] : few(reference === undefined ? texts : [`refers to ${reference}`], maxValues);
    const label = [each.name, ...said, set.change.id, ...headOf(set)].join(between);
    return { node: { id: `change ${set.change.id} field ${each.field.n}`, label }, fields: [each] };
  });

const few = (texts: readonly string[], max: number): readonly string[] =>
  texts.length <= max ? texts : [...texts.slice(0, max), `and ${texts.length - max} more`];

function stepIn(step: ReshapeStep): string {
  const { of, name } = step;
  if (step.do === 'rename') return `${of} ${name} renamed to ${step.to}`;
  return `${of} ${name} ${step.do === 'move' ? 'moved' : 'deleted'}`;
}

type WrittenWithin = Written & { readonly around: readonly string[] };

/** Size of a field, as steps of `runInSlices` count. */
const sizeOfField = 200;

/** Fields of a change set, in the order of its document. */
function* writtenBy({ change, request }: ChangeSet): Generator<number, readonly WrittenWithin[]> {
  const collect = (
    { fields, groups }: Pick<GroupRequest, 'fields' | 'groups'>,
    path: string,
    around: readonly string[],
  ): readonly WrittenWithin[] => [
    ...fields.flatMap((field) =>
      field.name === undefined
        ? []
        : [{ key: `${path} ${fieldKey(field.name, field.track)}`, name: field.name, field, around }],
    ),
    ...groups.flatMap((group) =>
      collect(group, `${path} ${group.at ?? `${change.id} ${group.n}`}`, [group.name ?? '', ...around]),
    ),
  ];
  const written: WrittenWithin[] = [];
  for (const span of request.spans) {
    written.push(...collect(span, `${span.start} ${span.end}`, []));
    yield sizeOfField * (1 + span.fields.length);
  }
  return written;
}

/** Limit of change sets in a graph: older ones are left out. */
const maxSets = 100;

export const metadataGraphRoutes = ({ hooks }: ItemsContext, resource: MetadataResource): readonly Route[] =>
  graphRoutes(hooks, {
    path: `${resource.metadataPath}/graph`,
    says: `A graph of the newest ${maxSets} change sets of the metadata ${resource.of},`,
    entities: { [resource.kind]: resource.entity!('READ') },
    query: {
      groupBy: choice('A node for each change set, or for each changed field', groupings, { defaultValue: 'change' }),
    },
    access: resource.read,
    async graph(call, { [resource.kind]: entity }) {
      const owner = { kind: resource.kind, id: entity!.id };
      const { reader } = call;
      const sets = await newestOfLog(reader, owner, maxSets);
      const isReadable = await readableIn(reader, await askerOf(call), owner, sets);
      const deletions = await deletionsIn(reader, sets);
      return runInSlices(logGraph(owner, sets, call.query.groupBy, { isReadable, deletions }));
    },
  });

/** Readable fields in change sets, which may include fields of others: checks all of them as one state. */
async function readableIn(
  reader: Reader,
  asker: FieldReader,
  { kind, id }: MetadataOwner,
  sets: readonly ChangeSet[],
): Promise<IsReadable> {
  const state = emptyState();
  for (const set of sets) {
    const { spans } = await runInSlices(stateOfChangeSet(set));
    for (const [key, span] of spans) state.spans.set(`${set.change.id} ${key}`, span);
  }
  const readable = await readableFields(reader, asker, { kind, ids: [id] }, { states: [state] });
  return readable?.(id) ?? (() => true);
}

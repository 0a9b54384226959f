import { askerOf, type FieldReader } from '../../../assets/definitions/public-reading.ts';
import type { ItemsContext } from '../../../assets/items/public.ts';
import {
  type ChangeSet,
  type MetadataResource,
  newestOfLog,
  stateOfChangeSet,
} from '../../../assets/metadata/public.ts';
import {
  deletionsIn,
  emptyState,
  type MetadataOwner,
  readableFields,
} from '../../../assets/metadata/public-reading.ts';
import { runInSlices } from '../../../core/lib/turn.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { choice } from '../../../http/parameters/index.ts';
import type { Route } from '../../../http/route.ts';
import { graphRoutes } from '../graph-routes.ts';
import { groupings, type IsReadable, logGraph } from './graph.ts';

/** Limit of change sets in a graph: older ones are left out. */
const mostSets = 100;

export const metadataGraphRoutes = ({ hooks }: ItemsContext, place: MetadataResource): readonly Route[] =>
  graphRoutes(hooks, {
    path: `${place.metadataPath}/graph`,
    says: `A graph of the newest ${mostSets} change sets of the metadata ${place.of},`,
    entities: { [place.kind]: place.entity!('READ') },
    query: {
      groupBy: choice('A node for each change set, or for each changed field', groupings, { usual: 'change' }),
    },
    access: place.read,
    async graph(call, { [place.kind]: entity }) {
      const owner = { kind: place.kind, id: entity!.id };
      const { reader } = call;
      const sets = await newestOfLog(reader, owner, mostSets);
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

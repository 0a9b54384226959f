import { type EntryRow, entriesOn } from '../../../access/public.ts';
import { type AccessTarget, placeKey } from '../../../access/public-reading.ts';
import { groupBy } from '../../../lib/group-by.ts';
import type { Graph, GraphEdge } from '../../../room/graphs.ts';
import type { Reader } from '../../../store/statement.ts';
import { containersAbove } from './store.ts';

export const graphTypes = ['ancestor', 'grant'] as const;
type GraphType = (typeof graphTypes)[number];

interface GraphView {
  readonly types: readonly GraphType[];
  /** Filter by users and groups. Undefined: all. */
  readonly users: readonly string[] | undefined;
  readonly groups: readonly string[] | undefined;
}

/** Limit of edges from containers to members. */
const mostLines = 500;
/** Limit of entities whose entries are shown. */
const mostPlaces = 100;

/** Graph of containers, entries, users and groups that affect access to an entity. */
export async function accessGraph(reader: Reader, place: AccessTarget, { types, ...named }: GraphView): Promise<Graph> {
  const above = await containersAbove(reader, { type: place.type, id: place.id, limit: mostLines });
  const places = new Map([place, ...above].map(({ type, id }) => [placeKey({ type, id }), { type, id }]));
  const edges: GraphEdge[] = types.includes('ancestor')
    ? above.map((each) => ({
        from: nodeOf(each),
        to: nodeOf({ type: each.memberType, id: each.memberId }),
        label: 'contains',
      }))
    : [];
  const people = new Set<string>();
  if (types.includes('grant')) {
    for (const each of [...places.values()].slice(0, mostPlaces)) {
      const rows = (await entriesOn(reader, { type: each.type, entityId: each.id })).filter((row) =>
        isWanted(row, named),
      );
      for (const row of rows) {
        people.add(granteeOf(row));
        edges.push({ from: granteeOf(row), to: nodeOf(each), label: labelOf(row) });
      }
      for (const [grantor, given] of groupBy(rows, (row) => row.grantor)) {
        if (grantor === null) continue;
        people.add(`user ${grantor}`);
        for (const to of new Set(given.map(granteeOf)))
          edges.push({ from: `user ${grantor}`, to, label: 'grants', dashed: true });
      }
    }
  }
  const nodes = [
    ...[...places.values()].map((each) => ({ id: nodeOf(each), shape: 'box' as const })),
    ...[...people].map((id) => ({ id })),
  ];
  return { name: 'access', nodes, edges };
}

function isWanted({ user, group }: EntryRow, { users, groups }: Omit<GraphView, 'types'>): boolean {
  if (users === undefined && groups === undefined) return true;
  return group === null ? users?.includes(user ?? 'system') === true : groups?.includes(group) === true;
}

const nodeOf = ({ type, id }: AccessTarget): string => `${type} ${id}`;
const granteeOf = ({ user, group }: EntryRow): string =>
  group === null ? `user ${user ?? 'system'}` : `group ${group}`;

const labelOf = ({ permission, operation, extradata }: EntryRow): string =>
  [permission, operation ?? [], extradata ?? []].flat().join(' ');

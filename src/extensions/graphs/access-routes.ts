import { type EntryRow, entriesOn, guardedEntity } from '../../assets/access/public.ts';
import { type AccessTarget, targetKey } from '../../assets/access/public-reading.ts';
import type { ItemsContext } from '../../assets/items/public.ts';
import { groupBy } from '../../core/lib/group-by.ts';
import { askEach } from '../../core/lib/maybe.ts';
import type { Reader } from '../../core/store/statement.ts';
import { choice, list, text } from '../../http/parameters/index.ts';
import { type Route, role } from '../../http/route.ts';
import type { Entity, EntityKind } from '../../room/entity.ts';
import type { Graph, GraphEdge } from '../../room/graphs.ts';
import { graphRoutes } from './graph-routes.ts';
import { containersAround } from './store.ts';

const graphTypes = ['ancestor', 'grant'] as const;
type GraphType = (typeof graphTypes)[number];

interface GraphView {
  readonly types: readonly GraphType[];
  /** Filter by users and groups. Undefined: all. */
  readonly users: readonly string[] | undefined;
  readonly groups: readonly string[] | undefined;
}

/** Limit of edges from containers to members. */
const maxLines = 500;
/** Limit of entities whose entries are shown. */
const maxPlaces = 100;

/** Graph of containers, entries, users and groups that affect access to an entity. */
async function accessGraph(reader: Reader, target: AccessTarget, { types, ...named }: GraphView): Promise<Graph> {
  const above = await containersAround(reader, { type: target.type, id: target.id, limit: maxLines });
  const places = new Map([target, ...above].map(({ type, id }) => [targetKey({ type, id }), { type, id }]));
  const edges: GraphEdge[] = types.includes('ancestor')
    ? above.map((each) => ({
        from: nodeOf(each),
        to: nodeOf({ type: each.memberType, id: each.memberId }),
        label: 'contains',
      }))
    : [];
  const people = new Set<string>();
  if (types.includes('grant')) {
    const shown = [...places.values()].slice(0, maxPlaces);
    const entries = await askEach(shown, ({ type, id }) => entriesOn(reader, { entityType: type, entityId: id }));
    for (const [index, each] of shown.entries()) {
      const rows = entries[index]!.filter((row) => isWanted(row, named));
      for (const row of rows) {
        people.add(granteeOf(row));
        edges.push({ from: granteeOf(row), to: nodeOf(each), label: labelOf(row) });
      }
      for (const [grantor, rowsOfGrantor] of groupBy(rows, (row) => row.grantor)) {
        if (grantor === null) continue;
        people.add(`user ${grantor}`);
        for (const to of new Set(rowsOfGrantor.map(granteeOf)))
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

export const accessGraphRoutes = <E extends Entity>(
  { store, hooks }: ItemsContext,
  kind: EntityKind<E>,
): readonly Route[] =>
  graphRoutes(hooks, {
    path: `/${kind.type}/:${kind.type}/access/graph`,
    says: `A graph of the containers of the ${kind.type} and its access entries,`,
    entities: { [kind.type]: guardedEntity(store, kind)('ALL') },
    query: {
      type: list(choice('Only containers, or only entries', graphTypes)),
      users: list(text('Only the entries for these users')),
      groups: list(text('Only the entries for these groups')),
    },
    access: role('_accesscontrol_read'),
    async graph(call, { [kind.type]: entity }) {
      const { type: types = graphTypes, users, groups } = call.query;
      return accessGraph(call.reader, { type: kind.type, id: entity!.id }, { types, users, groups });
    },
  });

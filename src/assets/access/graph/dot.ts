import { groupBy } from '../../../lib/group-by.ts';
import type { Reader } from '../../../store/statement.ts';
import { type EntryRow, entriesOn } from '../entries/store.ts';
import { type Place, placeKey } from '../levels.ts';
import { containersAbove } from './store.ts';

export const graphTypes = ['ancestor', 'grant'] as const;
export type GraphType = (typeof graphTypes)[number];

export interface GraphView {
  readonly types: readonly GraphType[];
  /** Entries for these alone. Undefined: for all. */
  readonly users: readonly string[] | undefined;
  readonly groups: readonly string[] | undefined;
}

/** Lines from containers to members. */
const mostLines = 500;
/** Entities whose entries are told. */
const mostPlaces = 100;

/** What reaches an entity, as a directed graph in the language DOT. */
export async function accessGraph(reader: Reader, place: Place, { types, ...named }: GraphView): Promise<string> {
  const above = await containersAbove(reader, { type: place.type, id: place.id, limit: mostLines });
  const places = new Map([place, ...above].map(({ type, id }) => [placeKey({ type, id }), { type, id }]));
  const lines = types.includes('ancestor')
    ? above.map((each) =>
        line(nodeOf(each), nodeOf({ type: each.memberType, id: each.memberId }), { label: 'contains' }),
      )
    : [];
  const people: string[] = [];
  if (types.includes('grant')) {
    for (const each of [...places.values()].slice(0, mostPlaces)) {
      const rows = (await entriesOn(reader, { type: each.type, entityId: each.id })).filter((row) =>
        isWanted(row, named),
      );
      for (const row of rows) {
        people.push(granteeOf(row));
        lines.push(line(granteeOf(row), nodeOf(each), { label: labelOf(row) }));
      }
      for (const [grantor, given] of groupBy(rows, (row) => row.grantor)) {
        if (grantor === null) continue;
        for (const grantee of new Set(given.map(granteeOf))) {
          people.push(`user ${grantor}`);
          lines.push(line(`user ${grantor}`, grantee, { label: 'grants', style: 'dashed' }));
        }
      }
    }
  }
  const nodes = [
    ...[...places.values()].map((each) => `${quoted(nodeOf(each))} [shape=box];`),
    ...[...new Set(people)].map((name) => `${quoted(name)};`),
  ];
  return ['digraph access {', ...[...nodes, ...new Set(lines)].map((text) => `  ${text}`), '}', ''].join('\n');
}

function isWanted({ user, group }: EntryRow, { users, groups }: Omit<GraphView, 'types'>): boolean {
  if (users === undefined && groups === undefined) return true;
  return group === null ? users?.includes(user ?? 'system') === true : groups?.includes(group) === true;
}

const nodeOf = ({ type, id }: Place): string => `${type} ${id}`;
const granteeOf = ({ user, group }: EntryRow): string =>
  group === null ? `user ${user ?? 'system'}` : `group ${group}`;

const labelOf = ({ permission, operation, extradata }: EntryRow): string =>
  [permission, operation ?? [], extradata ?? []].flat().join(' ');

const line = (from: string, to: string, attributes: Readonly<Record<string, string>>): string => {
  const told = Object.entries(attributes).map(([name, text]) => `${name}=${quoted(text)}`);
  return `${quoted(from)} -> ${quoted(to)} [${told.join(', ')}];`;
};

/** Names of users may have quotes, and fields anything. */
const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&').replace(/\s+/g, ' ')}"`;

import { inSlices } from '../../core/lib/turn.ts';
import type { Reader } from '../../core/store/statement.ts';
import { keyValuesFrom, metadataOf } from '../../room/entities/key-values/rules.ts';
import { keyValuesOf } from '../../room/entities/key-values/store.ts';
import type { Group, GroupList, ListedGroup } from '../documents.ts';
import { membershipChangeOf } from '../memberships/rules.ts';
import { childrenOf, membersOf, parentsOf } from '../memberships/store.ts';
import type { Readers } from '../parts.ts';
import type { IdentitySettings } from '../settings.ts';
import { briefUser } from '../users/documents.ts';
import type { PutGroup } from './rules.ts';
import { checkGroupPage, type GroupRow } from './store.ts';

export interface Relative {
  readonly name: string;
  readonly role: number;
}

/** A group with its relations, each list up to `limit` long. */
export async function groupDocumentOf(
  { here, threads }: Readers,
  row: GroupRow,
  site: string,
  limit: number,
): Promise<Group> {
  const { id } = row;
  let relations = await relationsOf(here, { id, limit: Math.min(limit, fewRelations + 1) });
  if (Object.values(relations).some((list) => list.length > fewRelations)) {
    relations = await relationsOf(threads, { id, limit });
  }
  const { parents, children, users } = relations;
  const metadata = metadataOf((await keyValuesOf(here, 'group', [id])).get(id));
  return {
    ...ownDocument(row, metadata, site),
    parentGroupList: listOf(parents),
    childGroupList: listOf(children),
    userList: users.length > 0 ? { user: users.map(briefUser) } : undefined,
  };
}

/** Up to here the serving thread reads a list of relations: to ask a reader thread costs more. */
const fewRelations = 100;

async function relationsOf(reader: Reader, values: { readonly id: string; readonly limit: number }) {
  const [parents, children, users] = await Promise.all([
    parentsOf(reader, values),
    childrenOf(reader, values),
    membersOf(reader, values),
  ]);
  return { parents, children, users };
}

/** Groups as a list shows them: without their relations, which may be many. */
export async function listedGroups(
  { here, threads }: Readers,
  rows: readonly GroupRow[],
  { site, maxPageValues }: Pick<IdentitySettings, 'site' | 'maxPageValues'>,
): Promise<ListedGroup[]> {
  const ids = rows.map((row) => row.id);
  if (await checkGroupPage.isLight(here, ids)) return ownDocuments(here, rows, site);
  await checkGroupPage(threads, ids, maxPageValues);
  return inSlices(rows, (slice) => ownDocuments(threads, slice, site));
}

async function ownDocuments(reader: Reader, rows: readonly GroupRow[], site: string): Promise<ListedGroup[]> {
  const metadata = await keyValuesOf(
    reader,
    'group',
    rows.map((row) => row.id),
  );
  return rows.map((row) => ownDocument(row, metadataOf(metadata.get(row.id)), site));
}

function ownDocument(row: GroupRow, metadata: ListedGroup['metadata'], site: string): ListedGroup {
  return { ...briefGroup(row), id: row.id, origin: site, description: row.description ?? undefined, metadata };
}

export const briefGroup = ({ name, role }: Relative): ListedGroup => ({ groupName: name, role: role === 1 });

function listOf(rows: readonly Relative[]): GroupList | undefined {
  return rows.length === 0 ? undefined : { group: rows.map(briefGroup) };
}

/** Command for a group document. */
export function commandFrom(name: string, document: Group, clear: boolean, mostBytes: number): PutGroup {
  return {
    name,
    description: document.description,
    role: document.role,
    parents: membershipChangeOf(document.parentGroupList?.group, (group) => group.groupName),
    children: membershipChangeOf(document.childGroupList?.group, (group) => group.groupName),
    users: membershipChangeOf(document.userList?.user, (user) => user.userName),
    metadata: keyValuesFrom(document.metadata, '/GroupDocument/metadata/field/key', mostBytes),
    clear,
  };
}

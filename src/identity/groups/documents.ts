import type { Group, GroupList, ListedGroup } from '../../documents/index.ts';
import type { Store } from '../../store/store.ts';
import { keyValuesFrom, metadataOf } from '../key-values/documents.ts';
import { keyValuesOf } from '../key-values/store.ts';
import { briefUser } from '../users/documents.ts';
import type { PutGroup, Wish } from './rules.ts';
import { childrenOf, type GroupRow, membersOf, parentsOf } from './store.ts';

interface Relative {
  readonly name: string;
  readonly role: number;
}

/** A group with its relations, each list up to `limit` long. */
export async function groupDocumentOf(store: Store, row: GroupRow, site: string, limit: number): Promise<Group> {
  const given = { id: row.id, limit };
  const [parents, children, users, metadata] = await Promise.all([
    parentsOf(store, given),
    childrenOf(store, given),
    membersOf(store, given),
    keyValuesOf(store, 'group', [row.id]),
  ]);
  return {
    groupName: row.name,
    id: row.id,
    origin: site,
    description: row.description ?? undefined,
    role: row.role === 1,
    metadata: metadataOf(metadata.get(row.id)),
    parentGroupList: listOf(parents),
    childGroupList: listOf(children),
    userList: users.length > 0 ? { user: users.map(briefUser) } : undefined,
  };
}

function listOf(rows: readonly Relative[]): GroupList | undefined {
  if (rows.length === 0) return undefined;
  return { group: rows.map((row): ListedGroup => ({ groupName: row.name, role: row.role === 1 })) };
}

/** What a document asks for. Entries of a list are added, or taken out where they say `remove`. */
export function commandFrom(name: string, document: Group, clear: boolean): PutGroup {
  return {
    name,
    description: document.description,
    role: document.role,
    parents: wishOf(document.parentGroupList?.group, (group) => group.groupName),
    children: wishOf(document.childGroupList?.group, (group) => group.groupName),
    users: wishOf(document.userList?.user, (user) => user.userName),
    metadata: keyValuesFrom(document.metadata, '/GroupDocument/metadata/field/key'),
    clear,
  };
}

function wishOf<T extends { readonly remove?: boolean | undefined }>(
  entries: readonly T[] | undefined,
  nameOf: (entry: T) => string,
): Wish {
  const list = entries ?? [];
  return {
    add: list.filter((entry) => !entry.remove).map(nameOf),
    remove: list.filter((entry) => entry.remove).map(nameOf),
  };
}

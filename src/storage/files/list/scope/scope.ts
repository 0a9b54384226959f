import type { Reader } from '../../../../core/store/statement.ts';
import { noSuchEntity } from '../../../../room/entities/find.ts';
import { storageNamed } from '../../../storages/kinds.ts';
import { storageGroupsNamed, type UsageRow, usageOfAll, usageOfSome } from './store.ts';

/** Storages whose files are listed. */
export interface ListScope {
  /** The storage named by the path of the route. */
  readonly storage: string | undefined;
  readonly storages: readonly string[] | undefined;
  readonly groups: readonly string[] | undefined;
  /** Only storages that show importable files. */
  readonly importables: boolean;
}

/** Storages of the scope with their number of files by state. 404 if a named storage or group is missing. */
export async function usageIn(reader: Reader, scope: ListScope): Promise<readonly UsageRow[]> {
  const groups = scope.groups === undefined ? null : JSON.stringify(await knownGroups(reader, scope.groups));
  const wanted = { groups, importables: scope.importables ? 1 : 0 };
  const ids = await idsOf(reader, scope);
  return ids === undefined ? usageOfAll(reader, wanted) : usageOfSome(reader, { ...wanted, ids });
}

async function idsOf(reader: Reader, { storage, storages }: ListScope): Promise<readonly string[] | undefined> {
  const named = storage === undefined ? undefined : (await storageNamed(reader, storage)).id;
  if (storages === undefined) return named === undefined ? undefined : [named];
  const ids = new Set<string>();
  for (const name of storages) ids.add((await storageNamed(reader, name)).id);
  return [...ids].filter((id) => named === undefined || id === named);
}

async function knownGroups(reader: Reader, names: readonly string[]): Promise<readonly string[]> {
  const groupNames = new Set((await storageGroupsNamed(reader, { names })).map(({ name }) => name));
  const missing = names.find((name) => !groupNames.has(name));
  if (missing !== undefined) throw noSuchEntity({ noun: 'storage-group' }, missing);
  return names;
}

import type { AccessControlType } from '../../types.ts';
import { Refused } from './calls.ts';
import { type Difference, digestOf, type Migration, type Parts } from './carry.ts';
import { many } from './original.ts';
import { at, type Path } from './places.ts';

/** Entry of an item, collection or library, or of a field or group of fields. */
type Entry = Omit<AccessControlType, 'permission'> & { readonly permission?: string | undefined };

interface EntryList {
  readonly access?: readonly Entry[];
}

/** Content of an entry: without its id, its address, and who granted it. */
function contentOf({ permission, user, group, recursive, priority, operation, appliesTo }: Entry): object {
  // Old releases answer words alone.
  const words = many<unknown>(appliesTo).map((each) => (typeof each === 'string' ? { value: each } : each));
  return {
    permission,
    ...(user != null && { user }),
    ...(group != null && { group }),
    ...(recursive != null && { recursive }),
    ...(priority != null && priority !== 0 && { priority }),
    ...(operation != null && { operation }),
    ...(words.length > 0 && { appliesTo: words }),
  };
}

/** Access at the original: a part for each entry, and the owner. Entities of other kinds have none. */
export async function accessParts(migration: Migration, path: Path): Promise<Parts> {
  const entries = many((await migration.original.api.find<EntryList>(at`${path}/access`))?.access);
  const owner = entries.find(({ permission, user }) => permission === 'OWNER' && user != null)?.user;
  const contents = entries.filter(({ permission }) => permission !== 'OWNER').map(contentOf);
  return {
    ...Object.fromEntries(contents.map((content) => [`access/${digestOf(migration, content)}`, content])),
    ...(owner !== undefined && { owner }),
  };
}

const isAccess = (key: string): boolean => key.startsWith('access/');

/** Brings the entries of an entity at the target into the state of the parts. `path`: at the target. */
export async function putAccess(
  migration: Migration,
  path: Path,
  old: string,
  { parts, changed, gone, isKnown }: Difference,
): Promise<void> {
  const { target, report } = migration;
  const [adding, removing] = [[...changed].filter(isAccess), [...gone].filter(isAccess)];
  if (adding.length + removing.length === 0) return;
  const looks = removing.length > 0 || !isKnown;
  const entries = looks ? many((await target.find<EntryList>(at`${path}/access`))?.access) : [];
  const keyOf = (entry: Entry) => `access/${digestOf(migration, contentOf(entry))}`;
  const present = new Set(entries.map(keyOf));
  for (const key of adding) {
    if (present.has(key)) continue;
    try {
      await target.write('POST', at`${path}/access?allowDuplicate=false`, parts[key] as object);
    } catch (error) {
      // A deleted user may have left entries.
      if (!(error instanceof Refused) || error.status >= 500) throw error;
      report.remark(`Access entry refused: ${error.message.replace(/^.*?: /, '')}`, old);
    }
  }
  for (const entry of entries) {
    if (entry.permission === 'OWNER' || !removing.includes(keyOf(entry))) continue;
    await target.write('DELETE', at`${path}/access/${entry.id ?? ''}`);
  }
}

/** Makes the owner at the original the owner at the target. */
export async function putOwner(
  { target, report }: Migration,
  path: Path,
  old: string,
  { parts, changed }: Difference,
): Promise<void> {
  const owner = parts['owner'] as string | undefined;
  if (owner === undefined || !changed.has('owner')) return;
  try {
    await target.write('PUT', at`${path}/access/owner/${owner}`);
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 404) throw error;
    report.remark(`There is no user "${owner}" here: the entity belongs to an administrator`, old);
  }
}

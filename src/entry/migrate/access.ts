import type { AccessControlType } from '../../types.ts';
import { Refused } from './calls.ts';
import { type Difference, digestOf, listIfTold, type Migration, notTold, type Parts } from './carry.ts';
import { many } from './original.ts';
import { at, type Path } from './places.ts';

/** Entry of an item, collection or library, or of a field or group of fields. */
type Entry = Omit<AccessControlType, 'permission'> & { readonly permission?: string | undefined };

interface EntryList {
  readonly access?: readonly Entry[];
}

/** Words of an entry, sorted. Old releases answer words alone, or `recursive` in their place: false is the entity itself. */
function wordsOf({ appliesTo, recursive }: Entry): readonly { readonly value: string; readonly recursive?: boolean }[] {
  const words = many<unknown>(appliesTo).map((each) => Object(typeof each === 'string' ? { value: each } : each));
  if (words.length === 0) return String(recursive) === 'false' ? [{ value: 'self' }] : [];
  return words
    .map(({ value, recursive: deep }) => ({
      value: String(value),
      ...(String(deep) === 'true' && { recursive: true }),
    }))
    .toSorted((a, b) => (a.value < b.value ? -1 : 1));
}

/** Content of an entry: all that any release tells, without its id, its address, and who granted it. */
function contentOf(entry: Entry): object {
  const { permission, user, group, priority, operation } = entry;
  const { metadata, shape, uri } = operation ?? {};
  const words = wordsOf(entry);
  const about = metadata
    ? { metadata: { field: metadata.field || undefined } }
    : shape
      ? { shape: { tag: shape.tag || undefined } }
      : uri && { uri: { type: uri.type || undefined } };
  return {
    permission,
    ...(user != null && { user }),
    ...(group != null && { group }),
    ...(Number(priority ?? 0) !== 0 && { priority: Number(priority) }),
    ...(about && { operation: about }),
    ...(words.length > 0 && { appliesTo: words }),
  };
}

/** Contents as journals of 1.0.0-rc.1 have them, in which `recursive` depends on who answered. */
function formerContents(entry: Entry): readonly object[] {
  const { appliesTo: _sorted, ...content } = contentOf(entry) as Entry;
  const { appliesTo, recursive } = entry;
  const words = many<unknown>(appliesTo);
  const former = { ...content, ...(words.length > 0 && { appliesTo: words }) };
  return [former, { ...former, ...(recursive != null && { recursive }) }];
}

/** Access at the original: a part for each entry, and the owner. Entities of other kinds have none. */
export async function accessParts(migration: Migration, path: Path, old: string): Promise<Parts> {
  const entries = await listIfTold<Entry>(migration, 'access entries', old, at`${path}/access`, 'access');
  if (!entries) return { 'entry/': notTold, owner: notTold };
  const owner = entries.find(({ permission, user }) => permission === 'OWNER' && user != null)?.user;
  const contents = entries.filter(({ permission }) => permission !== 'OWNER').map(contentOf);
  return {
    ...Object.fromEntries(contents.map((content) => [`entry/${digestOf(migration, content)}`, content])),
    ...(owner !== undefined && { owner }),
  };
}

const isAccess = (key: string): boolean => /^(?:entry|access)\//.test(key);

/** Brings the entries of an entity at the target into the state of the parts. `path`: at the target. */
export async function putAccess(
  migration: Migration,
  path: Path,
  old: string,
  { parts, changed, gone }: Difference,
): Promise<void> {
  const { target, report } = migration;
  const [adding, removing] = [[...changed].filter(isAccess), new Set([...gone].filter(isAccess))];
  if (adding.length + removing.size === 0) return;
  const present = new Set<string>();
  for (const entry of many((await target.find<EntryList>(at`${path}/access`))?.access)) {
    if (entry.permission === 'OWNER') continue;
    const key = `entry/${digestOf(migration, contentOf(entry))}`;
    const former = formerContents(entry).map((content) => `access/${digestOf(migration, content)}`);
    // A level that changes is another entry: the old one goes first, so that the new one does not become it.
    const leaves = removing.has(key) || (parts[key] === undefined && former.some((each) => removing.has(each)));
    if (leaves) await target.write('DELETE', at`${path}/access/${entry.id ?? ''}`);
    else present.add(key);
  }
  for (const key of adding) {
    if (present.has(key)) continue;
    try {
      await target.write('POST', at`${path}/access`, parts[key] as object);
    } catch (error) {
      // A deleted user may have left entries.
      if (!(error instanceof Refused) || error.status >= 500) throw error;
      report.remark(`Access entry refused: ${error.message.replace(/^.*?: /, '')}`, old, key);
    }
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
    report.remark(`There is no user "${owner}" here: the entity belongs to an administrator`, old, 'owner');
  }
}

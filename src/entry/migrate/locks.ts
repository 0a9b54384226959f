import type { DeletionLockListDocument, DeletionLockType } from '../../types.ts';
import { carry, digestOf, entriesIfTold, hereByOldId, ifTold, type Migration } from './carry.ts';
import { entriesOf, many } from './original.ts';
import { at, type Path } from './places.ts';

const pathOf = (id: string): Path => at`/deletion-lock/${id}`;

const contentOf = ({ expiryTime = '', metadata }: DeletionLockType) => ({
  expiryTime: new Date(expiryTime).toISOString(),
  metadata: { field: many(metadata?.field).map(({ key, value }) => ({ key, value })) },
});

/** Locks of the original. Releases before 4.15 have none. */
const locksOf = ({ original, report }: Migration, seen = new Set<string>()): AsyncGenerator<DeletionLockType> =>
  entriesOf<DeletionLockType>({
    size: 500,
    seen,
    idOf: ({ id = '' }) => id,
    broken: (position, error) => report.unread('deletion-lock', position, error),
    short: (expected, found) => report.short('deletion-lock', expected, found),
    async read(page) {
      return original.list<DeletionLockType>(original.pagePath(at`/deletion-lock`, page), 'lock');
    },
  });

/** Deletion locks, with their ends. One that has ended or is gone is removed here. */
export async function carryLocks(migration: Migration): Promise<void> {
  const { original, target, journal, report } = migration;
  const seen = new Set<string>();
  const hasExpired = new Set<string>();
  async function* lasting(): AsyncGenerator<DeletionLockType> {
    for await (const lock of entriesIfTold(migration, 'deletion locks', locksOf(migration, seen)))
      if (String(lock.isExpired) === 'true') hasExpired.add(lock.id ?? '');
      else yield lock;
  }
  await carry<DeletionLockType>(migration, {
    kind: 'deletion-lock',
    entries: lasting(),
    idOf: ({ id = '' }) => id,
    partsOf: (lock) => ({ own: contentOf(lock) }),
    put: (lock, { parts, id }) => putLock(migration, lock, parts['own'] as object, id),
  });
  for (const old of [...journal.oldIds('deletion-lock')]) {
    if (seen.has(old) && !hasExpired.has(old)) continue;
    // A list may miss a lock that is there.
    const find = async () => ({ lock: await original.api.find<DeletionLockType>(pathOf(old)) });
    const answer = await ifTold(migration, 'deletion locks', old, find);
    if (!answer || (answer.lock && String(answer.lock.isExpired) !== 'true')) continue;
    const path = pathOf(journal.find('deletion-lock', old)!.id);
    if (await target.find(path)) await target.write('DELETE', path);
    await journal.forget('deletion-lock', old);
    report.count('deletion-lock', 'deleted');
  }
}

async function putLock(
  migration: Migration,
  { entityType = '', entityId = '' }: DeletionLockType,
  own: object,
  current: string | undefined,
): Promise<string> {
  const { target, journal } = migration;
  if (current !== undefined && (await target.find(pathOf(current)))) {
    await target.write('PUT', pathOf(current), own);
    return current;
  }
  const kind = entityType.toLowerCase();
  const entity = kind === 'file' ? await hereByOldId(migration, at`/file`, entityId) : journal.find(kind, entityId)?.id;
  if (!entity) throw new Error(`Expected the ${kind} ${entityId} of the lock here`);
  const path = at`/${kind}/${entity}/deletion-lock`;
  const { lock } = await target.read<DeletionLockListDocument>(path);
  const alike = many(lock).find(
    (each) => !each.isInherited && digestOf(migration, contentOf(each)) === digestOf(migration, own),
  );
  return (alike ?? (await target.write<DeletionLockType>('POST', path, own))).id!;
}

import type { FileArchive, RestoreTier } from '../../../src/spi/index.ts';

/** Storage classes from which an object must be restored before it is read. */
const archives: ReadonlySet<string> = new Set(['GLACIER', 'DEEP_ARCHIVE']);
/** Class whose objects go to an archive by themselves. Lists do not tell which ones. */
const movesByItself = 'INTELLIGENT_TIERING';

const [minute, hour] = [60, 3600];
const bulk = (most: number, least = most): RestoreTier => ({ name: 'Bulk', least, most });
const standard = (most: number, least = most): RestoreTier => ({ name: 'Standard', least, most });

/** Retrieval times as Amazon documents them, those of the default tier first. */
const flexible = [
  standard(5 * hour, 3 * hour),
  bulk(12 * hour, 5 * hour),
  { name: 'Expedited', least: minute, most: 5 * minute },
];
const deep = [standard(12 * hour), bulk(48 * hour)];

const tiers: ReadonlyMap<string, readonly RestoreTier[]> = new Map([
  ['GLACIER', flexible],
  ['DEEP_ARCHIVE', deep],
  ['ARCHIVE_ACCESS', flexible],
  ['DEEP_ARCHIVE_ACCESS', deep],
]);

export const restoreTiers = (storageClass: string): readonly RestoreTier[] => tiers.get(storageClass) ?? [];

/** Objects that move by themselves stay readable once they are restored. */
export const staysRestored = (storageClass: string): boolean => storageClass.endsWith('_ACCESS');

/** State by the headers of an object. */
export function archiveIn(headers: Headers): FileArchive {
  const ownArchive = headers.get('x-amz-archive-status');
  const storageClass = ownArchive ?? headers.get('x-amz-storage-class') ?? 'STANDARD';
  const restore = headers.get('x-amz-restore') ?? '';
  const expiry = Date.parse(/expiry-date="([^"]*)"/.exec(restore)?.[1] ?? '');
  return stateOf(storageClass, restore.includes('ongoing-request="true"'), expiry);
}

/** State by an entry of a list. Undefined: the list does not tell. */
export function archiveListed(
  storageClass = 'STANDARD',
  isRestoring: boolean,
  expiry: string | undefined,
): FileArchive | undefined {
  return storageClass === movesByItself ? undefined : stateOf(storageClass, isRestoring, Date.parse(expiry ?? ''));
}

function stateOf(storageClass: string, isRestoring: boolean, until: number): FileArchive {
  if (!archives.has(storageClass) && !staysRestored(storageClass)) return { state: 'readable', storageClass };
  if (isRestoring) return { state: 'restoring', storageClass };
  return Number.isFinite(until) ? { state: 'restored', storageClass, until } : { state: 'archived', storageClass };
}

/** Body that asks for an object. */
export function restoreRequest(days: number | undefined, tier: string): string {
  const lifetime = days === undefined ? '' : `<Days>${days}</Days>`;
  const job = `<GlacierJobParameters><Tier>${tier}</Tier></GlacierJobParameters>`;
  return `<RestoreRequest xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${lifetime}${job}</RestoreRequest>`;
}

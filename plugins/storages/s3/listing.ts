import type { Listing, StoredFile } from '../../../src/spi/index.ts';
import { fault } from '../faults.ts';
import { isPath, shortPath } from '../paths.ts';
import { elementText, type XmlElement, xmlChildren } from './answers.ts';
import { archiveListed } from './archive.ts';
import type { Client } from './client.ts';
import { unixSeconds, versionFromEtag } from './objects.ts';

/** Folder of own objects, which are no files of the storage. */
export const ownPrefix = '.portico/';

const maxListed = 1000;

interface Page {
  readonly entries: readonly StoredFile[];
  /** Last key of the page, if there are more. */
  readonly next: string | undefined;
}

/** Without it, a list of archived objects does not tell which ones are restored. */
const tellsRestores = { 'x-amz-optional-object-attributes': 'RestoreStatus' };

/** The objects of a bucket in the order of their keys, as many as one request gives. */
export async function listPage(
  client: Client,
  {
    prefix = '',
    after,
    limit = maxListed,
    signal,
  }: { prefix?: string; after?: string; limit?: number; signal?: AbortSignal | undefined },
): Promise<Page> {
  const whole = client.folder.prefix + prefix;
  const query = {
    'list-type': '2',
    'encoding-type': 'url',
    'max-keys': String(Math.min(limit, maxListed)),
    ...(whole !== '' && { prefix: whole }),
    ...(after !== undefined && after !== '' && { 'start-after': client.folder.prefix + after }),
  };
  const root = await client.document({ method: 'GET', query, headers: tellsRestores, signal }, 'ListBucketResult');
  // A store may ignore the encoding, and then says nothing of it.
  const isEncoded = elementText(root, 'EncodingType') === 'url';
  const entries = xmlChildren(root, 'Contents').map((entry) => {
    const key = elementText(entry, 'Key') ?? '';
    return entryOf(entry, isEncoded ? decodedKey(key) : key, client.folder.prefix);
  });
  const isCut = elementText(root, 'IsTruncated') === 'true';
  const last = entries.at(-1)?.path;
  // Without a key to go on from, the same page would come for ever; to stop would hide files.
  if (isCut && (last === undefined || last === after))
    throw fault('offline', 'Expected keys on a page that is not the last one');
  return { entries, next: isCut ? last : undefined };
}

function entryOf(entry: XmlElement, key: string, prefix: string): StoredFile {
  const size = Number(elementText(entry, 'Size') ?? Number.NaN);
  const version = versionFromEtag(elementText(entry, 'ETag') ?? '');
  if (!key.startsWith(prefix) || !Number.isSafeInteger(size) || version === '')
    throw fault('offline', 'Expected a list of keys with sizes and ETags');
  const modified = unixSeconds(elementText(entry, 'LastModified'));
  const archive = archiveListed(
    elementText(entry, 'StorageClass'),
    elementText(entry, 'RestoreStatus/IsRestoreInProgress') === 'true',
    elementText(entry, 'RestoreStatus/RestoreExpiryDate'),
  );
  return {
    ...{ path: key.slice(prefix.length), size, version },
    ...(modified !== undefined && { modified }),
    ...(archive && { archive }),
  };
}

/** Decodes a key in form encoding. */
function decodedKey(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // Bytes that are not UTF-8: the key has no usable name.
    return text;
  }
}

/** Lists files, without staged bytes and without folder objects of other tools. */
export async function listObjects(
  client: Client,
  { after, limit, signal }: { after?: string; limit: number; signal?: AbortSignal },
): Promise<Listing> {
  const { entries, next } = await listPage(client, { limit, signal, ...(after !== undefined && { after }) });
  const others = entries.filter(({ path }) => !path.startsWith(ownPrefix));
  const skipped = others.filter((entry) => !isPath(entry.path) && !isFolder(entry)).map(({ path }) => skip(path));
  const files = others.filter(({ path }) => isPath(path));
  return {
    files,
    ...(next !== undefined && { next: next.startsWith(ownPrefix) ? behindOwn : next }),
    ...(skipped.length > 0 && { skipped }),
  };
}

/** Cursor behind all own objects, so that no page is wasted on them. */
const behindOwn = `${ownPrefix}\u{10ffff}`;

const isFolder = ({ path, size }: StoredFile): boolean => size === 0 && (path === '' || path.endsWith('/'));

const skip = (path: string) => ({
  // With "/" at its end it would count as an unreadable folder.
  path: shortPath(path.replace(/\/+$/, '')),
  reason: 'Expected a key without empty parts, "." and ".."',
});

import type { FileType, TransferType } from '../../types.ts';
import { Refused, Unanswered } from './calls.ts';
import { type Difference, hereByOldId, type Migration, type Parts, putPairs, type StorageLine } from './carry.ts';
import { many } from './original.ts';
import { at, withQuery } from './places.ts';

/** Bytes of one part of a copy: a kill costs at most one part. */
const partBytes = 64 * 1024 * 1024;

/** States of a file whose bytes are there. */
const isWhole = (state: string | undefined): boolean => state === 'CLOSED' || state === 'BEING_READ';

const sha1Form = /^[0-9a-f]{40}$/i;

interface Place {
  /** Id of the storage here. */
  readonly storage: string;
  readonly line: StorageLine;
}

function placeOf({ journal, options }: Migration, { storage = '' }: FileType): Place | undefined {
  const id = journal.find('storage', storage)?.id;
  return id === undefined
    ? undefined
    : { storage: id, line: options.storages.get(storage) ?? { to: '', copies: false } };
}

/** Facts of a file that count for the shape that has it. */
export const fileFacts = ({ id, storage, path, state, size, hash }: FileType): object => {
  // Two scans may see a file in other states while nothing has happened to it.
  const states = isWhole(state) ? 'CLOSED' : state;
  return { id, storage, path, state: states, size, hash };
};

/** Key-value metadata of a file: a part for each key. Scans write some keys, by the clock of the disk. */
export const pairParts = ({ id, metadata }: FileType): Parts =>
  Object.fromEntries(
    many(metadata?.field)
      .filter(({ key }) => key !== 'mtime' && key !== 'created')
      .map(({ key, value = '' }) => [`file/${id}/${key}`, value]),
  );

/** Brings the metadata of files into the state of the parts. Files that did not come have none. */
export async function putFilePairs(migration: Migration, difference: Difference): Promise<void> {
  const keys = [...difference.changed, ...difference.gone].filter((key) => key.startsWith('file/'));
  for (const old of new Set(keys.map((key) => key.split('/')[1]!))) {
    const id = await hereByOldId(migration, at`/file`, old);
    if (id !== undefined) await putPairs(migration, at`/file/${id}`, `file/${old}/`, difference);
  }
}

/** Brings a file to the target, with its old id. Undefined: it does not come. */
export async function bringFile(migration: Migration, shape: string, file: FileType): Promise<string | undefined> {
  const { target, report } = migration;
  const { id: old = '', path, state } = file;
  const place = placeOf(migration, file);
  if (!place || path === undefined) {
    report.remark('Files on storages that do not come', old, `shape/${shape}`);
    return undefined;
  }
  if (state === 'TO_BE_DELETED') return undefined;
  const isCopied = place.line.copies && isWhole(state);
  if (!isCopied)
    try {
      return await registered(migration, place.storage, file, { externalId: old });
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 400) throw error;
    }
  const id = isCopied ? await copied(migration, place.storage, file) : await registered(migration, place.storage, file);
  try {
    await target.write('PUT', at`/file/${id}/external-id/${old}`);
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 400) throw error;
    report.remark('Files whose old ids belong to other files here', old, `shape/${shape}`);
  }
  return id;
}

/** Tells the target of bytes that are where they were. */
async function registered(
  { target }: Migration,
  storage: string,
  file: FileType,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { path, state, size, hash } = file;
  const body = {
    path,
    state: isWhole(state) ? 'CLOSED' : state,
    ...(size !== undefined && size >= 0 && { size }),
    ...(sha1Form.test(hash ?? '') && { hash: hash!.toLowerCase() }),
  };
  const query = new URLSearchParams({ createOnly: 'false', ...more });
  return (await target.write<FileType>('POST', at`/storage/${storage}/file?${query}`, body)).id!;
}

/** The bytes were other than the original says. */
class OtherBytes extends Error {}

/** Copies the bytes, and compares their hash with the one of the original. */
async function copied(migration: Migration, storage: string, file: FileType): Promise<string> {
  const { target } = migration;
  const { id: old = '', path = '', size = 0, hash } = file;
  const place = at`/storage/${storage}/file/byURI?path=${path}`;
  const earlier = await target.find<FileType>(place);
  const isCopied = earlier?.state === 'CLOSED' && earlier.size === size && (!hash || isEqual(earlier.hash, hash));
  if (isCopied) return earlier.id!;
  const done = await uploaded(migration, storage, file, earlier);
  const own = done.hash ?? (await hashHere(migration, done.id!, done.size ?? size));
  if (done.size === size && (hash === undefined || isEqual(own, hash))) {
    migration.report.copied(size);
    return done.id!;
  }
  // Bytes that are not those of the original are no copy, and the next run tries again.
  await target.write('PUT', at`/file/${done.id ?? ''}/state/LOST`);
  throw new OtherBytes(`File ${old}: expected ${size} bytes with the hash ${hash}: found ${done.size} with ${own}`);
}

const isEqual = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && a.toLowerCase() === b.toLowerCase();

async function uploaded(
  { target, original }: Migration,
  storage: string,
  { id: old = '', path = '', size = 0 }: FileType,
  earlier: FileType | undefined,
): Promise<FileType> {
  const name = `migrate-${old}-${size}`;
  const begun = await target.find<TransferType>(at`/transfer/${name}`);
  const isBegun = begun?.state === 'TRANSFERRING' || begun?.state === 'WAITING';
  const isReplaced = earlier && !(isBegun && begun.fileId === earlier.id);
  const to = isReplaced
    ? at`/file/${earlier.id ?? ''}/data`
    : at`/storage/${storage}/file/data?${new URLSearchParams({ path, state: 'CLOSED' })}`;
  // Parts arrive in order, so what is there is a beginning.
  let from = isBegun ? Math.floor((begun.transferred ?? 0) / partBytes) * partBytes : 0;
  for (;;) {
    const end = Math.min(from + partBytes, size);
    const isPart = size > partBytes;
    const range = isPart ? `bytes=${from}-${end - 1}` : undefined;
    const data = at`/storage/file/${old}/data`;
    const answer = await original.api.open(data, (part) => (part ? end - from : size), range);
    const type = { 'content-type': 'application/octet-stream' };
    if (!isPart || !answer.isPart) return sent<FileType>(target.send('POST', to, answer.body, type));
    const headers = { ...type, size: String(size), index: String(from) };
    const part = withQuery(to, `transferId=${encodeURIComponent(name)}`);
    const file = await sent<FileType>(target.send('POST', part, answer.body, headers));
    if (end === size) return file;
    from = end;
  }
}

/** A body that breaks off is no refusal: the next attempt goes on behind the last part. */
const sent = <T>(sending: Promise<T>): Promise<T> =>
  sending.catch((error: unknown) => {
    throw error instanceof Refused && error.status === 400 ? new Unanswered(error.message) : error;
  });

/** Hash of bytes that came in parts, by several processes. */
async function hashHere({ target, newHasher }: Migration, id: string, size: number): Promise<string> {
  const hasher = newHasher();
  const { body } = await target.open(at`/file/${id}/data`, () => size);
  for await (const piece of body as unknown as AsyncIterable<Uint8Array>) hasher.update(piece);
  return hasher.hex();
}

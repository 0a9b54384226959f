import { loadShapes, shapesAllowed } from '../../../assets/shapes/public.ts';
import { mediaOfItem, mediaOfShape, useOfMedia } from '../../../assets/usage/public.ts';
import { lacksRight } from '../../../core/lib/errors.ts';
import { passing } from '../../../core/lib/streams.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { JobFails, type LeasedJob } from '../../../room/jobs/job-type.ts';
import type { MediaUse } from '../../../room/media.ts';
import type { Caller } from '../../../security/caller.ts';
import { type ExportDestination, openDestination } from '../destination.ts';
import { splitUri } from '../destination-uri.ts';
import type { ExportParts } from '../parts.ts';
import { contentOfFile, type ExportRow, nextFiles, writeFile } from '../store.ts';
import { isDeclaration, requireKnownBytes, tagBytes } from './bag.ts';
import { type ExportMemo, isPart, isPicture } from './export-job.ts';
import { openExportSource, pictureBytes, SourceGone, whileUsable, withPart, withXmp } from './exported-bytes.ts';
import { numbered, sidecarEndings, sidecarOf } from './naming.ts';
import { archiveBytes, compressed, isArchive } from './packing.ts';
import { sidecarBytes } from './sidecar.ts';
import { type ExportedBytes, textBytes, type Writing, writeBytes } from './write.ts';
import { xmpOf } from './xmp.ts';

const slice = 100;
/** Files of one name at one place. */
const maxNumbers = 1000;

interface Exporting {
  readonly parts: ExportParts;
  readonly job: LeasedJob<ExportMemo>;
  readonly call: Caller;
  readonly memo: ExportMemo;
  readonly destination: ExportDestination;
  /** Path of the bag at the destination, with "/" at its end. Empty: the files are no bag, or it has no folder yet. */
  readonly folder: string;
}

async function begin(parts: ExportParts, job: LeasedJob<ExportMemo>, call: Caller): Promise<Exporting> {
  const { memo } = job;
  const destination = await openDestination(parts, splitUri(memo.destinationUri).folder);
  await job.begins();
  return { parts, job, call, memo, destination, folder: '' };
}

/** Milliseconds after their last byte until staged bytes are discarded. */
const stale = 24 * 3_600_000;

/** Discards bytes that a killed server staged in a folder without a storage. Storages discard their own. */
async function sweep({ parts: { clock }, destination }: Exporting): Promise<void> {
  if (!('driver' in destination) || destination.storageId !== undefined) return;
  const { driver } = destination;
  for (const { token, at } of (await driver.staged?.().catch(() => [])) ?? []) {
    if (at < clock.now() - stale) await driver.discard?.(token).catch(() => undefined);
  }
}

async function* rowsOf({ parts: { store }, job }: Exporting, ...states: readonly string[]): AsyncGenerator<ExportRow> {
  let position = -1;
  for (;;) {
    const query = { jobId: job.id, position, states, limit: slice };
    const rows: readonly ExportRow[] = await nextFiles(store, query);
    for (const row of rows) {
      job.signal.throwIfAborted();
      yield row;
    }
    if (rows.length < slice) return;
    position = rows.at(-1)!.position;
  }
}

const record = async ({ parts: { store }, job }: Exporting, { jobId, position }: ExportRow, to: Partial<ExportRow>) => {
  await store.commit(
    changing(
      job.mine,
      writeFile({ jobId, position, ...{ name: null, state: 'waiting', token: null, size: null, sha256: null }, ...to }),
    ),
    job.actor,
  );
};

function* namesOf(first: string): Generator<string> {
  for (let number = 0; number < maxNumbers; number++) yield numbered(first, number);
}

/**
 * Use of what a row is made of by the user of the job, who may still read it. Undefined: it is passed over. Fails the job if
 * that passes over nothing.
 */
async function useOf(
  { parts: { store, clock }, call, memo }: Exporting,
  row: Pick<ExportRow, 'itemId' | 'shapeId' | 'fileId'>,
): Promise<MediaUse | undefined> {
  const { itemId, shapeId, fileId } = row;
  if (shapeId === '') return isPicture(memo) ? useOfMedia(store, call, mediaOfItem(itemId), clock) : {};
  const shapes = (await loadShapes(store, itemId)).filter(({ id }) => id === shapeId);
  const allowed = await shapesAllowed(
    store,
    call,
    await shapesAllowed(store, call, new Map([[itemId, shapes]]), 'SHAPE'),
    'URI',
  );
  if (allowed.get(itemId)!.length < shapes.length) {
    if (memo.lenient) return undefined;
    throw new JobFails(`Expected a file that the user of the job may read: ${fileId} of the item ${itemId}`);
  }
  try {
    return await useOfMedia(store, call, mediaOfShape({ id: shapeId, itemId }), clock);
  } catch (error) {
    if (memo.lenient && lacksRight(error)) return undefined;
    throw error;
  }
}

/** Writes the metadata of the item beside the place of each file. Its name keeps the name of the file free. */
export async function writeSidecars(parts: ExportParts, job: LeasedJob<ExportMemo>, call: Caller): Promise<number> {
  const exporting = await begin(parts, job, call);
  let written = 0;
  for await (const row of rowsOf(exporting, 'waiting', 'begun')) {
    // Texts of a template are not media of an item.
    if (isText(exporting.memo, row) || !(await useOf(exporting, row))) continue;
    await describeFile(exporting, row, row.wished);
    written++;
  }
  return written;
}

/** Writes the sidecars of a file. The first one finds the name of all. */
async function describeFile(exporting: Exporting, row: ExportRow, firstName: string): Promise<void> {
  const [first, second] = sidecarEndings(exporting.memo);
  let { name } = row;
  if (row.state !== 'begun') {
    name = await writeSidecar(exporting, row, { ending: first!, names: () => namesOf(firstName), before: 'waiting' });
    await record(exporting, row, { name, state: second ? 'begun' : 'described' });
  }
  if (!second) return;
  const begun = row.state === 'begun' ? row : { ...row, name, token: null };
  await writeSidecar(exporting, begun, { ending: second, names: () => [name!], before: 'begun' });
  await record(exporting, row, { name, state: 'described' });
}

interface Sidecar {
  readonly ending: 'xml' | 'xmp';
  /** Names of the file that it stands beside, the preferred one first. */
  names(): Iterable<string>;
  /** State of the row until it is there. */
  readonly before: string;
}

async function writeSidecar(
  exporting: Exporting,
  row: ExportRow,
  { ending, names, before: state }: Sidecar,
): Promise<string> {
  const { destination, job, parts, call } = exporting;
  const bytes =
    ending === 'xml'
      ? await sidecarBytes(exporting, row.itemId)
      : new TextEncoder().encode((await xmpOf(parts, call, row.itemId)).packet);
  let name = row.name;
  const writing: Writing = {
    *names() {
      for (const each of names()) {
        name = each;
        yield sidecarOf(each, ending);
      }
    },
    companions: () => (state === 'waiting' ? [name!, ...companionsOf(exporting, name!).slice(1)] : []),
    begun: { name: row.name === null ? null : sidecarOf(row.name, ending), token: row.token },
    open: (write) => write({ body: new Blob([bytes]).stream(), size: bytes.byteLength }),
    record: (_sidecar, token) => record(exporting, row, { name, state, token }),
  };
  await writeBytes(destination, job, writing);
  return name!;
}

const companionsOf = ({ memo }: Exporting, name: string): readonly string[] =>
  sidecarEndings(memo).map((ending) => sidecarOf(name, ending));

interface Transferred {
  readonly names: readonly string[];
  /** Files that are not there any more. */
  readonly missing: number;
  /** Why files are exported as they are, without XMP inside. */
  readonly plain: readonly string[];
}

/** The names that are told: a large export tells some. */
const maxTold = 100;

/** Copies the files of the job to their names. */
export async function transferFiles(
  parts: ExportParts,
  job: LeasedJob<ExportMemo>,
  call: Caller,
): Promise<Transferred> {
  let exporting = await begin(parts, job, call);
  await sweep(exporting);
  const names: string[] = [];
  const plain: string[] = [];
  let missing = 0;
  // After a crash the first ones have their names already.
  for await (const row of rowsOf(exporting, 'waiting', 'described', 'exported', 'missing')) {
    const name =
      row.state === 'exported' ? row.name : row.state === 'missing' ? undefined : await transfer(exporting, row, plain);
    if (name === undefined || name === null) missing++;
    else if (names.length < maxTold) names.push(name);
    if (name && isInBag(exporting.memo, row) && isDeclaration(row))
      exporting = { ...exporting, folder: name.slice(0, name.lastIndexOf('/') + 1) };
  }
  return { names, missing, plain: [...new Set(plain)].slice(0, maxTold) };
}

const isText = ({ template }: ExportMemo, { fileId }: ExportRow): boolean => template !== undefined && fileId === '';

const isInBag = ({ bag }: ExportMemo, { fileId }: ExportRow): boolean => bag !== undefined && fileId === '';

async function templateText({ store }: ExportParts, { jobId, position }: ExportRow): Promise<ExportedBytes> {
  return textBytes((await contentOfFile(store, { jobId, position }))?.content ?? '');
}

/** The bytes that get the name: a file, a part of one, a picture, a tag file of a bag, a text or an archive of a template. */
async function opened<T>(
  exporting: Exporting,
  row: ExportRow,
  write: (bytes: ExportedBytes) => Promise<T>,
  plain: string[],
) {
  const { parts, job, call, memo } = exporting;
  if (isPicture(memo)) return write(await pictureBytes(parts, job, memo));
  if (isArchive(row)) {
    const packing = { parts, job, useOf: (file: Parameters<typeof useOf>[1]) => useOf(exporting, file) };
    return write(await archiveBytes(packing, row, (sentence) => plain.push(sentence)));
  }
  if (isText(memo, row)) return write(await templateText(parts, row));
  if (isInBag(memo, row)) {
    const bag = { ...exporting, rows: () => rowsOf(exporting, 'exported') };
    return write(await tagBytes(bag, row, (itemId) => sidecarBytes(exporting, itemId)));
  }
  if (isPart(memo)) return withPart(parts, job, memo, row, write);
  const xmp = memo.xmp === 'embedded' ? await xmpOf(parts, call, row.itemId) : undefined;
  if (xmp && !xmp.isEmpty) return withXmp(parts, job, row, xmp.packet, write, plain);
  return write(await openExportSource(parts, job, row.fileId));
}

/** Opens bytes as `opened` does, and tells their number and SHA-256 for the manifest of a bag. */
async function openedForBag<T>(
  exporting: Exporting,
  row: ExportRow,
  write: (bytes: ExportedBytes) => Promise<T>,
  plain: string[],
  hashed: (of: { readonly size: number; readonly sha256: string }) => void,
): Promise<T> {
  const { parts, memo } = exporting;
  const writeHashed = async ({ body, size: announced }: ExportedBytes): Promise<T> => {
    const hasher = parts.hasher('SHA-256');
    let size = 0;
    const each = (piece: Uint8Array) => {
      hasher.update(piece);
      size += piece.byteLength;
    };
    const written = await write({ body: passing(body, { each }), size: announced });
    const sha256 = hasher.hex();
    const isWhole = row.fileId !== '' && !isPart(memo) && memo.xmp !== 'embedded';
    if (isWhole) await requireKnownBytes(parts, row, sha256);
    hashed({ size, sha256 });
    return written;
  };
  return opened(exporting, row, writeHashed, plain);
}

/** Names of a row that are tried, the preferred one first. Files of the service in a bag have the name of the standard. */
function wishedNames({ memo, folder }: Exporting, row: ExportRow): Iterable<string> {
  if (memo.bag === undefined) return namesOf(row.wished);
  if (row.fileId !== '') return namesOf(folder + row.wished);
  return isDeclaration(row) ? inFolders(namesOf(memo.bag), row.wished) : [folder + row.wished];
}

function* inFolders(folders: Iterable<string>, name: string): Generator<string> {
  for (const folder of folders) yield `${folder}/${name}`;
}

async function transfer(exporting: Exporting, row: ExportRow, plain: string[]): Promise<string | undefined> {
  const { job, memo, destination } = exporting;
  const described = row.state === 'described';
  const isBag = memo.bag !== undefined;
  let { size, sha256 } = row;
  const hashed = (of: { readonly size: number; readonly sha256: string }) => {
    ({ size, sha256 } = of);
  };
  const use = await useOf(exporting, row);
  if (!use) {
    await record(exporting, row, { state: 'missing' });
    return undefined;
  }
  const writing: Writing = {
    *names() {
      if (described) yield row.name!;
      for (const name of wishedNames(exporting, row)) if (!described || name !== row.name) yield name;
    },
    // The file's own sidecar exists already.
    companions: (name) =>
      isBag || isText(memo, row) || (described && name === row.name) ? [] : companionsOf(exporting, name),
    begun: row,
    open: (write) => {
      const writeUsable = (bytes: ExportedBytes) => {
        const usable = whileUsable(bytes, use);
        return write(row.pack === 'gz' ? compressed(usable) : usable);
      };
      return isBag
        ? openedForBag(exporting, row, writeUsable, plain, hashed)
        : opened(exporting, row, writeUsable, plain);
    },
    record: (name, token) => record(exporting, row, { name, state: row.state, token, size, sha256 }),
  };
  try {
    const name = await writeBytes(destination, job, writing);
    // The file got another name than expected, so a sidecar is written beside that one.
    if (described && name !== row.name)
      await describeFile(exporting, { ...row, state: 'waiting', name: null, token: null }, name);
    await record(exporting, row, { name, state: 'exported', size, sha256 });
    return name;
  } catch (error) {
    if (!(error instanceof SourceGone)) throw error;
    if (isArchive(row))
      throw new JobFails(
        `Expected the files of the archive ${row.wished} to stay, and the rights to them, until it is whole`,
      );
    if (!memo.lenient)
      throw new JobFails(`Expected the file ${row.fileId} to stay, and its rights to last, until it is exported`);
    await record(exporting, row, { state: 'missing' });
    return undefined;
  }
}

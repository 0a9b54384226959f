import { FolderNames } from '../../../core/lib/file-name.ts';
import { yieldTurn } from '../../../core/lib/turn.ts';
import { type ZipEntry, zipOf } from '../../../core/lib/zip.ts';
import { JobFails, type LeasedJob } from '../../../room/jobs/job-type.ts';
import type { MediaUse } from '../../../room/media.ts';
import { findFile } from '../../../storage/public-reading.ts';
import { maxArchiveFiles } from '../archives/files.ts';
import type { ExportParts } from '../parts.ts';
import { contentOfFile, type ExportRow, filesInArchive } from '../store.ts';
import type { ExportMemo } from './export-job.ts';
import { openExportSource, SourceGone, whileUsable } from './exported-bytes.ts';
import { type ExportedBytes, textBytes } from './write.ts';

const slice = 500;

export const isArchive = ({ pack }: Pick<ExportRow, 'pack'>): boolean => pack?.startsWith('of:') ?? false;

type PackedFile = Awaited<ReturnType<typeof filesInArchive>>[number];

interface Packing {
  readonly parts: ExportParts;
  readonly job: LeasedJob<ExportMemo>;
  /** Use of a file by the user of the job. Undefined: it is passed over. */
  useOf(file: PackedFile): Promise<MediaUse | undefined>;
}

async function* filesOf({ parts: { store }, job }: Packing, pack: string): AsyncGenerator<PackedFile> {
  for (let position = -1; ; ) {
    const files: readonly PackedFile[] = await filesInArchive(store, { jobId: job.id, pack, position, limit: slice });
    yield* files;
    if (files.length < slice) return;
    position = files.at(-1)!.position;
    await yieldTurn();
  }
}

/** A ZIP file of the files in an archive of a template, made while it is written. `tell`: hears what is left out. */
export async function archiveBytes(
  packing: Packing,
  { wished, pack }: ExportRow,
  tell: (sentence: string) => void,
): Promise<ExportedBytes> {
  const { job } = packing;
  const folders = new Map<string, FolderNames>();
  const entries: ZipEntry[] = [];
  let missing = 0;
  for await (const file of filesOf(packing, pack!.replace('of:', 'in:'))) {
    job.signal.throwIfAborted();
    if (entries.length === maxArchiveFiles)
      throw new JobFails(`Expected at most ${maxArchiveFiles} files in the archive ${wished}`);
    const measures = await sizeOf(packing, file);
    if (!measures) {
      missing++;
      continue;
    }
    const [, folder = '', name = ''] = /^(.*\/)?([^/]*)$/.exec(file.wished)!;
    const names = folders.get(folder) ?? new FolderNames();
    folders.set(folder, names);
    entries.push({ name: folder + names.take(name), ...measures, open: () => opened(packing, file) });
  }
  if (missing > 0) tell(`The archive ${wished} lacks ${missing} files that are gone, or that the user may not read`);
  if (job.memo.xmp === 'embedded' && entries.length > 0) tell(`Files in the archive ${wished} have no XMP inside`);
  const zip = zipOf(entries);
  return { body: zip.open(0, zip.size), size: zip.size };
}

/** Size and time of a file. Undefined: an export that may lack files leaves it out. */
async function sizeOf(packing: Packing, file: PackedFile): Promise<Pick<ZipEntry, 'size' | 'modified'> | undefined> {
  const { parts, job } = packing;
  const { fileId, textSize } = file;
  if (fileId === '') return { size: textSize ?? 0, modified: parts.clock.now() };
  const row = (await packing.useOf(file)) && (await findFile(parts.store, { id: fileId }));
  if (row && row.state !== 'TO_BE_DELETED' && row.size !== null)
    return { size: row.size, modified: row.modified === null ? undefined : Math.floor(row.modified / 1000) };
  if (job.memo.lenient) return undefined;
  throw new JobFails(`Expected the file ${fileId} to stay until it is exported`);
}

/** The bytes of a file, for a user who may still read it. */
async function opened(packing: Packing, file: PackedFile): Promise<ReadableStream<Uint8Array>> {
  const { parts, job } = packing;
  const { fileId, position } = file;
  if (fileId === '')
    return textBytes((await contentOfFile(parts.store, { jobId: job.id, position }))?.content ?? '').body;
  const use = await packing.useOf(file);
  if (!use) throw new SourceGone();
  return whileUsable(await openExportSource(parts, job, fileId), use).body;
}

/** Bytes in the form of gzip. Their number is known behind the last one. */
export const compressed = ({ body }: ExportedBytes): ExportedBytes => ({
  body: body.pipeThrough(new CompressionStream('gzip') as ReadableWritablePair<Uint8Array, Uint8Array>),
  size: undefined,
});

import type { MetadataDocumentValue } from '../../../assets/metadata/public-reading.ts';
import type { DocumentLimits } from '../../../core/documents/index.ts';
import { collected } from '../../../core/lib/streams.ts';
import { entityNamed } from '../../../room/entities/find.ts';
import { hook } from '../../../room/hook.ts';
import { JobFails, type LeasedJob } from '../../../room/jobs/job-type.ts';
import { fileKind, jobError, methodsOf } from '../../../storage/public.ts';
import type { IngestParts } from '../parts.ts';
import { isAddress, jobMayHave, type MayHave } from '../sources/foreign.ts';
import { openAt, openImportSource } from '../sources/open.ts';
import type { Source } from '../sources/source.ts';

/** A file with what is said of the media beside it. */
export interface Sidecar {
  readonly name: string;
  readonly text: string;
}

/** File extensions of subtitles. Files with them belong to the media beside them. */
export const captionEndings = ['srt', 'vtt', 'scc', 'ttml', 'dfxp'] as const;

/** Reads a file of subtitles. Undefined: it has none of the known formats. Throws JobFails for an unusable file. */
type ReadCaptions = (
  sidecar: Sidecar,
  limits: DocumentLimits,
  language: string | undefined,
) => Promise<MetadataDocumentValue | undefined>;

export const captionsHook = hook<ReadCaptions>('captions');

/** Reads a sidecar that a caller has named: a file of a storage, or an address. */
export async function readSidecar(
  parts: IngestParts,
  job: LeasedJob<{ readonly itemId: string }>,
  named: string,
): Promise<Sidecar> {
  try {
    const mayHave = jobMayHave(parts, job);
    const open = isAddress(named) ? openImportSource : openStored;
    const source = await open(parts, mayHave, named, job.signal);
    return { name: source.name, text: await sourceText(source, 'sidecar', parts.settings.maxBodyBytes) };
  } catch (error) {
    throw jobError(error, '');
  }
}

async function openStored(
  { store, places }: IngestParts,
  mayHave: MayHave,
  named: string,
  signal: AbortSignal,
): Promise<Source> {
  const { id, storageId, path } = await entityNamed(store, fileKind(store), named);
  await mayHave(id);
  const method = (await methodsOf(store, { id: storageId })).find(({ read }) => read === 1);
  if (!method) throw new JobFails(`Expected a storage with a method that reads: ${storageId}`);
  return openAt(await places.of(method), path, signal, storageId);
}

/** Text of a source. `noun`: what it is, for refusals. */
export async function sourceText(source: Source, noun: string, max: number): Promise<string> {
  const bytes = (source.size ?? 0) > max ? undefined : await collected(await source.body(), max);
  if (bytes) return decodeText(bytes);
  throw new JobFails(`Expected a ${noun} of at most ${max} bytes (setting maxBodyBytes)`);
}

export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new JobFails('Expected a sidecar in UTF-8');
  }
}

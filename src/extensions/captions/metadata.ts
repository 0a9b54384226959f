import type { MetadataDocumentValue } from '../../assets/metadata/public-reading.ts';
import type { DocumentLimits } from '../../core/documents/index.ts';
import type { Sidecar } from '../../production/ingest/public.ts';
import { JobFails } from '../../room/jobs/job-type.ts';
import { CaptionError, type Cue } from './cue.ts';
import { isCaptions, readCaptions } from './read.ts';

/** Field whose timed values are subtitles. */
export const subtitleField = 'stl_text';

/** Subtitles as metadata with time spans. `language`: what the caller says of those without one. */
const metadataOfCues = (cues: readonly Cue[], language: string | undefined): MetadataDocumentValue => ({
  timespan: cues.map((cue) => {
    const lang = language ?? cue.language;
    const value = [{ value: cue.text, ...(lang !== undefined && { lang }) }];
    return { start: cue.start, end: cue.end, field: [{ name: subtitleField, value }] };
  }),
});

/** Subtitles of a file as metadata. Undefined: it has none of the known formats. */
export async function captionMetadata(
  sidecar: Sidecar,
  limits: DocumentLimits,
  language: string | undefined,
): Promise<MetadataDocumentValue | undefined> {
  if (!isCaptions(sidecar)) return undefined;
  const cues = await readCaptions(sidecar, limits).catch((error: unknown) => {
    throw error instanceof CaptionError ? new JobFails(`${sidecar.name}: ${error.message}`) : error;
  });
  if (cues.length > 0) return metadataOfCues(cues, language);
  throw new JobFails(`Expected subtitles with times: ${sidecar.name}`);
}

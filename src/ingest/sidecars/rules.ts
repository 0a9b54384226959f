import type { MetadataDocumentValue } from '../../assets/documents/metadata.ts';
import type { Cue } from '../../extensions/captions/cue.ts';
import { subtitleField } from '../../extensions/captions/field.ts';

/** A file with what is said of the media beside it. */
export interface Sidecar {
  readonly name: string;
  readonly text: string;
}

/** Subtitles as metadata with time spans. `language`: what the caller says of those without one. */
export const metadataOfCues = (cues: readonly Cue[], language: string | undefined): MetadataDocumentValue => ({
  timespan: cues.map((cue) => {
    const lang = language ?? cue.language;
    const value = [{ value: cue.text, ...(lang !== undefined && { lang }) }];
    return { start: cue.start, end: cue.end, field: [{ name: subtitleField, value }] };
  }),
});

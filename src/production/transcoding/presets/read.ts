import { transcodePresetDocument } from '../../../assets/shapes/public.ts';
import { createXmlReader, type DocumentLimits, readJson, type Value } from '../../../core/documents/index.ts';

export type Preset = Value<typeof transcodePresetDocument>;

interface ReadPreset {
  readonly preset: Preset;
  /** Names of elements that the service keeps and does not know. */
  readonly unknown: readonly string[];
}

/** A preset as its shape tag keeps it. */
export function presetFrom(form: string, document: string, limits: DocumentLimits): ReadPreset {
  const unknown = new Set<string>();
  const tell = (name: string) => unknown.add(name);
  if (form === 'json') {
    const preset = readJson(transcodePresetDocument, document, limits, tell);
    return { preset, unknown: [...unknown] };
  }
  const reader = createXmlReader(transcodePresetDocument, limits, tell);
  reader.write(new TextEncoder().encode(document));
  return { preset: reader.end(), unknown: [...unknown] };
}

export const unreadablePreset = 'Expected the script to leave a preset';

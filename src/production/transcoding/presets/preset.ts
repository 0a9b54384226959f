import type { FieldReader } from '../../../assets/definitions/public-reading.ts';
import { metadataOf, storedView, terseOf } from '../../../assets/metadata/public.ts';
import {
  findTag,
  noSuchTag,
  type Shape,
  shapeDocuments,
  transcodePresetDocument,
} from '../../../assets/shapes/public.ts';
import { shapeDocument } from '../../../assets/shapes/public-reading.ts';
import {
  createXmlReader,
  DocumentError,
  type DocumentLimits,
  readJson,
  type Value,
  writeJson,
} from '../../../core/documents/index.ts';
import type { Pairs } from '../../../core/events/payloads.ts';
import { existing } from '../../../core/lib/checks.ts';
import { type Json, runScript, ScriptFails } from '../../../core/scripts/run-script.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { badParameter } from '../../../http/parameters/index.ts';
import type { TranscodingParts } from '../parts.ts';
import { findScript } from '../store.ts';

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

const unreadablePreset = 'Expected the script to leave a preset';

/** The tags are known, and each has a preset that files can be made by. */
export async function requirePresets(
  { store, limits }: Pick<TranscodingParts, 'store' | 'limits'>,
  tags: readonly string[],
): Promise<void> {
  for (const tag of tags) {
    const row = existing(await findTag(store, { name: tag }), noSuchTag, tag);
    if (presetFrom(row.form, row.document, limits).preset.format) continue;
    throw badParameter('tag', 'Expected a shape tag whose preset has a format', tag);
  }
}

/** A preset after its script has run. */
export interface EvaluatedPreset {
  readonly preset: Preset;
  /** Elements that the service keeps and does not know. */
  readonly unknown: readonly string[];
}

interface EvaluatedFor {
  /** Undefined: an empty one, as when several shapes are put together. */
  readonly shape: Shape | undefined;
  readonly data: Pairs;
  /** Finds the user whose fields of the item the script sees. Undefined: the service itself, which sees all. */
  askerFor(): Promise<FieldReader | undefined>;
}

const jsonOf = <T>(text: T): Json => JSON.parse(String(text)) as Json;

/**
 * Preset of a tag, changed by the tag's script. Undefined: unknown tag. Throws ScriptFails with the message of the
 * script.
 */
export async function evaluatePreset(
  reader: Reader,
  tag: string,
  about: EvaluatedFor,
  limits: DocumentLimits,
): Promise<EvaluatedPreset | undefined> {
  const row = await findTag(reader, { name: tag });
  if (!row) return undefined;
  const read = presetFrom(row.form, row.document, limits);
  const script = (await findScript(reader, { tag }))?.script ?? read.preset.script;
  if (script === undefined || script.trim() === '') return read;
  const variables = await variablesFor(reader, about);
  const preset = jsonOf(writeJson(transcodePresetDocument, read.preset));
  const result = await runScript(script, { ...variables, preset }, ['preset']);
  return { ...read, preset: presetOf(result['preset'], limits) };
}

async function variablesFor(reader: Reader, { shape, data, askerFor }: EvaluatedFor): Promise<Record<string, Json>> {
  const jobMetadata = Object.fromEntries(data);
  if (!shape) return { shape: {}, metadata: {}, jobMetadata };
  const [document] = await shapeDocuments(reader, [shape]);
  const owner = { kind: 'item', id: shape.itemId } as const;
  const asker = await askerFor();
  const metadataById = await metadataOf(reader, [owner], storedView, { ...(asker && { asker }) });
  const terse = terseOf(metadataById.get(shape.itemId) ?? {});
  const metadata = Object.fromEntries(
    [...terse].map(([name, values]) => [name, values.map(({ value }) => value ?? '')]),
  );
  return { shape: jsonOf(writeJson(shapeDocument, document!)), metadata, jobMetadata };
}

function presetOf(value: Json | undefined, limits: DocumentLimits): Preset {
  try {
    return readJson(transcodePresetDocument, JSON.stringify(value ?? null), limits);
  } catch (error) {
    if (error instanceof DocumentError) throw new ScriptFails(`${unreadablePreset}: ${error.explanation}`);
    throw error;
  }
}

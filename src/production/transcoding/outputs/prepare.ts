import { askerOf } from '../../../assets/definitions/public-reading.ts';
import { callerOfJob } from '../../../assets/search/public.ts';
import { findTag, type Shape, transcodePresetDocument } from '../../../assets/shapes/public.ts';
import { writeJson } from '../../../core/documents/index.ts';
import { askEach } from '../../../core/lib/maybe.ts';
import { ScriptFails } from '../../../core/scripts/run-script.ts';
import type { Statement } from '../../../core/store/contract.ts';
import { JobFails, type LeasedJob, type StepResult } from '../../../room/jobs/job-type.ts';
import { beginReading, nameFile } from '../../../storage/public.ts';
import type { TranscodingParts } from '../parts.ts';
import { unsupported } from '../presets/order.ts';
import { type EvaluatedPreset, evaluatePreset, type Preset, presetFrom } from '../presets/preset.ts';
import { seenIn, sourceFile, sourceShape } from '../source.ts';
import { insertOutput } from '../store.ts';
import { makesStream, type Rendition, renditionsOf } from '../streams/ladder.ts';
import type { TranscodeRequest } from '../transcode-request.ts';
import { isPictureFormat } from './formats.ts';

/** Writes down what a job makes of which shapes of its item. Presets that change later change nothing for it. */
export async function prepareOutputs(
  parts: TranscodingParts,
  job: LeasedJob,
  { itemId }: Pick<TranscodeRequest, 'itemId'>,
  sources: readonly TagSource[],
): Promise<StepResult> {
  const { store } = parts;
  const changes: Statement[] = [];
  let position = 0;
  for (const { tag, shape } of sources) {
    if (!shape) throw new JobFails(`Expected a shape of the item to start from: ${itemId} has no media`);
    const preset = await presetFor(parts, job, tag, shape);
    const file = await sourceFile(store, shape);
    const named = { fileId: file.id, jobId: job.id };
    const newShapeId = await store.nextId('shape');
    const row = { jobId: job.id, tag, shapeId: shape.id, sourceId: file.id, newShapeId };
    changes.push(nameFile(named), ...beginReading(named));
    for (const { name, preset: own } of await filesOf(parts, preset, shape)) {
      const document = String(writeJson(transcodePresetDocument, own));
      changes.push(insertOutput({ rendition: name, position: position++, preset: document, ...row }));
    }
  }
  return { work: { changes, events: [] } };
}

/** Media types of pictures that may move. */
const movingTypes: ReadonlySet<string> = new Set(['image/gif']);

/** Tags of a request that make films or sound of a picture that does not move. */
export async function tagsBeyondPicture(
  { store }: Pick<TranscodingParts, 'store'>,
  sources: readonly TagSource[],
): Promise<readonly string[]> {
  const beyond = await askEach(sources, async ({ tag, shape, format }) => {
    if (!shape || format === undefined || isPictureFormat(format.toLowerCase())) return [];
    const type = (await seenIn(store, shape)).pictureType;
    return type === undefined || movingTypes.has(type) ? [] : [tag];
  });
  return beyond.flat();
}

/** Files that a preset makes of a shape. A stream has one for each rendition. */
const filesOf = async (
  { store }: Pick<TranscodingParts, 'store'>,
  preset: Preset,
  shape: Shape,
): Promise<readonly Rendition[]> =>
  makesStream(preset) ? renditionsOf(preset, await seenIn(store, shape)) : [{ name: '', preset }];

type EvaluationParts = Pick<TranscodingParts, 'store' | 'limits' | 'clock' | 'services'>;

/** The preset of a tag as its script leaves it. `shape`: undefined where several are put together. */
export async function presetFor(
  parts: EvaluationParts,
  job: LeasedJob,
  tag: string,
  shape: Shape | undefined,
): Promise<Preset> {
  const { preset, unknown } = await evaluated(parts, job, tag, shape);
  if (!preset.format) throw new JobFails(`Expected a preset with a format: the shape tag ${tag} has none`);
  const beyond = unsupported(preset, unknown);
  if (beyond === undefined) return preset;
  throw new JobFails(`Expected no element in the preset ${tag} that no transcoder here carries out: found "${beyond}"`);
}

/** Shape that a job makes the form of a tag of, and the format of the form. */
export interface TagSource {
  readonly tag: string;
  /** Undefined: the item has none. */
  readonly shape: Shape | undefined;
  /** Undefined: that of the tag's script, or the tag is gone. */
  readonly format: string | undefined;
}

/** Source of each tag of a request. */
export const tagSources = (
  { store, limits }: Pick<TranscodingParts, 'store' | 'limits'>,
  { tags, shapeId, sourceTags, version }: TranscodeRequest,
  shapes: readonly Shape[],
): Promise<readonly TagSource[]> =>
  askEach(tags, async (tag) => {
    const row = await findTag(store, { name: tag });
    const { preferredSourceTag, format } = row ? presetFrom(row.form, row.document, limits).preset : {};
    const wish = { shapeId, tags: [...sourceTags, ...(preferredSourceTag ? [preferredSourceTag] : [])], version };
    return { tag, shape: sourceShape(shapes, wish), format };
  });

/** Shapes, among those of its item, that a job makes others or stills of. */
export function sourcesOf(
  request: TranscodeRequest,
  shapes: readonly Shape[],
  ofTags: readonly TagSource[],
): readonly Shape[] {
  const { sourceTags: tags, thumbnails, posters } = request;
  const ofStills = thumbnails === 'none' && posters === 'none' ? undefined : sourceShape(shapes, { ...request, tags });
  return [...new Set([ofStills, ...ofTags.map(({ shape }) => shape)].flatMap((shape) => shape ?? []))];
}

async function evaluated(
  parts: EvaluationParts,
  job: LeasedJob,
  tag: string,
  shape: Shape | undefined,
): Promise<EvaluatedPreset> {
  try {
    const askerFor = async () => (job.user === undefined ? undefined : askerOf(await callerOfJob(parts, job)));
    const preset = await evaluatePreset(parts.store, tag, { shape, data: job.data, askerFor }, parts.limits);
    if (preset) return preset;
  } catch (error) {
    if (error instanceof ScriptFails) throw new JobFails(`The script of the shape tag ${tag} failed: ${error.message}`);
    throw error;
  }
  throw new JobFails(`Expected a shape tag with a preset: ${tag} is gone`);
}

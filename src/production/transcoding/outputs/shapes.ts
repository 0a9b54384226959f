import { itemMustExist } from '../../../assets/items/contract/store.ts';
import { prepareMetadata, systemChange } from '../../../assets/metadata/public.ts';
import { askUserOfJob } from '../../../assets/search/public.ts';
import {
  deleteShapes,
  filesOfShapes,
  filesUnlocked,
  idsOf,
  itemFits,
  itemGone,
  latestOf,
  loadShapes,
  losingOriginal,
  mustHaveShapes,
  mustHaveTags,
  newShape,
  original,
  type Shape,
  tagsAfter,
  tagsOf,
  takeOriginal,
  transcodePresetDocument,
} from '../../../assets/shapes/public.ts';
import { readJson } from '../../../core/documents/index.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { groupBy } from '../../../core/lib/group-by.ts';
import { askEach } from '../../../core/lib/maybe.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { changeInTurn } from '../../../room/entities/changes.ts';
import { type KeyValue, keyValuesOf } from '../../../room/entities/key-values/store.ts';
import { type JobEnd, JobFails, type LeasedJob, type StepResult } from '../../../room/jobs/job-type.ts';
import type { Caller } from '../../../security/caller.ts';
import { dropTarget, endReading, finishPending, forgetJob } from '../../../storage/public.ts';
import { findFile } from '../../../storage/public-reading.ts';
import { checkShape } from '../../checking/public.ts';
import type { TranscodingParts } from '../parts.ts';
import { forgetOutputs, type OutputRow, outputChecked, outputMade, outputReplaced, outputsOf } from '../store.ts';
import { componentsOf, renditionRows } from '../streams/shape-parts.ts';
import { type TranscodeRequest, tagsGiven } from '../transcode-request.ts';
import { formatOfOutput } from './formats.ts';
import type { TagSource } from './prepare.ts';

/** Key-value metadata of a shape: the one that it was made from. */
const madeFrom = 'transcodedFrom';

/** Makes the shapes whose files are written. */
export async function makeShapes(parts: TranscodingParts, job: LeasedJob, request: TranscodeRequest): Promise<void> {
  for (const outputs of await outputsByShape(parts, job)) {
    const [{ tag, made: isMade }] = outputs;
    if (isMade === 1) continue;
    if (outputs.some(({ fileId }) => fileId === null)) {
      throw new JobFails(`Expected the file of the shape tag ${tag} to stay`);
    }
    try {
      await makeShape(parts, job, request, outputs);
    } catch (error) {
      const isGone = error instanceof ServiceError && error.code === 'no-such-entity';
      throw isGone
        ? new JobFails(`Expected the item to stay until the job ends: ${request.destination} is gone`)
        : error;
    }
  }
}

type Outputs = readonly [OutputRow, ...OutputRow[]];

/** Outputs of a job. Those of one shape are together. */
const outputsByShape = async ({ store }: TranscodingParts, job: LeasedJob): Promise<readonly Outputs[]> =>
  [
    ...groupBy(await outputsOf(store, { jobId: job.id }), ({ newShapeId }) => newShapeId).values(),
  ] as unknown as Outputs[];

const makeShape = (
  parts: TranscodingParts,
  job: LeasedJob,
  request: TranscodeRequest,
  outputs: Outputs,
): Promise<void> =>
  changeInTurn(parts, { kind: 'item', id: request.destination }, async () => {
    const { store, settings, limits } = parts;
    const { tag, shapeId, newShapeId: id, preset } = outputs[0];
    const itemId = request.destination;
    const shapes = await loadShapes(store, itemId);
    const essenceVersion = versionOf(shapes, shapeId);
    const replaced = await formerShapes(store, shapes, { tag, essenceVersion, shapeId });
    const isOriginal =
      request.original === tag || shapes.length === 0 || replaced.some((shape) => shape.tags.includes(original));
    const tags = isOriginal ? [...new Set([tag, original])] : [tag];
    const { format, shapeMetadata = [] } = readJson(transcodePresetDocument, preset, limits);
    const left = shapes.filter((shape) => !replaced.includes(shape));
    const losing = losingOriginal(left, { id, essenceVersion }, tags);
    await askUserOfJob(parts, job, (call) =>
      mustHaveTags(store, call, itemId, tagsGiven([tag], request.original === tag ? tag : undefined), [
        ...replaced,
        ...losing,
      ]),
    );
    const pairs = [...shapeMetadata.map(({ key, value }): KeyValue => [key, value]), [madeFrom, shapeId] as const];
    const addedShape = await newShape(parts, {
      id,
      itemId,
      essenceVersion,
      tags,
      mimeTypes: [formatOfOutput(format!.toLowerCase()).type],
      metadata: pairs,
      components: componentsOf(outputs, format!),
    });
    const gone = await deleteShapes(parts, replaced, {});
    const taken = tags.includes(original) ? takeOriginal(left, { id, itemId, essenceVersion }) : changing();
    const work = together(gone, taken, addedShape);
    const after = tagsAfter(shapes, itemId, work.events);
    const isSame = after.length === tagsOf(shapes).length && tagsOf(shapes).every((each) => after.includes(each));
    const tagChange = isSame
      ? changing()
      : await prepareMetadata(parts, { kind: 'item', id: itemId }, [systemChange({ shapeTag: after })]);
    const guards = changing(job.mine, itemMustExist(itemId, itemGone(itemId)));
    const ours = changing(...renditionRows(outputs), ...itemFits(itemId, settings), outputMade({ jobId: job.id, tag }));
    await store.commit(together(guards, work, tagChange, ours), job.actor);
  });

/**
 * Guards ahead of a job: no deletion lock keeps the shapes that its own take the place of. 403 without WRITE on them.
 * `shapes`: those of the item that the job starts from.
 */
export async function replaceable(
  parts: TranscodingParts,
  call: Caller,
  { itemId, destination, original: becomes }: TranscodeRequest,
  shapes: readonly Shape[],
  sources: readonly TagSource[],
): Promise<readonly Statement[]> {
  const present = destination === itemId ? shapes : await loadShapes(parts.store, destination);
  const forms = sources.flatMap(({ tag, shape }) => (shape ? [{ tag, from: shape.id }] : []));
  return formerUnlocked(parts, call, present, forms, becomes);
}

/** Guards of the shapes that new ones replace, where all are made from the shape `from`. */
export async function replaceableOf(
  parts: TranscodingParts,
  call: Caller,
  itemId: string,
  { tags, from }: { readonly tags: readonly string[]; readonly from: string },
): Promise<readonly Statement[]> {
  const forms = tags.map((tag) => ({ tag, from }));
  return formerUnlocked(parts, call, await loadShapes(parts.store, itemId), forms);
}

/** The form of a tag that a job makes of a shape. */
interface NewForm {
  readonly tag: string;
  readonly from: string;
}

/** `becomes`: the tag whose new shape becomes the original. */
async function formerUnlocked(
  parts: TranscodingParts,
  call: Caller,
  shapes: readonly Shape[],
  forms: readonly NewForm[],
  becomes?: string,
): Promise<readonly Statement[]> {
  const { store } = parts;
  const replaced = await askEach(forms, ({ tag, from }) =>
    formerShapes(store, shapes, { tag, essenceVersion: versionOf(shapes, from), shapeId: from }),
  );
  const losing = forms
    .filter(({ tag }) => tag === becomes)
    .flatMap(({ from }) => losingOriginal(shapes, { id: '', essenceVersion: versionOf(shapes, from) }, [original]));
  await mustHaveShapes(store, call, [...replaced.flat(), ...losing], 'WRITE');
  const uses = replaced.flat().length === 0 ? [] : await filesOfShapes(store, idsOf(replaced.flat()));
  return filesUnlocked(parts, uses);
}

/** The version that a shape made from this one belongs to. */
const versionOf = (shapes: readonly Shape[], source: string): number =>
  shapes.find(({ id }) => id === source)?.essenceVersion ?? latestOf(shapes) ?? 0;

interface Former {
  readonly tag: string;
  readonly essenceVersion: number;
  readonly shapeId: string;
}

/** Shapes that an earlier job made for the same tag from the same shape: the new one takes their place. */
async function formerShapes(
  reader: Reader,
  shapes: readonly Shape[],
  { tag, essenceVersion, shapeId }: Former,
): Promise<readonly Shape[]> {
  const alike = shapes.filter((shape) => shape.essenceVersion === essenceVersion && shape.tags.includes(tag));
  if (alike.length === 0) return [];
  const pairs = await keyValuesOf(
    reader,
    'shape',
    alike.map(({ id }) => id),
  );
  return alike.filter(({ id }) => pairs.get(id)?.some(({ key, value }) => key === madeFrom && value === shapeId));
}

/** The shape that another job has put in the place of one that this job made. Undefined: it is still there, or deleted. */
async function laterShape(
  reader: Reader,
  itemId: string,
  { tag, shapeId, newShapeId }: OutputRow,
): Promise<Shape | undefined> {
  const shapes = await loadShapes(reader, itemId);
  if (shapes.some(({ id }) => id === newShapeId)) return undefined;
  const essenceVersion = versionOf(shapes, shapeId);
  return (await formerShapes(reader, shapes, { tag, essenceVersion, shapeId }))[0];
}

/** Lets the media check fill the shapes that a job has made. */
export async function checkShapes(
  parts: TranscodingParts,
  job: LeasedJob,
  { destination: itemId, original }: TranscodeRequest,
): Promise<StepResult> {
  const says: string[] = [];
  let warns = false;
  for (const outputs of await outputsByShape(parts, job)) {
    const [{ tag, made: isMade, checked, newShapeId, segments }] = outputs;
    const fileIds = outputs.flatMap(({ fileId }) => fileId ?? []);
    if (isMade === 0 || checked === 1 || fileIds.length === 0) continue;
    const about = { itemId, shapeId: newShapeId, fileIds, original: original === tag, joins: segments !== null };
    await changeInTurn(parts, { kind: 'item', id: itemId }, async () => {
      const later = await laterShape(parts.store, itemId, outputs[0]);
      if (later) {
        const seen = outputReplaced({ jobId: job.id, tag, newShapeId: later.id });
        await parts.store.commit(changing(job.mine, seen), job.actor);
        says.push(`The shape ${later.id}, which another job made, took the place of it: ${newShapeId}`);
        return;
      }
      const checkedMedia = await checkShape(parts, job, about);
      const seen = changing(job.mine, outputChecked({ jobId: job.id, tag }));
      await parts.store.commit(together(seen, checkedMedia.work ?? changing()), job.actor);
      says.push(...(checkedMedia.says ?? []));
      warns ||= checkedMedia.warns === true;
    });
  }
  return { says, warns };
}

/**
 * For the commit that ends a job with such steps: sources are let go of, and files that no shape has are deleted. A job
 * that was ended keeps the shapes that it has made.
 */
export async function endOutputs(parts: TranscodingParts, job: LeasedJob, how: JobEnd): Promise<CommitPlan> {
  const { store, clock } = parts;
  if (how !== 'FINISHED') {
    // Finishes a pending publication first: its bytes may already be at their path.
    await finishPending(parts, job, {
      actor: job.actor,
      commit: (work) => store.commit({ ...work, changes: [job.mine, ...work.changes] }, job.actor),
    });
  }
  const rows = await outputsOf(store, { jobId: job.id });
  const dropped: CommitPlan[] = [];
  for (const { made: isMade, fileId } of rows) {
    const file = isMade === 0 && fileId !== null ? await findFile(store, { id: fileId }) : undefined;
    if (file) dropped.push(dropTarget(file, clock.now()));
  }
  const sources = [...new Set(rows.map(({ sourceId }) => sourceId))];
  const released = sources.flatMap((fileId) => endReading({ fileId, jobId: job.id }));
  return together(
    changing(...released),
    ...dropped,
    changing(forgetOutputs({ jobId: job.id }), forgetJob({ jobId: job.id })),
  );
}

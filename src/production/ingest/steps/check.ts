import { itemMustExist } from '../../../assets/items/contract/store.ts';
import { prepareMetadata, systemChange } from '../../../assets/metadata/public.ts';
import { askUserOfJob } from '../../../assets/search/public.ts';
import {
  itemGone,
  latestOf,
  loadShapes,
  losingTo,
  mustHaveShapes,
  mustHaveTags,
  newShape,
  original,
  originalOf,
  tagsOf,
  takeOriginal,
} from '../../../assets/shapes/public.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import type { JobStep, LeasedJob, StepResult } from '../../../room/jobs/job-type.ts';
import { findFile } from '../../../storage/public-reading.ts';
import { checkAhead, checkMedia, type FileCheck } from '../../checking/public.ts';
import { outputsOf } from '../../transcoding/public.ts';
import type { IngestParts } from '../parts.ts';
import { shownAddress } from '../sources/source.ts';
import { checkPart } from './growing.ts';
import { type ImportMemo, importJobs } from './import-job.ts';
import { targetOf } from './in-place.ts';

/** The name that the caller has given, and the address that others may see. */
function originOf({ address, filename }: ImportMemo) {
  const shown = address === undefined ? undefined : shownAddress(address);
  return { ...(filename !== undefined && { filename }), ...(shown !== undefined && { uri: shown }) };
}

/** Says what the file is, and fills the shape with it. `making`: a shape of the item is made for it first. */
export const checkStep = (parts: IngestParts, step: number, making?: 'shape' | 'version'): JobStep<ImportMemo> => ({
  step,
  description: 'Media check',
  ...(making && { begin: (job) => makeShape(parts, job, making) }),
  async run(job): Promise<StepResult<ImportMemo>> {
    const { itemId, shapeId, targetId } = job.memo;
    if (shapeId !== undefined && targetId !== undefined)
      parts.store.ahead(() => [
        findFile(parts.store, { id: targetId }),
        loadShapes(parts.store, itemId),
        ...checkAhead(parts, { itemId, shapeId, fileId: targetId }),
        outputsOf(parts.store, { jobId: job.id }),
      ]);
    const { state } = await targetOf(parts, job.memo);
    if (state !== 'OPEN') return checkWhole(parts, job);
    const checkedPart = await checkPart(parts, job, await fileCheckOf(parts, job));
    return { ...checkedPart, memo: { ...checkedPart.memo, isPart: true } };
  },
});

async function fileCheckOf(parts: IngestParts, job: LeasedJob<ImportMemo>): Promise<FileCheck> {
  const importing = job.memo;
  const { itemId, shapeId, joins, targetId, componentId } = importing;
  const shapes = await loadShapes(parts.store, itemId);
  const isOriginal = originalOf(shapes)?.id === shapeId;
  if (joins || componentId !== undefined) {
    const ownShapes = shapes.filter(({ id }) => id === shapeId);
    await askUserOfJob(parts, job, (call) => mustHaveShapes(parts.store, call, ownShapes, 'WRITE'));
  }
  const describes = describing.has(job.type) && !joins;
  return {
    itemId,
    shapeId: shapeId!,
    fileId: targetId!,
    original: isOriginal,
    joins,
    describes,
    ...originOf(importing),
  };
}

/** Imports of new items. Later files of an item leave its description to people. */
const describing: ReadonlySet<string> = new Set(
  [importJobs.PLACEHOLDER_IMPORT, importJobs.RAW_IMPORT, importJobs.AUTO_IMPORT].map(({ type }) => type),
);

export async function checkWhole(parts: IngestParts, job: LeasedJob<ImportMemo>): Promise<StepResult<ImportMemo>> {
  const checkedMedia = await checkMedia(parts, job, await fileCheckOf(parts, job));
  return { ...checkedMedia, memo: { ...checkedMedia.memo, isFilled: true } };
}

/** A shape that expects its file, of the latest version or of the next one. The first shape of an item is its original. */
async function makeShape(
  parts: IngestParts,
  job: LeasedJob<ImportMemo>,
  making: 'shape' | 'version',
): Promise<StepResult<ImportMemo>> {
  const { itemId, shapeId, importTag } = job.memo;
  if (shapeId !== undefined) return {};
  const shapes = await loadShapes(parts.store, itemId);
  const latest = latestOf(shapes);
  const essenceVersion = making === 'version' ? (latest ?? -1) + 1 : (latest ?? 0);
  const isFirst = shapes.every((shape) => shape.essenceVersion !== essenceVersion);
  const tags = importTag.length === 0 && isFirst ? [original] : importTag;
  const losing = losingTo(shapes, { id: '', essenceVersion }, tags);
  await askUserOfJob(parts, job, (call) => mustHaveTags(parts.store, call, itemId, importTag, losing));
  const addedShape = await newShape(parts, { itemId, essenceVersion, tags, expected: { container: 1 } });
  const taken = tags.includes(original) ? takeOriginal(shapes, { id: addedShape.id, itemId, essenceVersion }) : nothing;
  const all = [...tagsOf(shapes), ...tags];
  const tagChange = await prepareMetadata(parts, { kind: 'item', id: itemId }, [
    systemChange({ shapeTag: [...new Set(all)] }),
  ]);
  const guard = changing(itemMustExist(itemId, itemGone(itemId)), ...taken.changes);
  const work = together(guard, addedShape, { changes: [], events: taken.events }, tagChange);
  return { work, memo: { shapeId: addedShape.id } };
}

const nothing = changing();

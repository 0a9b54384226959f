import { itemMustExist } from '../../../assets/items/contract/store.ts';
import {
  componentsOfShapes,
  findShape,
  itemFor,
  itemGone,
  mustHaveShapes,
  mustHaveTags,
  withTags,
} from '../../../assets/shapes/public.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import type { JobNeed, JobStep, JobType, LeasedJob, RestartedJob } from '../../../room/jobs/job-type.ts';
import type { JobDescription } from '../../../room/jobs/memo.ts';
import { otherForms, tagsGiven, transcodeEnded, transcodeStep } from '../../transcoding/public.ts';
import type { IngestParts } from '../parts.ts';
import { sidecarStep, sidecarType } from '../sidecars/steps.ts';
import { claim } from '../store.ts';
import { attachStep } from './attach.ts';
import { checkStep, checkWhole } from './check.ts';
import { importEnded } from './ended.ts';
import { finalStep } from './growing.ts';
import { type ImportFields, type ImportMemo, importJobs } from './import-job.ts';
import { transferStep } from './transfer.ts';

/** Clients know it, and other steps do its work. */
const settled = (step: number, description: string): JobStep<ImportMemo> => ({
  step,
  description,
  settled: () => ({}),
  run: async () => ({}),
});

/** The types of jobs that bring files, by the numbers and words of their steps that clients know. */
export function importTypes(parts: IngestParts): readonly JobType<ImportFields>[] {
  const whole = (job: LeasedJob<ImportMemo>) => checkWhole(parts, job);
  const itemSteps: readonly JobStep<ImportMemo>[] = [
    transferStep(parts, 'Transferring file'),
    attachStep(parts),
    checkStep(parts, 300),
    finalStep(parts, 350, whole),
    settled(400, 'Updating metadata'),
    transcodeStep(parts, 500),
    sidecarStep(parts),
  ];
  const needs = ({ itemId }: ImportMemo): readonly JobNeed[] => [
    { on: 'item', id: itemId, level: 'WRITE', part: 'SHAPE' },
  ];
  const ofItem = (job: JobDescription<ImportFields>, steps: readonly JobStep<ImportMemo>[]): JobType<ImportFields> => ({
    ...job,
    takesLong: ({ transcodes, tags }) => transcodes && tags.length > 0,
    needs,
    steps,
    restart: (restarted) => claimedAgain(parts, restarted),
    ended: async (job, how) =>
      together(await importEnded(parts, job, how, false), await transcodeEnded(parts)(job, how)),
  });
  const ofShape = (
    job: JobDescription<ImportFields>,
    steps: readonly JobStep<ImportMemo>[],
  ): JobType<ImportFields> => ({
    ...job,
    needs,
    steps,
    async restart({ memo: { itemId, importTag }, caller }) {
      const begins = job.type === importJobs.ESSENCE_VERSION.type ? 'version' : 'shape';
      await mustHaveTags(parts.store, caller, itemId, importTag, begins);
      return changing(itemMustExist(itemId, itemGone(itemId)));
    },
    ended: (job, how) => importEnded(parts, job, how, true),
  });
  return [
    ofItem(importJobs.PLACEHOLDER_IMPORT, itemSteps),
    ofItem(importJobs.RAW_IMPORT, itemSteps),
    ofItem(importJobs.AUTO_IMPORT, [
      transferStep(parts, 'Waiting for file to close'),
      settled(200, 'Creating item'),
      checkStep(parts, 500),
      finalStep(parts, 550, whole),
      settled(600, 'Updating metadata'),
      transcodeStep(parts, 700),
      { ...sidecarStep(parts), step: 800 },
      settled(1100, 'Finalizing media check'),
    ]),
    ofShape(importJobs.SHAPE_IMPORT, [
      transferStep(parts, 'Transferring file'),
      settled(200, 'Creating file entity'),
      checkStep(parts, 300, 'shape'),
      finalStep(parts, 350, whole),
      settled(400, 'Creating shape'),
      settled(1000, 'Remove old essence files'),
    ]),
    ofShape(importJobs.ESSENCE_VERSION, [
      transferStep(parts, 'Transferring file'),
      settled(200, 'Creating file entity'),
      checkStep(parts, 700, 'version'),
      finalStep(parts, 800, whole),
      settled(900, 'Creating shape'),
    ]),
    sidecarType(parts),
  ];
}

/** Claims the component again that the first run released, for a caller who may write its shape and those made of it. */
async function claimedAgain(
  { store }: IngestParts,
  { jobId, memo: { itemId, componentId, shapeId, transcodes, tags, original }, caller }: RestartedJob<ImportMemo>,
): Promise<CommitPlan> {
  await itemFor(store, caller, itemId, 'WRITE');
  const formTags = transcodes ? otherForms(tags) : [];
  if (formTags.length > 0) await mustHaveTags(store, caller, itemId, tagsGiven(formTags, original));
  const row = shapeId === undefined ? undefined : await findShape(store, { id: shapeId });
  const [shape] = row ? await withTags(store, [row]) : [];
  const refused = (explanation: string) => new ServiceError('bad-value', { context: 'job', id: jobId, explanation });
  if (!shape || shape.placeholder === 0)
    throw refused('Expected an import that still waits for its file. This one has received it: upload the file again');
  await mustHaveShapes(store, caller, [shape], 'WRITE');
  if (componentId === undefined) return changing();
  const components = await componentsOfShapes(store, { ids: [shape.id] });
  const component = components.find(({ id }) => id === componentId);
  if (component?.expected !== 1)
    throw refused('Expected an import that still waits for its file. Its item has media by now: upload the file again');
  const taken = refused('Expected a component that no job imports now');
  return changing(claim({ type: 'component', id: componentId, jobId }, taken));
}

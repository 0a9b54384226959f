import { itemMustExist } from '../../../assets/items/contract/store.ts';
import { itemGone, loadShapes, mustHaveTags } from '../../../assets/shapes/public.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import {
  checkShapes,
  joined,
  madeBy,
  makePictures,
  makeShapes,
  outputsOf,
  replaceableOf,
  type TranscodingParts,
  tagsGiven,
  transcodeRequestOf,
} from '../../../production/transcoding/public.ts';
import type { JobType, LeasedJob } from '../../../room/jobs/job-type.ts';
import { conformJob, endRender, prepareRender, type RenderMemo, renderJob, writeRender } from './render-job.ts';

/** Types of jobs that put parts of items together, by a transcoder that does so. */
export function conformTypes(parts: TranscodingParts): readonly JobType<typeof renderJob.memo>[] {
  const check = async (job: LeasedJob<RenderMemo>) => {
    const request = transcodeRequestOf(job.memo);
    await makeShapes(parts, job, request);
    return joined(await checkShapes(parts, job, request), await madeBy(parts, job));
  };

  const picturesOfResult = async (job: LeasedJob<RenderMemo>) => {
    const [first] = await outputsOf(parts.store, { jobId: job.id });
    const request = { ...transcodeRequestOf(job.memo), shapeId: first?.newShapeId };
    return makePictures(parts, job, request, await loadShapes(parts.store, request.itemId));
  };

  const shared: Pick<JobType<typeof renderJob.memo>, 'needs' | 'restart' | 'ended'> = {
    needs: ({ itemId: id }) => [{ on: 'item', id, level: 'WRITE', part: 'SHAPE' }],
    async restart({ memo, caller }) {
      const { destination: id, tags, original } = transcodeRequestOf(memo);
      await mustHaveTags(parts.store, caller, id, tagsGiven(tags, original));
      const free = memo.from === undefined ? [] : await replaceableOf(parts, caller, id, { tags, from: memo.from });
      return changing(itemMustExist(id, itemGone(id)), ...free);
    },
    ended: (job, how) => endRender(parts, job, how),
  };
  const rendering = [
    { step: 100, description: 'Preparing', run: (job: LeasedJob<RenderMemo>) => prepareRender(parts, job) },
    { step: 200, description: 'Transcoding', run: (job: LeasedJob<RenderMemo>) => writeRender(parts, job) },
  ] as const;
  return [
    {
      ...{ ...renderJob, ...shared },
      steps: [...rendering, { step: 400, description: 'Creating the entities', run: check }],
    },
    {
      ...{ ...conformJob, ...shared },
      steps: [
        ...rendering,
        {
          step: 300,
          description: 'Creating shape',
          async run(job) {
            await makeShapes(parts, job, transcodeRequestOf(job.memo));
            return {};
          },
        },
        { step: 400, description: 'Finalizing media check', run: check },
        { step: 500, description: 'Creating thumbnails', run: picturesOfResult },
      ],
    },
  ];
}

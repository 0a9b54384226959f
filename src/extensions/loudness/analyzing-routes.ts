import { itemMustExist } from '../../assets/items/contract/store.ts';
import { componentPath, itemGone, type Shape, shapeFor, shapePath, shapesAt } from '../../assets/shapes/public.ts';
import { badValue } from '../../core/documents/error.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { changing, nothing } from '../../core/store/commit-plan.ts';
import type { Call } from '../../http/call.ts';
import { list, type QueryOf, text } from '../../http/parameters/index.ts';
import { type BodyOf, optional } from '../../http/reads.ts';
import { type Route, role, route } from '../../http/route.ts';
import { mustBeResource, type TranscodingParts } from '../../production/transcoding/public.ts';
import { startJob } from '../../room/jobs/contract.ts';
import { type Job, jobDocument } from '../../room/jobs/documents.ts';
import { jobParameters } from '../../room/jobs/parameters.ts';
import type { Caller } from '../../security/caller.ts';
import { fileAddresses } from '../../storage/public.ts';
import { usesOf } from '../../storage/public-reading.ts';
import { analyzeJobDocument } from './documents.ts';
import { analyzeJob } from './measure.ts';

const analyzeParameters = {
  tag: list(text('Source shape: the first one with one of these tags, in this order. Default: the original')),
  resourceId: text('Transcoder, stored in the data of the job'),
  storageId: text('Accepted for older clients: nothing is written to a storage'),
  ...jobParameters,
};

const analyzeBody = optional(analyzeJobDocument);

/** Limit of shapes that are considered. */
const maxShapes = 50;

type FileUse = Awaited<ReturnType<typeof usesOf>>[number];

/** Shape to be measured. Without a shape id: the shape with a tag, or the original. */
interface Measured {
  readonly itemId: string;
  readonly shapeId?: string;
}

/** Jobs that measure the sound of items. */
export function analyzeRoutes(parts: TranscodingParts): readonly Route[] {
  const { store } = parts;
  const files = fileAddresses(store);
  const at = shapesAt(store);

  async function start(call: AnalyzeCall, { itemId, shapeId }: Measured, there = nothing): Promise<Job> {
    const { resourceId } = call.query;
    if (resourceId !== undefined) await mustBeResource(parts, resourceId);
    const undetected = Object.entries(call.body ?? {}).flatMap(([name, value]) => (isAsked(value) ? [name] : []));
    const memo = { itemId, shapeId, tags: call.query.tag, undetected };
    return startJob(parts, call, { job: analyzeJob, memo }, there);
  }

  return [
    route({
      ...analysisOf('/item/:item', 'an item'),
      entities: at.item('WRITE'),
      handle: (call, { item: { id } }) => start(call, { itemId: id }),
    }),
    route({
      ...analysisOf(shapePath, 'a shape'),
      entities: at.shape('WRITE'),
      handle: (call, { shape }) => start(call, ofShape(shape)),
    }),
    route({
      ...analysisOf(componentPath, 'the shape of a component'),
      entities: at.component('WRITE'),
      handle: (call, { shape }) => start(call, ofShape(shape)),
    }),
    ...files.paths.map((path) =>
      route({
        ...analysisOf(path, 'the shape that has a file'),
        async handle(call, params) {
          const { id } = await files.fileOf(params);
          const uses = await usesOf(store, { ids: [id] });
          if (uses.length === 0) throw badValue('path', 'a file that a shape of an item has', id);
          const shape = await firstToWrite(call, uses);
          return start(call, ofShape(shape), changing(itemMustExist(shape.itemId, itemGone(shape.itemId))));
        },
      }),
    ),
  ];

  /** Several items can have a file, and the caller may write one of them. */
  async function firstToWrite(call: Caller, uses: readonly FileUse[]): Promise<Shape> {
    const shapes = new Map(uses.map(({ shapeId, itemId }) => [shapeId, itemId]));
    let refusal: ServiceError | undefined;
    for (const [shape, item] of [...shapes].slice(0, maxShapes)) {
      try {
        return await shapeFor(store, call, { item, shape }, 'WRITE');
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        refusal ??= error;
      }
    }
    throw refusal;
  }
}

const ofShape = ({ id, itemId }: { readonly id: string; readonly itemId: string }): Measured => ({
  itemId,
  shapeId: id,
});

type AnalyzeCall = Call<QueryOf<typeof analyzeParameters>, BodyOf<typeof analyzeBody>>;

const analysisOf = <const P extends string>(path: P, of: string) =>
  ({
    method: 'POST',
    path: `${path}/analyze`,
    says: `Measures the waveform and loudness of the sound of ${of}, as a job. Some codecs need a transcoder.`,
    query: analyzeParameters,
    reads: analyzeBody,
    answers: jobDocument,
    access: role('_job_write'),
    acting: 'allowed',
  }) as const;

/** Clients write all elements of their forms. */
const isAsked = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;

import { badValue } from '../../documents/bad-value.ts';
import { optionalDocument } from '../../http/call.ts';
import { documentTypes } from '../../http/negotiation.ts';
import { list, text } from '../../http/parameters/index.ts';
import { type Params, type Route, role, route, segment } from '../../http/route.ts';
import { itemMustExist } from '../../items/contract/item/store.ts';
import { startJob } from '../../jobs/contract.ts';
import { jobDocument } from '../../jobs/documents.ts';
import { jobParameters } from '../../jobs/parameters.ts';
import { ServiceError } from '../../lib/errors.ts';
import { fileAddresses } from '../../media/public.ts';
import { usesOf } from '../../media/public-reading.ts';
import type { Caller } from '../../security/caller.ts';
import {
  componentNamed,
  componentPath,
  componentsOfShapes,
  itemFor,
  itemGone,
  type Shape,
  shapeFor,
  shapePath,
} from '../../shapes/public.ts';
import { changing } from '../../store/commit-plan.ts';
import type { TranscodingParts } from '../../transcoding/public.ts';
import { analyzeJobDocument } from './documents.ts';
import { analyzeJob } from './measure.ts';

const analyzeParameters = {
  tag: list(text('Source shape: the first one with one of these tags, in this order. Default: the original')),
  resourceId: text('Transcoder, stored in the data of the job'),
  storageId: text('Accepted for older clients: nothing is written to a storage'),
  ...jobParameters,
};

/** Limit of shapes that are considered. */
const mostShapes = 50;

type FileUse = Awaited<ReturnType<typeof usesOf>>[number];

/** Shape to be measured. Without a shape id: the shape with a tag, or the original. */
interface Measured {
  readonly itemId: string;
  readonly shapeId?: string;
}

interface SoundPath {
  readonly path: string;
  readonly of: string;
  find(call: Caller, params: Params): Promise<Measured>;
}

/** Jobs that measure the sound of items. */
export function analyzeRoutes(parts: TranscodingParts): readonly Route[] {
  const { store } = parts;
  const files = fileAddresses(store);
  const places: readonly SoundPath[] = [
    {
      path: '/item/:item',
      of: 'an item',
      find: async (call, params) => ({ itemId: (await itemFor(store, call, segment(params, 'item'), 'WRITE')).id }),
    },
    {
      path: shapePath,
      of: 'a shape',
      find: async (call, params) => ofShape(await shapeFor(store, call, params, 'WRITE')),
    },
    {
      path: componentPath,
      of: 'the shape of a component',
      async find(call, params) {
        const shape = await shapeFor(store, call, params, 'WRITE');
        const rows = await componentsOfShapes(store, { ids: JSON.stringify([shape.id]) });
        componentNamed(rows, segment(params, 'component'));
        return ofShape(shape);
      },
    },
    ...files.paths.map((path) => ({
      path,
      of: 'the shape that has a file',
      async find(call: Caller, params: Params) {
        const { id } = await files.fileOf(params);
        const uses = await usesOf(store, { ids: JSON.stringify([id]) });
        if (uses.length === 0) throw badValue('path', 'a file that a shape of an item has', id);
        return ofShape(await firstToWrite(call, uses));
      },
    })),
  ];
  return places.map((place) => analyzeRoute(parts, place));

  /** Several items can have a file, and the caller may write one of them. */
  async function firstToWrite(call: Caller, uses: readonly FileUse[]): Promise<Shape> {
    const shapes = new Map(uses.map(({ shapeId, itemId }) => [shapeId, itemId]));
    let refusal: ServiceError | undefined;
    for (const [shape, item] of [...shapes].slice(0, mostShapes)) {
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

function analyzeRoute(parts: TranscodingParts, place: SoundPath): Route {
  const { render, limits } = parts;
  return route({
    method: 'POST',
    path: `${place.path}/analyze`,
    says: `Measures the waveform and loudness of the sound of ${place.of}, as a job. Some codecs need a transcoder.`,
    query: analyzeParameters,
    reads: analyzeJobDocument,
    answers: jobDocument,
    access: role('_job_write'),
    acting: 'allowed',
    produces: documentTypes,
    async handle(call, type, params) {
      const { itemId, shapeId } = await place.find(call as Caller, params);
      const asked = (await optionalDocument(call, analyzeJobDocument, limits)) ?? {};
      const undetected = Object.entries(asked).flatMap(([name, value]) => (isAsked(value) ? [name] : []));
      const memo = { itemId, shapeId, tags: call.query.tag, undetected };
      const there = changing(itemMustExist(itemId, itemGone(itemId)));
      return render(type, jobDocument, await startJob(parts, call, { job: analyzeJob, memo }, there));
    },
  });
}

/** Clients write all elements of their forms. */
const isAsked = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;

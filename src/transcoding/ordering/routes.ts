import { mayWrite } from '../../access/public.ts';
import type { Call } from '../../http/call.ts';
import { documentTypes, type MediaType } from '../../http/negotiation.ts';
import { badParameter, type QueryOf } from '../../http/parameters/index.ts';
import type { Reply } from '../../http/reply.ts';
import { type Params, type Route, route, segment } from '../../http/route.ts';
import { itemName, itemNamed } from '../../items/contract/item/kind.ts';
import { type ItemRow, itemMustExist } from '../../items/contract/item/store.ts';
import { type NewJob, startJob } from '../../jobs/contract.ts';
import { jobDocument } from '../../jobs/documents.ts';
import { readMemo } from '../../jobs/memo.ts';
import type { JobQuery } from '../../jobs/parameters.ts';
import { storageNamed } from '../../media/public.ts';
import { itemFor, itemGone, noSuchTag, shapeFor, tagMustExist, writeShapes as write } from '../../shapes/public.ts';
import { changing } from '../../store/commit-plan.ts';
import type { Statement } from '../../store/contract.ts';
import { replaceable } from '../outputs/shapes.ts';
import type { TranscodingParts } from '../parts.ts';
import { timeIn } from '../pictures/times.ts';
import { requirePresets } from '../presets/required.ts';
import { thumbnailJob, transcodeJob } from '../steps.ts';
import { otherForms, stillTimes, transcodeMemo, wishOf } from '../wish.ts';
import { pictureParameters, transcodeParameters } from './parameters.ts';

type TranscodeQuery = QueryOf<typeof transcodeParameters>;
type PictureQuery = QueryOf<typeof pictureParameters>;

/** Jobs that make other forms of an item, and stills of it. */
export function orderingRoutes(parts: TranscodingParts): readonly Route[] {
  const { store, render } = parts;

  async function start(
    call: Call<JobQuery>,
    type: MediaType,
    item: ItemRow,
    job: NewJob<typeof transcodeMemo>,
    tags: readonly string[],
  ): Promise<Reply> {
    const known: Statement[] = tags.map((tag) => tagMustExist(tag, noSuchTag(tag)));
    const free = tags.length === 0 ? [] : await replaceable(parts, wishOf(readMemo(transcodeMemo, job.memo)));
    const begins = changing(itemMustExist(item.id, itemGone(item.id)), ...known, ...free);
    return render(type, jobDocument, await startJob(parts, call, job, begins));
  }

  /** The shape that the path names, or none. */
  const shapeIn = async (call: Call, params: Params): Promise<string | undefined> =>
    params['shape'] === undefined ? undefined : (await shapeFor(store, call, params, 'WRITE')).id;

  async function transcode(call: Call<TranscodeQuery>, type: MediaType, params: Params): Promise<Reply> {
    const { query } = call;
    const item = await itemFor(store, call, segment(params, 'item'), 'WRITE');
    const shapeId = await shapeIn(call, params);
    const tags = otherForms([...new Set(query.tag ?? [])]);
    requireStills(query, tags);
    await requirePresets(parts, tags);
    const { original, storageId, destinationItem } = query;
    if (original !== undefined && !tags.includes(original)) {
      throw badParameter('original', 'Expected one of the values of tag', original);
    }
    const destination = destinationItem === undefined ? undefined : await itemNamed(store, destinationItem);
    if (destination) await mayWrite(store, call, itemName, destination);
    const storage = storageId === undefined ? undefined : (await storageNamed(store, storageId)).id;
    const memo = {
      ...memoOf(item, shapeId, query),
      ...{ tags, original, storageId: storage, destination: destination?.id },
      fastStart: query.overrideFastStart && query.requireFastStart,
    };
    return start(call, type, item, { job: transcodeJob, memo }, tags);
  }

  async function pictures(call: Call<PictureQuery>, type: MediaType, params: Params): Promise<Reply> {
    const { query } = call;
    const item = await itemFor(store, call, segment(params, 'item'), 'WRITE');
    const shapeId = await shapeIn(call, params);
    requireStills(query, []);
    requireBoth(query, 'thumbnailWidth', 'thumbnailHeight');
    requireBoth(query, 'posterWidth', 'posterHeight');
    if (query.thumbnailPeriod !== undefined) timeIn('thumbnailPeriod', query.thumbnailPeriod);
    const posterType = query.posterFormat === 'png' ? ('image/png' as const) : ('image/jpeg' as const);
    const memo = {
      ...memoOf(item, shapeId, query),
      ...{ tags: query.tag, sourceTags: query.sourceTag, version: query.version, period: query.thumbnailPeriod },
      thumbnail: { width: query.thumbnailWidth, height: query.thumbnailHeight },
      poster: { width: query.posterWidth, height: query.posterHeight },
      posterType,
    };
    return start(call, type, item, { job: thumbnailJob, memo }, []);
  }

  const shared = {
    method: 'POST',
    answers: jobDocument,
    access: write,
    acting: 'allowed',
    produces: documentTypes,
  } as const;
  return ['/item/:item', '/item/:item/shape/:shape'].flatMap((path): readonly Route[] => [
    route({
      ...shared,
      path: `${path}/transcode`,
      says: 'Transcodes to a shape for each tag, as a job. Without a transcoder the job waits and says what to install.',
      query: transcodeParameters,
      handle: transcode,
    }),
    route({
      ...shared,
      path: `${path}/thumbnail`,
      says: 'Makes thumbnails or posters, as a job.',
      query: pictureParameters,
      handle: pictures,
    }),
  ]);
}

/** Memo of jobs of both types. */
const memoOf = (
  { id }: ItemRow,
  shapeId: string | undefined,
  { createThumbnails, createPosters = [] }: Pick<PictureQuery, 'createThumbnails' | 'createPosters'>,
) => ({
  itemId: id,
  shapeId,
  thumbnails: stillTimes(createThumbnails),
  posters: stillTimes(createPosters.join(',')),
});

/** There is something to do, and every time can be read. */
function requireStills(
  { createThumbnails, createPosters = [] }: Pick<PictureQuery, 'createThumbnails' | 'createPosters'>,
  tags: readonly string[],
): void {
  const thumbnails = stillTimes(createThumbnails);
  const posters = stillTimes(createPosters.join(','));
  if (tags.length === 0 && thumbnails === 'none' && posters === 'none') {
    const explanation = 'Expected something to make: a tag besides original, createThumbnails or createPosters';
    throw badParameter('createThumbnails', explanation);
  }
  if (typeof thumbnails !== 'string') for (const time of thumbnails) timeIn('createThumbnails', time);
  if (typeof posters !== 'string') for (const time of posters) timeIn('createPosters', time);
  if (typeof thumbnails === 'string' || posters === 'none') return;
  throw badParameter('createPosters', 'Expected no posters beside thumbnails at given times: start two jobs');
}

function requireBoth<K extends 'thumbnailWidth' | 'thumbnailHeight' | 'posterWidth' | 'posterHeight'>(
  query: Pick<PictureQuery, K>,
  one: K,
  other: K,
): void {
  if ((query[one] === undefined) === (query[other] === undefined)) return;
  const [missing, given] = query[one] === undefined ? [one, other] : [other, one];
  throw badParameter(missing, `Expected a size beside that of ${given}`);
}

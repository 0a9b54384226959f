import { mayWrite } from '../../assets/access/public.ts';
import { itemName, itemNamed } from '../../assets/items/contract/entities.ts';
import type { ItemRow } from '../../assets/items/contract/store.ts';
import {
  noSuchTag,
  type Shape,
  shapePath,
  shapesAt,
  tagMustExist,
  writeShapes as write,
} from '../../assets/shapes/public.ts';
import { changing } from '../../core/store/commit-plan.ts';
import type { Statement } from '../../core/store/contract.ts';
import type { Call } from '../../http/call.ts';
import { badParameter, choice, flag, list, type QueryOf, text, whole } from '../../http/parameters/index.ts';
import type { PathEntity } from '../../http/path-entity.ts';
import { type Route, route } from '../../http/route.ts';
import { type JobCaller, type NewJob, startJob } from '../../room/jobs/contract.ts';
import { type Job, jobDocument } from '../../room/jobs/documents.ts';
import { readMemo } from '../../room/jobs/memo.ts';
import { jobParameters } from '../../room/jobs/parameters.ts';
import { storageNamed } from '../../storage/public.ts';
import type { TranscodingParts } from './parts.ts';
import { timeIn } from './pictures/times.ts';
import { requirePresets } from './presets/preset.ts';
import { orderBy, thumbnailJob, transcodeJob } from './steps.ts';
import { otherForms, stillTimes, transcodeMemo, transcodeRequestOf } from './transcode-request.ts';

const shared = {
  tag: list(text('Shape tags: the job creates a shape for each')),
  createPosters: list(text('Times of the posters')),
  thumbnailService: text('Thumbnail resource. All of them store pictures in the same place'),
  resourceId: text('Transcoder, stored in the data of the job'),
  ...jobParameters,
};

const transcodeParameters = {
  ...shared,
  createThumbnails: text('Creates thumbnails of the source: true, or comma-separated times', { defaultValue: 'false' }),
  storageId: text('Storage for the files. Default: by storage rules'),
  original: text('Tag whose shape becomes the original'),
  destinationItem: text('Another item for the shapes'),
  overrideFastStart: flag('Whether requireFastStart applies to presets without the setting', true),
  requireFastStart: flag('Writes the index before the media, so that players start at once', true),
  fastStartLength: text('Stored in the data of the job, without effect'),
};

const size = (what: string) => whole(`Maximum ${what}, in pixels`, { least: 1, max: 16_384 });

const pictureParameters = {
  ...shared,
  tag: list(text('A shape tag whose preset has the sizes')),
  createThumbnails: text('Creates thumbnails: true, or comma-separated times', { defaultValue: 'false' }),
  thumbnailWidth: size('width of a thumbnail'),
  thumbnailHeight: size('height of a thumbnail'),
  thumbnailPeriod: text('Interval between thumbnails, as a time code'),
  posterFormat: choice('Image format of posters', ['jpeg', 'jpg', 'png'], { defaultValue: 'jpeg' }),
  posterWidth: size('width of a poster'),
  posterHeight: size('height of a poster'),
  sourceTag: list(text('Source shape: the first one with one of these tags, in this order. Default: the original')),
  version: whole('The essence version. Default: the latest', {}),
};

type TranscodeQuery = QueryOf<typeof transcodeParameters>;
type PictureQuery = QueryOf<typeof pictureParameters>;

/** Jobs that make other forms of an item, and stills of it. */
export function orderingRoutes(parts: TranscodingParts): readonly Route[] {
  const { store } = parts;

  async function start(call: JobCaller, job: NewJob<typeof transcodeMemo>, tags: readonly string[]): Promise<Job> {
    const request = { ...transcodeRequestOf(readMemo(transcodeMemo, job.memo)), tags };
    const guards = await orderBy(parts, call, request);
    const tagGuards: Statement[] = tags.map((tag) => tagMustExist(tag, noSuchTag(tag)));
    return startJob(parts, call, job, changing(...tagGuards, ...guards));
  }

  async function transcode(call: Call<TranscodeQuery>, source: Source): Promise<Job> {
    const { query } = call;
    const tags = otherForms([...new Set(query.tag ?? [])]);
    requireStills(query, tags);
    await requirePresets(parts, tags);
    const { original, storageId, destinationItem } = query;
    if (original !== undefined && !tags.includes(original)) {
      throw badParameter('original', 'Expected one of the values of tag', original);
    }
    const destination = destinationItem === undefined ? undefined : await itemNamed(store, destinationItem);
    if (destination) await mayWrite(store, call, itemName, destination, destinationItem);
    const storage = storageId === undefined ? undefined : (await storageNamed(store, storageId)).id;
    const memo = {
      ...memoOf(source, query),
      ...{ tags, original, storageId: storage, destination: destination?.id },
      fastStart: query.overrideFastStart && query.requireFastStart,
    };
    return start(call, { job: transcodeJob, memo }, tags);
  }

  function pictures(call: Call<PictureQuery>, source: Source): Promise<Job> {
    const { query } = call;
    requireStills(query, []);
    requireBoth(query, 'thumbnailWidth', 'thumbnailHeight');
    requireBoth(query, 'posterWidth', 'posterHeight');
    if (query.thumbnailPeriod !== undefined) timeIn('thumbnailPeriod', query.thumbnailPeriod);
    const posterType = query.posterFormat === 'png' ? ('image/png' as const) : ('image/jpeg' as const);
    const memo = {
      ...memoOf(source, query),
      ...{ tags: query.tag, sourceTags: query.sourceTag, version: query.version, period: query.thumbnailPeriod },
      thumbnail: { width: query.thumbnailWidth, height: query.thumbnailHeight },
      poster: { width: query.posterWidth, height: query.posterHeight },
      posterType,
    };
    return start(call, { job: thumbnailJob, memo }, []);
  }

  const shared = { method: 'POST', answers: jobDocument, access: write, acting: 'allowed' } as const;
  /** Routes of an item, or of one of its shapes. */
  const routesAt = (path: string, entities: SourceAt): readonly Route[] => [
    route({
      ...shared,
      path: `${path}/transcode`,
      says: 'Transcodes to a shape for each tag, as a job. Without a transcoder the job waits and says what to install.',
      entities,
      query: transcodeParameters,
      handle: transcode,
    }),
    route({
      ...shared,
      path: `${path}/thumbnail`,
      says: 'Makes thumbnails or posters, as a job.',
      entities,
      query: pictureParameters,
      handle: pictures,
    }),
  ];

  const at = shapesAt(store);
  return [...routesAt('/item/:item', at.item('WRITE')), ...routesAt(shapePath, at.shape('WRITE'))];
}

type SourceAt = { readonly item: PathEntity<ItemRow>; readonly shape?: PathEntity<Shape> };

/** Item whose forms are made, and the shape that the path names. */
interface Source {
  readonly item: Pick<ItemRow, 'id'>;
  readonly shape?: Pick<Shape, 'id'>;
}

/** Memo of jobs of both types. */
const memoOf = (
  { item, shape }: Source,
  { createThumbnails, createPosters = [] }: Pick<PictureQuery, 'createThumbnails' | 'createPosters'>,
) => ({
  itemId: item.id,
  shapeId: shape?.id,
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
  const [missing, present] = query[one] === undefined ? [one, other] : [other, one];
  throw badParameter(missing, `Expected a size beside that of ${present}`);
}

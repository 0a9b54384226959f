import { itemMustExist } from '../../../assets/items/contract/store.ts';
import { prepareMetadata, systemChange } from '../../../assets/metadata/public.ts';
import { findTag, itemGone, type Shape } from '../../../assets/shapes/public.ts';
import { isPagePicture } from '../../../core/lib/mime-types.ts';
import { textOfBytes } from '../../../core/lib/random.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import type { Statement } from '../../../core/store/contract.ts';
import { changeInTurn } from '../../../room/entities/changes.ts';
import { JobFails, JobWaits, type LeasedJob, type StepResult } from '../../../room/jobs/job-type.ts';
import type { MediaSource, Still, StillOrder, Transcoder } from '../../../spi/index.ts';
import { type KeepStills, picturedMedia, runnersHook, soundMedia, type WorkHere } from '../../checking/public.ts';
import { mediaKindOf } from '../../checking/public-reading.ts';
import { heicIn } from '../codecs/heic.ts';
import type { TranscodingParts } from '../parts.ts';
import { presetFrom } from '../presets/preset.ts';
import { failedBySource, openTranscodingSource, type SourceState, seenIn, sourceFile, sourceShape } from '../source.ts';
import type { StillSize, StillTimes, TranscodeRequest } from '../transcode-request.ts';
import { drawerOf, hasTranscoder, orRunner, stillsFrom } from '../transcoders.ts';
import { pictureShelf, pictureUri } from './addresses.ts';
import { keepPicture, mostBytes, type PictureKind, pictureType } from './picture.ts';
import { type PictureRow, picturesOf } from './store.ts';
import { maxStills, namedTimes, type PictureTime, pictureTime, regularTimes } from './times.ts';

/** Bytes of a picture that is shown as it is. Lists show many thumbnails at once. */
const maxOwn: Readonly<Record<PictureKind, number>> = { thumbnail: 1024 * 1024, poster: mostBytes };

type Stills = Pick<Transcoder, 'stills'>;

/**
 * Transcoder for the stills of a source. Without one that reads pictures, a small PNG or JPEG is used as its own
 * thumbnail and poster. Other media lets the job wait, or fail.
 */
async function stillsOf(
  transcoders: readonly Transcoder[],
  source: MediaSource,
  { seconds }: SourceState,
  kind: PictureKind,
  type: StillOrder['type'],
): Promise<Stills> {
  const own = async () => (seconds === undefined ? ownPicture(source, maxOwn[kind]) : undefined);
  try {
    const transcoder = await stillsFrom(transcoders, type, orRunner);
    return {
      async stills(...args) {
        try {
          await transcoder.stills(...args);
        } catch (error) {
          const other = mediaKindOf(error) === 'unsupported' ? await own() : undefined;
          if (!other) throw error;
          await other.stills(...args);
        }
      },
    };
  } catch (error) {
    const isPossible = error instanceof JobWaits && error.waiting.requirement === 'NoTranscoder';
    const other = isPossible ? await own() : undefined;
    if (!other) throw error;
    return other;
  }
}

const previewShown = 'The preview inside the file takes the place of the picture: nothing here reads HEIC';

/** Undefined: the source is no picture that is shown as it is, and has none inside. */
async function ownPicture(source: MediaSource, max: number): Promise<Stills | undefined> {
  const heic = await heicIn(source);
  if (!heic && source.size > max) return undefined;
  const bytes = heic ? await heic.preview() : new Uint8Array(await source.read({ from: 0, end: source.size }));
  if (!bytes || bytes.byteLength > max || pictureType(bytes) === undefined) return undefined;
  return {
    async stills(_source, { seconds: [second = 0] }, each: (still: Still) => Promise<void>) {
      await each({ seconds: second, bytes, ...(heic && { warning: previewShown }) });
    },
  };
}

/** Default box of a thumbnail. */
const defaultSize = { width: 320, height: 180 };
/** Default box of a poster. */
const defaultPoster = { width: 1920, height: 1080 };

export const noPictures = 'No stills: the media has no pictures';

/** Whether somebody may draw a still of media without pictures. A service without transcoders has those of its runners. */
export function mayDraw(
  { transcoders, hooks }: Pick<TranscodingParts, 'transcoders' | 'hooks'>,
  media: string,
): boolean {
  const all = transcoders();
  if (all.length > 0 || media !== soundMedia) return all.some(({ draws }) => draws?.includes(media));
  return hooks.find(runnersHook) !== undefined;
}

async function isDrawn({ transcoders, hooks }: TranscodingParts, media: string): Promise<boolean> {
  const isHere = (await drawerOf(transcoders(), media)) !== undefined;
  const runners = hooks.find(runnersHook);
  return runners ? runners.draws(media, isHere) : isHere;
}

/**
 * Makes the stills of a job. Media without pictures has at most one thumbnail and one poster, which are drawn. `isImport`:
 * a picture that no browser shows also gets a poster, which is larger than its thumbnail.
 */
export async function makePictures(
  parts: TranscodingParts,
  job: LeasedJob,
  request: TranscodeRequest,
  shapes: readonly Shape[],
  isImport = false,
): Promise<StepResult> {
  if (request.thumbnails === 'none' && request.posters === 'none') return {};
  const { store } = parts;
  const tags = [...request.sourceTags];
  const shape = sourceShape(shapes, { ...request, tags });
  if (!shape) throw new JobFails(`Expected a shape of the item to start from: ${request.itemId} has no media`);
  const seen = await seenIn(store, shape);
  const draws = seen.stillMedia === picturedMedia ? undefined : seen.stillMedia;
  if (draws !== undefined && !(await isDrawn(parts, draws))) return { says: [noPictures] };
  const sizes = await presetSizes(parts, request);
  const file = await sourceFile(store, shape);
  const max = draws === undefined ? maxStills : 1;
  const period = pictureTime(request.period ?? sizes.period ?? '');
  const thumbnails = timesFor(request.thumbnails, seen.seconds, period).slice(0, max);
  const isHidden = isImport && seen.pictureType !== undefined && !isPagePicture(seen.pictureType);
  const wanted = isHidden && request.thumbnails === 'regular' && request.posters === 'none' ? ['0'] : request.posters;
  const posters = timesFor(wanted, undefined, undefined).slice(0, max);
  const all = thumbnails.length + posters.length;
  const warnings = new Set<string>();
  let done = 0;
  let drawnCount = 0;

  /** Each still is a commit: a job that stops half-way has those that it made. */
  async function make(kind: PictureKind, times: readonly PictureTime[], order: Omit<StillOrder, 'seconds'>) {
    if (times.length === 0) return;
    const byTime = new Map(times.map((time) => [time.instant / 1_000_000, time]));
    const whole: StillOrder = { ...order, seconds: [...byTime.keys()], ...(draws !== undefined && { draws }) };
    const drawn = async () => (draws === undefined ? undefined : drawerOf(parts.transcoders(), draws));
    const here: WorkHere<number> = {
      isAble: () => hasTranscoder(async () => (await drawn()) ?? stillsFrom(parts.transcoders(), order.type)),
      async run() {
        const source = await openTranscodingSource(parts, file, job.signal);
        const transcoder = (await drawn()) ?? (await stillsOf(parts.transcoders(), source, seen, kind, order.type));
        await job.begins();
        let keptCount = 0;
        const each = async (still: Still) => {
          keptCount += await keep([still], []);
        };
        await transcoder.stills(source, whole, each, { signal: job.signal });
        return keptCount;
      },
    };
    const runners = parts.hooks.find(runnersHook);
    const part = { job, name: kind, source: file, labels: [] };
    const keepAll: KeepStills = async (stills, also) => void (await keep(stills, also));
    done += await failedBySource(job, () => (runners ? runners.stills(part, whole, keepAll, here) : here.run()));

    /** Number of stills that are kept. Stills that are too large, or were not ordered, are dropped. */
    async function keep(stills: readonly Still[], also: readonly Statement[]): Promise<number> {
      const { essenceVersion } = shape!;
      const rows = stills.flatMap(({ seconds, bytes, warning }) => {
        const time = byTime.get(seconds);
        if (warning !== undefined) warnings.add(warning);
        if (!time || bytes.byteLength > mostBytes) return [];
        const key = textOfBytes(parts.random.bytes(16));
        const row = { itemId: request.itemId, essenceVersion, kind, instant: time.instant, time: time.text, key };
        const { byteLength: size } = bytes;
        return { ...row, type: pictureType(bytes) ?? order.type, size, createdAt: parts.clock.now(), bytes };
      });
      const itemGuard = itemMustExist(request.itemId, itemGone(request.itemId));
      const puts = rows.flatMap((row) => keepPicture(row));
      if (puts.length + also.length > 0) await store.commit(changing(job.mine, itemGuard, ...puts, ...also), job.actor);
      drawnCount += rows.length;
      job.progress(Math.round((100 * drawnCount) / all), 100, 'percent');
      return rows.length;
    }
  }

  try {
    const box = boxOf(request.thumbnail, sizes.thumbnail ?? defaultSize);
    const [first, second] = thumbnails;
    // Times of regular thumbnails are not the caller's: the nearest key picture shows the same part of the film.
    const isFree = request.thumbnails === 'regular' && first && second;
    const tolerance = isFree ? { tolerance: (second.instant - first.instant) / 2_000_000 } : {};
    await make('thumbnail', thumbnails, { ...box, type: 'image/jpeg', ...tolerance });
    await make('poster', posters, {
      ...boxOf(request.poster, sizes.poster ?? defaultPoster),
      type: request.posterType,
    });
  } catch (error) {
    // A document that cannot be drawn is imported all the same.
    if (draws === undefined || !(error instanceof JobFails)) throw error;
    return { warns: `No stills: ${error.message}` };
  }
  if (thumbnails.length > 0) await tellRepresentative(parts, job, shape);
  return { says: [`Made ${done} of ${all} stills`, ...warnings], warns: done < all || warnings.size > 0 };
}

function timesFor(
  wanted: StillTimes,
  seconds: number | undefined,
  period: PictureTime | undefined,
): readonly PictureTime[] {
  if (wanted === 'none') return [];
  return wanted === 'regular' ? regularTimes(seconds, period) : namedTimes(wanted).slice(0, maxStills);
}

const boxOf = ({ width, height }: StillSize, defaultValue: { readonly width?: number; readonly height?: number }) =>
  width !== undefined && height !== undefined ? { width, height } : defaultValue;

/** Still settings of the preset for the first tag. */
async function presetSizes({ store, limits }: TranscodingParts, { tags: [tag] }: TranscodeRequest) {
  const row = tag === undefined ? undefined : await findTag(store, { name: tag });
  if (!row) return {};
  const { thumbnailResolution, posterResolution, thumbnailPeriod } = presetFrom(row.form, row.document, limits).preset;
  const { numerator = 1, denominator = 1 } = thumbnailPeriod?.timeBase ?? {};
  return {
    ...(thumbnailResolution && { thumbnail: thumbnailResolution }),
    ...(posterResolution && { poster: posterResolution }),
    ...(thumbnailPeriod && { period: `${thumbnailPeriod.samples}@${denominator}:${numerator}` }),
  };
}

/** The metadata of the item names the thumbnail in the middle. */
async function tellRepresentative(
  parts: TranscodingParts,
  job: LeasedJob,
  { itemId: id, essenceVersion }: Shape,
): Promise<void> {
  const { store } = parts;
  const rows = await picturesOf(store, { itemId: id, kind: 'thumbnail', version: essenceVersion });
  const middle: PictureRow | undefined = rows[Math.floor((rows.length - 1) / 2)];
  if (!middle) return;
  const shelf = await pictureShelf(parts);
  const fields = {
    representativeThumbnail: pictureUri(middle, shelf, { base: '/API', keyed: false }),
    representativeThumbnailNoAuth: pictureUri(middle, shelf, { base: '/APInoauth', keyed: true }),
  };
  await changeInTurn(parts, { kind: 'item', id }, async () => {
    const metadataChange = await prepareMetadata(parts, { kind: 'item', id }, [systemChange(fields)]);
    const guards = changing(job.mine, itemMustExist(id, itemGone(id)));
    await store.commit(together(guards, metadataChange), job.actor);
  });
}

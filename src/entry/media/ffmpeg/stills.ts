import { mediaKindOf } from '../../../production/checking/public-reading.ts';
import { isJpeg, jpegFrame } from '../../../production/transcoding/public-reading.ts';
import type { MediaSource, Still, StillOrder } from '../../../spi/index.ts';
import { maxPictureBytes, printedPicture, runStreaming } from '../child/run-program.ts';
import type { Limits } from '../child/spawn-limited.ts';
import { inputArguments, passArguments, stillArguments } from './arguments.ts';
import type { PictureLook } from './colour.ts';
import { type TimedPicture, TimedPictures } from './timed-pictures.ts';

/** A source that stills are made of, and the program that makes them. */
interface StillSource {
  readonly program: string;
  readonly uri: string;
  readonly size: number;
  readonly decoding: readonly string[];
  readonly look: PictureLook | undefined;
  readonly filters: ReadonlySet<string>;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /** Throws what the storage of the source said, if it failed. */
  mustBeThere(): void;
}

type Keep = (still: Still) => Promise<void>;

/** Milliseconds without a picture. */
export const silenceOfStill = 60_000;

/**
 * Stills of one run at most: the program counts them in an expression, and refuses more than a hundred terms. Each run
 * begins at its first still.
 */
const maxOfRun = 60;
/** Stills that are worth a run over all pictures between them. */
const fewest = 3;
/** Seconds between stills up to which that run decodes less than a seek to each. Measured with films in full HD. */
const dense = 4;
/**
 * Bytes of the source for each still, up to which a run through it is worth its reading. Measured with H.264 in full HD: it
 * takes 11 ms of CPU for each MB, and a seek 800. Films of key pictures alone have more bytes, and cheaper seeks.
 */
const maxBytesOfStill = 32 * 1024 * 1024;
/** Seconds behind its last still that a run reads, for films whose pictures are far apart. */
const readsOn = 10;
/** Stills that a broken film may lack, before the others are given up. */
const maxBroken = 5;

/** Run over a part of a source. */
interface Pass {
  readonly seconds: readonly number[];
  /** Where the run begins. */
  readonly from: number;
  /** Arguments ahead of the input. */
  readonly words: readonly string[];
  /** Expression of the pictures that it gives, by their seconds `t` from its start. */
  readonly select: string;
  /** Gives the stills that a picture decides, and at the end, without one, those that are left. */
  readonly match: (picture?: TimedPicture) => readonly Still[];
}

/** Pictures at their times, among all of a part. */
function densePass(seconds: readonly number[]): Pass {
  const [from = 0] = seconds;
  const reached = seconds.map((each) => `gte(t,${(each - from - 0.000_000_5).toFixed(7)})`).join('+');
  const open = [...seconds];
  return {
    ...{ seconds, from, words: [] },
    select: `st(1,${reached});st(2,gt(ld(1),ld(0)));st(0,ld(1));ld(2)`,
    match(picture) {
      const stills: Still[] = [];
      while (picture && open.length > 0 && open[0]! <= picture.at + 0.001)
        stills.push({ seconds: open.shift()!, bytes: picture.bytes });
      return stills;
    },
  };
}

/** Key pictures, of which the nearest one to each time is taken. */
function keyPass(seconds: readonly number[], tolerance: number): Pass {
  const open = [...seconds];
  let before: TimedPicture | undefined;
  return {
    ...{ seconds, from: Math.max(0, seconds[0]! - tolerance), words: ['-skip_frame', 'nokey'] },
    // Some cameras make key pictures only.
    select: `isnan(prev_selected_t)+gte(t-prev_selected_t,${(tolerance / 2).toFixed(6)})`,
    match(picture) {
      const stills: Still[] = [];
      while (open.length > 0 && (picture === undefined || picture.at >= open[0]!)) {
        const time = open.shift()!;
        const off = (each: TimedPicture) => Math.abs(each.at - time);
        const [nearest] = [before, picture].flatMap((each) => each ?? []).toSorted((a, b) => off(a) - off(b));
        if (nearest && off(nearest) <= tolerance) stills.push({ seconds: time, bytes: nearest.bytes });
      }
      before = picture;
      return stills;
    },
  };
}

/** Whether runs through the source are worth their reading. Filters of interlaced films need the pictures beside each. */
const mayPass = ({ size, look }: StillSource, { type }: StillOrder, left: readonly number[]): boolean =>
  type === 'image/jpeg' &&
  left.length >= fewest &&
  size <= maxBytesOfStill * left.length &&
  look !== undefined &&
  !look.isInterlaced;

const distance = (seconds: readonly number[]): number => (seconds.at(-1)! - seconds[0]!) / (seconds.length - 1);

const partsOf = (seconds: readonly number[]): readonly (readonly number[])[] =>
  Array.from({ length: Math.ceil(seconds.length / maxOfRun) }, (_, at) =>
    seconds.slice(at * maxOfRun, (at + 1) * maxOfRun),
  );

/**
 * Makes the stills of an order: in one run over the key pictures where these are near enough, and in one over all pictures
 * between stills that are close together. Others are sought, each in a run of its own, and so is what a run did not give.
 * A broken film gives the pictures that it can.
 */
export async function makeStills(source: StillSource, order: StillOrder, keep: Keep): Promise<void> {
  const ready = new Set<number>();
  const give: Keep = async (still) => {
    await keep(still);
    ready.add(still.seconds);
  };
  const lacking = () => order.seconds.filter((seconds) => !ready.has(seconds));
  const { tolerance = 0 } = order;
  let near = dense;
  if (tolerance > 0 && mayPass(source, order, order.seconds) && distance(order.seconds) > near) {
    const pass = keyPass(order.seconds, tolerance);
    const count = await run(source, order, pass, give);
    // A seek decodes from the key picture before it.
    near = Math.max(near, (order.seconds.at(-1)! - pass.from) / Math.max(1, count) / 2);
  }
  const left = lacking();
  if (mayPass(source, order, left) && distance(left) <= near)
    for (const seconds of partsOf(left)) await run(source, order, densePass(seconds), give);
  let fault: { readonly error: unknown } | undefined;
  let broken = 0;
  for (const seconds of lacking()) {
    const bytes = await sought(source, order, seconds).catch((error: unknown) => {
      const kind = mediaKindOf(error);
      source.mustBeThere();
      if (kind === undefined || kind === 'aborted') throw error;
      fault ??= { error };
      // Media that keeps a program busy may do so at each time.
      broken += kind === 'broken' ? 1 : maxBroken;
      return new Uint8Array();
    });
    if (bytes.byteLength > 0) await give({ seconds, bytes });
    if (broken >= maxBroken) break;
  }
  if (ready.size === 0 && fault) throw fault.error;
}

/** Bytes in which a JPEG says its size, behind what cameras and programs write ahead of it. */
const headOfJpeg = 256 * 1024;
/** Halvings of a JPEG that the decoder does: each leaves out values of its blocks. */
const maxHalvings = 3;

interface Decoding {
  /** Arguments of the decoder. */
  readonly decoding: readonly string[];
  /** Look of the picture, if its header has it. Undefined: ffmpeg must decode the picture to tell. */
  readonly look?: PictureLook;
}

/** Colours of a JPEG, by JFIF and Exif. */
const ofJpeg = {
  ...{ pixelFormat: 'yuvj420p', isInterlaced: false, range: 'pc', matrix: 'bt470bg' },
  ...{ primaries: 'unknown', transfer: 'unknown' },
};

/** Decoding of a source for stills: by one thread, and of a JPEG at the size that is wanted, or up to twice that. */
export async function decodingOf(
  source: MediaSource,
  { width, height }: Pick<StillOrder, 'width' | 'height'>,
): Promise<Decoding> {
  const oneThread = ['-threads', '1'];
  const head = await source.read({ from: 0, end: Math.min(headOfJpeg, source.size) });
  const size = isJpeg(head) ? jpegFrame(head) : undefined;
  if (!size) return { decoding: oneThread };
  const look = size.isPlain ? { look: { ...ofJpeg, height: size.height } } : {};
  if (width === undefined || height === undefined) return { decoding: oneThread, ...look };
  // A picture may be turned behind the decoder.
  const fitting = [size, { width: size.height, height: size.width }].map((each) =>
    Math.min(width / each.width, height / each.height),
  );
  const halvings = Math.min(maxHalvings, Math.floor(Math.log2(1 / Math.max(...fitting))));
  return { decoding: halvings > 0 ? [...oneThread, '-lowres', String(halvings)] : oneThread, ...look };
}

/** Number of pictures that a run gave. One that fails leaves its stills to seeks, which say why. */
async function run(source: StillSource, order: StillOrder, pass: Pass, give: Keep): Promise<number> {
  const { program, uri, limits, signal } = source;
  const { seconds, from, words, match, select } = pass;
  const pictures = new TimedPictures(maxPictureBytes);
  let count = 0;
  let refused: { readonly error: unknown } | undefined;
  const giveAll = async (stills: readonly Still[]) => {
    for (const still of stills)
      await give(still).catch((error: unknown) => {
        refused = { error };
        throw error;
      });
  };
  const length = seconds.at(-1)! - from + readsOn;
  try {
    await runStreaming({
      program,
      words: [
        ...[...inputArguments, ...words, ...positionAt(from), '-t', length.toFixed(6), '-i', uri],
        ...passArguments(order, source, select),
      ],
      limits,
      silence: silenceOfStill,
      signal,
      printed(piece) {
        const stills: Still[] = [];
        for (const { at, bytes } of pictures.take(piece)) {
          count++;
          stills.push(...match({ at: at + from, bytes }));
        }
        return stills.length === 0 ? true : giveAll(stills);
      },
    });
    await giveAll(match());
  } catch {
    if (refused) throw refused.error;
    signal.throwIfAborted();
    source.mustBeThere();
  }
  return count;
}

const positionAt = (seconds: number): readonly string[] => (seconds === 0 ? [] : ['-ss', seconds.toFixed(6)]);

/** The picture at a time, or the last one behind the end, or that of a source that is one picture. Empty: none. */
async function sought(source: StillSource, order: StillOrder, seconds: number): Promise<Uint8Array<ArrayBuffer>> {
  const { program, uri, decoding, limits, signal } = source;
  const output = stillArguments(order, source);
  const pictureAt = (position: readonly string[]): Promise<Uint8Array<ArrayBuffer>> =>
    printedPicture({
      ...{ program, limits, silence: silenceOfStill, signal },
      words: [...inputArguments, ...decoding, ...position, '-i', uri, ...output],
    });
  const picture = await pictureAt(positionAt(seconds));
  if (picture.byteLength > 0) return picture;
  const last = await pictureAt(['-sseof', '-1']).catch(() => new Uint8Array());
  return last.byteLength > 0 ? last : pictureAt([]);
}

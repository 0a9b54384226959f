import { type Shape, shapeDocuments } from '../../../../assets/shapes/public.ts';
import { ServiceError } from '../../../../core/lib/errors.ts';
import type { Reader } from '../../../../core/store/statement.ts';
import { plainFileView } from '../../../../storage/public.ts';
import { framesIn, nearestRate, type Rate } from '../../exporting/frames.ts';

/** Media of a shape, as the media check found it. */
export interface Footage {
  readonly item: string;
  readonly shape: string;
  /** Undefined: sound only. */
  readonly picture: Picture | undefined;
  readonly hasSound: boolean;
  readonly rate: Rate;
  /** Duration in pictures of the rate: 1 for a single picture. Undefined: unknown. */
  readonly count: number | undefined;
}

interface Picture {
  /** Size as it is stored and turned upright. Undefined: unknown. */
  readonly size: readonly [width: number, height: number] | undefined;
  /** Width of a pixel divided by its height. */
  readonly pixelAspect: number;
  readonly isStill: boolean;
}

/** Pictures a second of sound, and of media that tells no rate. */
const usualRate = 25;

/** Media of a shape. Throws a refusal before a media check has found pictures or sound. */
export async function footageOf(reader: Reader, shape: Shape): Promise<Footage> {
  const [document] = await shapeDocuments(reader, [shape], { includePlaceholder: false, files: plainFileView });
  const { containerComponent, videoComponent: [video] = [], audioComponent: [audio] = [] } = document!;
  const common = { item: shape.itemId, shape: shape.id, hasSound: audio !== undefined };
  if (!video && !audio) {
    const explanation = 'Expected a shape with pictures or sound: a media check found neither';
    throw new ServiceError('bad-value', { context: 'path', id: shape.id, explanation });
  }
  const { numerator = usualRate, denominator = 1 } = video?.averageFrameRate ?? {};
  const rate = nearestRate(denominator > 0 ? numerator / denominator : usualRate);
  if (video?.numberOfPackets === 1) return { ...common, picture: pictureOf(video, true), rate, count: 1 };
  const duration = containerComponent?.duration ?? video?.duration ?? audio?.duration;
  return {
    ...common,
    picture: video && pictureOf(video, false),
    rate,
    count: duration && framesIn(duration, rate),
  };
}

interface Video {
  readonly resolution?: { readonly width: number; readonly height: number } | undefined;
  readonly pixelAspectRatio?: { readonly horizontal: number; readonly vertical: number } | undefined;
  readonly mediaInfo?:
    | { readonly property?: readonly { readonly key: string; readonly value: string }[] | undefined }
    | undefined;
}

function pictureOf({ resolution, pixelAspectRatio, mediaInfo }: Video, isStill: boolean): Picture {
  const rotation = mediaInfo?.property?.find(({ key }) => key === 'Rotation')?.value;
  const isTurned = rotation !== undefined && Number(rotation) % 180 !== 0;
  const { horizontal = 1, vertical = 1 } = pixelAspectRatio ?? {};
  const aspect = horizontal > 0 && vertical > 0 ? horizontal / vertical : 1;
  const size = resolution && ([resolution.width, resolution.height] as const);
  return {
    size: size && isTurned ? [size[1], size[0]] : size,
    pixelAspect: isTurned ? 1 / aspect : aspect,
    isStill,
  };
}

import type {
  ApprovalDocument,
  EssenceVersionDocument,
  EssenceVersionListDocument,
  ItemType,
  ShapeType,
} from 'portico/types';
import { get } from '../../api/client.ts';
import { durationOf } from '../../player/frames.ts';
import { may } from '../../rights.ts';
import { lengthText } from '../../texts/clock.ts';
import { type Key, numberText, sizeText, t } from '../../texts/index.ts';
import { filesOf } from './item.ts';

/** Most versions that are offered, the newest first. */
const maxVersions = 20;

/** A version of the media, with its shapes and its states under review. */
export interface Version {
  readonly number: number;
  readonly shapes: readonly ShapeType[];
  /** Undefined: the person may not read it, or the instance has no approvals. */
  readonly approval: ApprovalDocument | undefined;
}

export const pathOfVersions = ({ id = '' }: ItemType): string => `/item/${encodeURIComponent(id)}/shape/version`;

/** The versions of an item, the newest first. */
export async function readVersions(item: ItemType, signal: AbortSignal): Promise<readonly Version[]> {
  const path = pathOfVersions(item);
  const { version = [] } = await get<EssenceVersionListDocument>(path, { signal });
  const numbers = version.map(({ id }) => Number(id)).toSorted((one, other) => other - one);
  return Promise.all(
    numbers.slice(0, maxVersions).map(async (number) => {
      const [{ shape: shapes = [] }, approval] = await Promise.all([
        get<EssenceVersionDocument>(`${path}/${number}`, { signal }),
        may('approval.read')
          ? get<ApprovalDocument>(`${path}/${number}/approval`, { signal }).catch(() => undefined)
          : undefined,
      ]);
      return { number, shapes, approval };
    }),
  );
}

/** People count from 1. */
export const versionName = (number: number): string => t('item.version', { number: number + 1 });

export type Pair = readonly [one: ShapeType, other: ShapeType];

/**
 * Two shapes to compare: those that the address names, or else the newest one and one of the version before, with the
 * same tag if there is one. Undefined: there is only one.
 */
export function pairOf(all: readonly ShapeType[], ids: readonly string[]): Pair | undefined {
  const [first = all[0], named] = ids.flatMap((id) => all.find((each) => each.id === id) ?? []);
  const others = all.filter((each) => each !== first);
  const isLike = ({ tag = [] }: ShapeType) => tag.some((name) => first?.tag?.includes(name));
  const earlier = others.filter(({ essenceVersion }) => essenceVersion !== first?.essenceVersion);
  const second = named ?? earlier.find(isLike) ?? earlier[0] ?? others[0];
  return first && second && [first, second];
}

export interface Property {
  readonly name: Key;
  readonly texts: readonly [one: string, other: string];
}

type Read = (shape: ShapeType) => string | number | undefined;

const rateOf: Read = ({ videoComponent: [video] = [] }) => {
  const rate = video?.averageFrameRate;
  return rate && rate.denominator > 0 ? Number((rate.numerator / rate.denominator).toFixed(3)) : undefined;
};

/** Properties of two shapes that stand side by side. */
const reads: readonly (readonly [name: Key, read: Read])[] = [
  ['library.tag', ({ mimeType }) => mimeType?.join(', ')],
  [
    'item.picture',
    ({ videoComponent: [video] = [] }) => video?.resolution && `${video.resolution.width} × ${video.resolution.height}`,
  ],
  ['item.video', ({ videoComponent: [video] = [] }) => [video?.codec, video?.pixelFormat].filter(Boolean).join(' · ')],
  ['item.rate', rateOf],
  [
    'item.sound',
    ({ audioComponent = [] }) =>
      audioComponent
        .map(({ codec, channelCount }) =>
          [codec, channelCount && t('player.channels', { count: channelCount })].filter(Boolean).join(' · '),
        )
        .join(', '),
  ],
  [
    'player.length',
    (shape) => {
      const seconds = durationOf(shape);
      return seconds === undefined ? undefined : `${lengthText(seconds)} (${seconds.toFixed(2)} s)`;
    },
  ],
  [
    'item.size',
    (shape) => {
      const bytes = filesOf(shape).reduce((sum, { size }) => sum + (size ?? 0), 0);
      return bytes === 0 ? undefined : `${sizeText(bytes)} (${numberText(bytes)})`;
    },
  ],
];

/** The rows of both shapes that at least one of them has. */
export const propertiesOf = ([one, other]: Pair): readonly Property[] =>
  reads
    .map(([name, read]) => ({ name, texts: [String(read(one) ?? ''), String(read(other) ?? '')] as const }))
    .filter(({ texts }) => texts.some((text) => text !== ''));

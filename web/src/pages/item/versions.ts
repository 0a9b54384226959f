import type { ShapeType } from 'portico/types';
import { durationOf, lengthText } from '../../player/frames.ts';
import { type Key, numberText, sizeText, t } from '../../texts/index.ts';
import { filesOf } from './item.ts';

export type Pair = readonly [one: ShapeType, other: ShapeType];

/**
 * Two shapes to compare: those that the address names, or else the newest one and that with the same tag in the version
 * before. Undefined: there is only one.
 */
export function pairOf(all: readonly ShapeType[], ids: readonly string[]): Pair | undefined {
  const [first = all[0], named] = ids.flatMap((id) => all.find((each) => each.id === id) ?? []);
  const others = all.filter((each) => each !== first);
  const isLike = ({ tag = [] }: ShapeType) => tag.some((name) => first?.tag?.includes(name));
  const second = named ?? others.find(isLike) ?? others[0];
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

/** What of two shapes stands side by side. */
const reads: readonly (readonly [name: Key, read: Read])[] = [
  ['item.format', ({ mimeType }) => mimeType?.join(', ')],
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

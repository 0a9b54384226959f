import type { SharedItem } from './documents.ts';

/** Part of an item document that guests are values of. */
export interface ItemOf {
  readonly id: string;
  readonly terse?: Readonly<Record<string, readonly { readonly value?: string }[] | undefined>>;
  readonly shape?: readonly ShapeOf[];
}

export interface ShapeOf {
  readonly id: string;
  readonly tag?: readonly string[];
  readonly mimeType?: readonly string[];
  readonly [component: string]: unknown;
}

const fields = {
  title: 'title',
  mediaType: 'mediaType',
  durationSeconds: 'durationSeconds',
  width: 'originalWidth',
  height: 'originalHeight',
} as const satisfies Partial<Record<keyof SharedItem, string>>;

/** Query for the fields of an item. More content can follow. */
export const fieldsAsked = `terse=true&interval=generic&field=${Object.values(fields).join(',')}&content=metadata`;

export function itemFrom({ id, terse = {} }: ItemOf): SharedItem {
  const values = Object.entries(fields).flatMap(([key, field]) => {
    const value = terse[field]?.[0]?.value;
    return value === undefined ? [] : [[key, value] as const];
  });
  return { id, ...Object.fromEntries(values) };
}

/** Shapes with a tag that guests play or download. */
export const shapesFrom = (
  { shape = [] }: ItemOf,
  play: readonly string[],
  download: readonly string[],
): NonNullable<SharedItem['shape']> =>
  shape
    .map(({ id, tag = [], mimeType: [mimeType] = [], containerComponent, binaryComponent }) => ({
      ...{ id, tag, mimeType, bytes: sizeOf(containerComponent) ?? sizeOf(binaryComponent) },
      play: tag.some((each) => play.includes(each)),
      download: tag.some((each) => download.includes(each)),
    }))
    .filter((each) => each.play || each.download);

interface Component {
  readonly file?: readonly { readonly size?: number }[];
}

const sizeOf = (component: unknown): number | undefined =>
  ([component].flat()[0] as Component | undefined)?.file?.[0]?.size;

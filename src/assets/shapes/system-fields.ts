import { promisesMedia, soundsLikeMedia } from '../../core/lib/mime-types.ts';
import type { EventRecord } from '../../core/store/contract.ts';
import type { Reader } from '../../core/store/statement.ts';
import { type MetadataContext, metadataOf, storedView, terseOf } from '../metadata/public.ts';
import { shapeDocuments } from './documents/from-rows.ts';
import type { ShapeOf } from './documents/shape.ts';
import type { Shape } from './load.ts';
import { original } from './rules.ts';

/** System fields of an item. An empty list removes the field. */
export type SystemFields = Readonly<Record<string, readonly string[]>>;

/** Distinct tags of all shapes. */
export const tagsOf = (shapes: readonly Pick<Shape, 'tags'>[]): readonly string[] => [
  ...new Set(shapes.flatMap(({ tags }) => tags)),
];

/** Tags of all shapes of an item after the events, each of which carries the tags of its shape. */
export function tagsAfter(shapes: readonly Shape[], itemId: string, events: readonly EventRecord[]): readonly string[] {
  const tags = new Map(shapes.map(({ id, tags: current }) => [id, current]));
  for (const { name, entityId, payload } of events) {
    if (entityId !== itemId || !name.startsWith('shape/')) continue;
    const { shapeId, shapeTag = [] } = payload as { shapeId: string; shapeTag?: readonly string[] };
    if (name === 'shape/delete') tags.delete(shapeId);
    else tags.set(shapeId, shapeTag);
  }
  return tagsOf([...tags.values()].map((each) => ({ tags: each })));
}

/** System fields derived from the essence of a shape. */
export function essenceFields({
  mimeType = [],
  containerComponent,
  videoComponent = [],
  audioComponent = [],
  binaryComponent = [],
  metadata,
}: ShapeOf): SystemFields {
  const [video] = videoComponent;
  const [audio] = audioComponent;
  const duration = containerComponent?.duration ?? video?.duration ?? audio?.duration;
  const fileName = metadata?.field?.find(({ key }) => key === 'originalFilename')?.value?.value;
  const { numerator = 1, denominator = 1 } = duration?.timeBase ?? {};
  const seconds = duration && denominator !== 0 ? (duration.samples * numerator) / denominator : undefined;
  // Media that could not be read, whatever its name or type promises.
  const isUnread =
    binaryComponent.every(({ format }) => format === undefined) &&
    (promisesMedia(fileName ?? '') || soundsLikeMedia(mimeType[0] ?? ''));
  const kind = video
    ? video.numberOfPackets === 1
      ? 'image'
      : 'video'
    : audio
      ? 'audio'
      : binaryComponent.length === 0
        ? undefined
        : isUnread
          ? 'none'
          : 'data';
  const fieldValues: Readonly<Record<string, string | number | undefined>> = {
    mediaType: kind,
    mimeType: mimeType[0],
    originalFilename: fileName,
    originalFormat: containerComponent?.format ?? binaryComponent[0]?.format,
    originalVideoCodec: video?.codec,
    originalAudioCodec: audio?.codec,
    originalWidth: video?.resolution?.width,
    originalHeight: video?.resolution?.height,
    durationSeconds: seconds,
    durationTimeCode: seconds === undefined ? undefined : `${duration!.samples}@${baseOf(numerator, denominator)}`,
  };
  return Object.fromEntries(
    Object.entries(fieldValues).flatMap(([name, value]) => (value === undefined ? [] : [[name, [String(value)]]])),
  );
}

/** Time base as in time codes: `25`, `30000:1001`. */
const baseOf = (numerator: number, denominator: number): string =>
  numerator === 1 ? String(denominator) : `${denominator}:${numerator}`;

/** Removes system fields derived from a shape, if they still have its values. */
export function fieldsWithout(from: SystemFields, now: ReadonlyMap<string, readonly string[]>): SystemFields {
  const same = Object.entries(from).filter(([name, values]) => now.get(name)?.join('\n') === values.join('\n'));
  return Object.fromEntries(same.map(([name]) => [name, name === 'mediaType' ? ['none'] : []]));
}

/** Shape described in the metadata of the item: the original of the latest version that has one. */
export const originalOf = (shapes: readonly Shape[]): Shape | undefined =>
  shapes.findLast(({ tags }) => tags.includes(original));

/**
 * System fields after another shape becomes the original. Values of the previous ones are removed, unless somebody
 * changed them.
 */
export async function fieldsFollowing(
  { store }: Pick<MetadataContext, 'store'>,
  itemId: string,
  from: readonly Shape[],
  to: Shape | undefined,
): Promise<SystemFields> {
  const documents = await shapeDocuments(store, [...from, ...(to ? [to] : [])]);
  const now = await currentValues(store, itemId);
  const gone = documents.slice(0, from.length).map((document) => fieldsWithout(essenceFields(document), now));
  return Object.assign({}, ...gone, to && essenceFields(documents.at(-1)!));
}

/** Stored values of an item, by field. */
export async function currentValues(reader: Reader, itemId: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const metadata = await metadataOf(reader, [{ kind: 'item', id: itemId }], storedView);
  const terse = [...terseOf(metadata.get(itemId) ?? {})];
  return new Map(terse.map(([name, values]) => [name, values.map(({ value }) => value)]));
}

import type { Clock } from '../../core/lib/clock.ts';
import { lacksRight, type ServiceError } from '../../core/lib/errors.ts';
import { groupBy } from '../../core/lib/group-by.ts';
import type { Reader } from '../../core/store/statement.ts';
import type { MediaUse } from '../../room/media.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { notUsable, type Usage, usageOf } from './rules.ts';
import { termsFor } from './store.ts';

/** Milliseconds after which terms are read again while bytes leave: they may come, or move, meanwhile. */
const rereadAfter = 2_000;

/** Role of those for whom media leave whatever the terms say. */
export const aboveTerms = '_usage_override';

/** Kinds of what is used, by their nouns in refusals. A file is used as each shape that has it. */
const nouns = { item: 'Item', collection: 'Collection', shape: 'Shape', file: 'File' } as const;

export interface Media {
  readonly type: keyof typeof nouns;
  readonly id: string;
  /** Item of a shape. */
  readonly itemId?: string | undefined;
}

interface ShapeId {
  readonly id: string;
  readonly itemId: string;
}

export const mediaOfShape = ({ id, itemId }: ShapeId): Media => ({ type: 'shape', id, itemId });
export const mediaOfItem = (id: string): Media => ({ type: 'item', id });

/** Terms that count for media, with the id of the media as `root`. */
export const termsOfMedia = (reader: Reader, media: readonly Media[]) =>
  termsFor(reader, {
    low: media.flatMap(({ type, id, itemId }) => [
      [id, type, id],
      ...(itemId === undefined ? [] : [[id, 'item', itemId]]),
    ]),
  });

/** Results of the terms of media of one kind. Those without terms are missing. `now`: milliseconds since the epoch. */
export async function usagesOf(
  reader: Reader,
  media: readonly Media[],
  now: number,
): Promise<ReadonlyMap<string, Usage>> {
  const rows = media.length === 0 ? [] : await termsOfMedia(reader, media);
  return new Map([...groupBy(rows, ({ root }) => root)].map(([id, terms]) => [id, usageOf(terms, now)]));
}

/** Guests are not above the terms, also where the maker of their share is. */
const isAbove = async (caller: Caller | undefined): Promise<boolean> =>
  caller !== undefined && caller.guest === undefined && (await subjectOf(caller).has(aboveTerms));

/** Refusals of media that terms close to a caller now, by id. Undefined: a guest, or who has an address. */
export async function closedByTerms(
  reader: Reader,
  caller: Caller | undefined,
  media: readonly Media[],
  now: number,
): Promise<ReadonlyMap<string, ServiceError>> {
  const usages = await usagesOf(reader, media, now);
  const closed = media.flatMap(({ type, id }): [string, ServiceError][] => {
    const usage = usages.get(id);
    return usage === undefined || usage.state === 'usable' ? [] : [[id, notUsable(nouns[type], id, usage)]];
  });
  return new Map(closed.length === 0 || (await isAbove(caller)) ? [] : closed);
}

/** Throws where terms close any of the media to a caller now. */
export async function mustAllBeUsable(
  reader: Reader,
  caller: Caller | undefined,
  media: readonly Media[],
  now: number,
): Promise<void> {
  for (const refusal of (await closedByTerms(reader, caller, media, now)).values()) throw refusal;
}

/** Uses of media by a caller now, or the refusals where terms close them. Undefined: a guest, or who has an address. */
export async function usesOfMedia(
  reader: Reader,
  caller: Caller | undefined,
  media: readonly Media[],
  now: number,
): Promise<ReadonlyMap<string, MediaUse | ServiceError>> {
  const usages = await usagesOf(reader, media, now);
  const above = usages.size > 0 && (await isAbove(caller));
  const useOf = ({ type, id }: Media): MediaUse | ServiceError => {
    const usage = usages.get(id);
    if (usage === undefined) return {};
    if (above) return { isAbove: true };
    return usage.state === 'usable' ? { until: usage.usableUntil } : notUsable(nouns[type], id, usage);
  };
  return new Map(media.map((each) => [each.id, useOf(each)]));
}

/** Throws where terms close media to a caller now. Undefined: a guest, or who has an address. */
export const mustBeUsable = (reader: Reader, caller: Caller | undefined, media: Media, now: number): Promise<void> =>
  mustAllBeUsable(reader, caller, [media], now);

/** Use of media by a caller who takes their bytes. Throws where terms close them now. Undefined: as above. */
export async function useOfMedia(
  reader: Reader,
  caller: Caller | undefined,
  media: Media,
  clock: Pick<Clock, 'now'>,
): Promise<MediaUse> {
  const { type, id } = media;
  let readAt = clock.now();
  const usage = (await usagesOf(reader, [media], readAt)).get(id);
  if (usage && (await isAbove(caller))) return { isAbove: true };
  if (usage && usage.state !== 'usable') throw notUsable(nouns[type], id, usage);
  let until = usage?.usableUntil ?? Number.POSITIVE_INFINITY;
  return {
    until: usage?.usableUntil,
    async stillUsable() {
      const now = clock.now();
      if (now >= readAt + rereadAfter) {
        readAt = now;
        // A database that does not answer closes nothing: what was read before counts until the next time.
        const next = await useOfMedia(reader, caller, media, clock).catch((error) => {
          if (lacksRight(error)) throw error;
          return { until };
        });
        until = next.until ?? Number.POSITIVE_INFINITY;
      }
      if (now >= until) throw new Error('Expected a use of the media before its rights end');
    },
  };
}

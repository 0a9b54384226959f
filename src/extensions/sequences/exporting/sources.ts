import type { FieldReader } from '../../../assets/definitions/public-reading.ts';
import { displayNamesOf, firstValuesOf } from '../../../assets/metadata/public.ts';
import { mediaSeconds, samplesOf } from '../../../core/lib/time-code.ts';
import { yieldTurn } from '../../../core/lib/turn.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { oneLine } from '../../../http/reply.ts';
import type { MediaTimes, Source } from './clips.ts';

/** Items per read. */
const slice = 50;
/** Maximum characters of a name, which is repeated for each part of a sequence. */
const maxLength = 250;
export const shortName = (name: string): string => oneLine(name.slice(0, maxLength).toWellFormed());

/** Name of an item or collection, as far as the caller may read it. */
export async function titleOf(
  reader: Reader,
  owner: { readonly kind: 'item' | 'collection'; readonly id: string },
  asker: FieldReader,
): Promise<string | undefined> {
  return (await displayNamesOf(reader, [owner], asker)).get(owner.id);
}

const [startField, lengthField] = ['startTimeCode', 'durationTimeCode'];

/** Times of the media of items by id, with the first values of more fields. */
export async function mediaTimesOf(
  reader: Reader,
  items: readonly string[],
  asker: FieldReader,
  more: readonly string[] = [],
): Promise<ReadonlyMap<string, MediaTimes & { readonly values: ReadonlyMap<string, string> }>> {
  const owners = items.map((id) => ({ kind: 'item', id }) as const);
  const valuesById = await firstValuesOf(reader, owners, [startField!, lengthField!, ...more], asker);
  const timeIn = (text: string | undefined) =>
    text === undefined || mediaSeconds(text) === undefined ? undefined : samplesOf(text);
  return new Map(
    [...valuesById].map(([id, values]) => {
      const [start, length] = [timeIn(values.get(startField!)), timeIn(values.get(lengthField!))];
      return [id, { ...(start && { start }), ...(length && { length }), values }];
    }),
  );
}

/** Items of a sequence by id. Unreadable names are replaced by the id. */
export async function clipSources(
  reader: Reader,
  items: readonly string[],
  paths: ReadonlyMap<string, string>,
  asker: FieldReader,
): Promise<ReadonlyMap<string, Source>> {
  const sources = new Map<string, Source>();
  for (let at = 0; at < items.length; at += slice) {
    const some = items.slice(at, at + slice);
    const owners = some.map((id) => ({ kind: 'item', id }) as const);
    const names = await displayNamesOf(reader, owners, asker);
    const times = await mediaTimesOf(reader, some, asker);
    for (const id of some) {
      const path = paths.get(id);
      const { start, length } = times.get(id) ?? {};
      const name = names.get(id) ?? id;
      sources.set(id, {
        ...{ name, path: path === undefined ? undefined : oneLine(path) },
        ...(start && { start }),
        ...(length && { length }),
      });
    }
    await yieldTurn();
  }
  return sources;
}

import {
  attribute,
  content,
  document,
  element,
  exactlyOneOf,
  integer,
  list,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';
import { badValue } from '../../../core/documents/error.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { compare, type Instant, instantOf } from '../../../core/lib/time-code.ts';
import type { CommitPlan, Touch } from '../../../core/store/contract.ts';
import type { AttachmentOwner as Owner } from '../../metadata/public.ts';
import { type BulkyRow, removeAllValues, removeValues, valuesFit, writeBulkyValues } from './store.ts';

const entry = structure('BulkyMapEntryType', { key: attribute(string).required, text: content(string).required });
const maps = structure('BulkyMapListType', { map: list(structure('BulkyMapType', { entry: list(entry) })) });

const pair = structure(
  'BulkyMetadataPairType',
  {
    key: element(string).required,
    value: element(string),
    maps: element(maps),
    start: attribute(string).says('A time code. Default: -INF.'),
    end: attribute(string).says('A time code. Default: +INF.'),
    stream: attribute(integer),
    channel: attribute(integer),
    itemTrack: attribute(string),
  },
  exactlyOneOf('value', 'maps'),
);

/** Large amounts of timed metadata, which are not searchable. */
export const bulkyMetadata = structure('BulkyMetadataType', { field: list(pair), id: attribute(string) });
export const bulkyMetadataDocument = document('BulkyMetadataDocument', bulkyMetadata);
type BulkyMetadata = Value<typeof bulkyMetadataDocument>;
type BulkyPair = NonNullable<BulkyMetadata['field']>[number];

/** Maximum of values per entity. */
const max = 50_000;
const maxKeyLength = 255;
const beyond = Number.MAX_VALUE;

interface Interval {
  readonly from: number;
  readonly until: number;
}

/** Requested interval. Default: all of time. */
export const intervalOf = (start = '-INF', end = '+INF'): Interval => {
  const [first, last] = instants(start, end, 'parameter');
  return { from: secondsOf(first), until: secondsOf(last) };
};

function instants(start: string, end: string, place: string): readonly [Instant, Instant] {
  const [first, last] = [instantOf(start), instantOf(end)];
  if (!first) throw badValue(`${place} start`, 'a time code', start);
  if (!last) throw badValue(`${place} end`, 'a time code', end);
  if (compare(first, last) > 0) throw badValue(`${place} end`, 'a time behind the start', end);
  return [first, last];
}

function secondsOf({ fraction, key }: Instant): number {
  if (fraction === undefined) return key === '-INF' ? -beyond : beyond;
  return Number(fraction.numerator) / Number(fraction.denominator);
}

const place = '/BulkyMetadataDocument/field';

/** Touch for participants: bulky metadata of an item, a shape or a component changed. */
const bulkyOf = ({ type, id }: Owner): Touch => ({ kind: 'bulky', id, aspect: type });

/** Sets values and keeps all others. Key, interval, stream, channel and track identify a value. */
export function setBulky(owner: Owner, pairs: readonly BulkyPair[] = []): CommitPlan {
  const values = pairs.map(({ key, value, maps, start = '-INF', end = '+INF', stream, channel, itemTrack = '' }) => {
    checkBulkyKey(key, `${place}/key`);
    const [first, last] = instants(start, end, place);
    const said = JSON.stringify(maps === undefined ? { value } : { maps });
    return [key, start, end, stream ?? -1, channel ?? -1, itemTrack, secondsOf(first), secondsOf(last), said];
  });
  const full = new ServiceError('bad-value', {
    context: owner.type,
    id: owner.id,
    explanation: `Expected at most ${max} values of bulky metadata`,
  });
  return {
    changes: [writeBulkyValues({ ...owner, values }), valuesFit({ ...owner, max }, full)],
    events: [],
    touches: [bulkyOf(owner)],
  };
}

export function checkBulkyKey(key: string, where = 'path'): void {
  if (key === '' || key.length > maxKeyLength || /[\0-\x1f\x7f/]/.test(key)) {
    throw badValue(where, `1 to ${maxKeyLength} characters, none of them a slash`, key);
  }
}

export const removeBulky = (owner: Owner, key: string, interval: Interval): CommitPlan => ({
  changes: [removeValues({ ...owner, key, ...interval })],
  events: [],
  touches: [bulkyOf(owner)],
});

export const clearBulky = (owner: Owner): CommitPlan => ({
  changes: [removeAllValues(owner)],
  events: [],
  touches: [bulkyOf(owner)],
});

export const pairOf = ({ key, start, end, stream, channel, track, value }: BulkyRow): BulkyPair => ({
  key,
  ...(JSON.parse(value) as Pick<BulkyPair, 'value' | 'maps'>),
  start,
  end,
  ...(stream >= 0 && { stream }),
  ...(channel >= 0 && { channel }),
  ...(track !== '' && { itemTrack: track }),
});

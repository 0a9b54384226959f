import { badValue } from '../../core/documents/error.ts';
import { readPlainJson } from '../../core/documents/index.ts';
import { isRecord } from '../../core/lib/checks.ts';
import type { Time } from './exporting/frames.ts';

/** Objects of OpenTimelineIO as files have them. */

export type OtioNode = Readonly<Record<string, unknown>>;

/** Bounds of a file: each clip has some sixty values. */
const limits = { depth: 64, values: 200_000 };
/** Characters of names, addresses and reels. */
const maxText = 4096;

/** Versions of objects that are read. */
const versions: ReadonlyMap<string, number> = new Map([
  ...['Timeline', 'SerializableCollection', 'Stack', 'Track', 'Gap', 'Transition'].map((name) => [name, 1] as const),
  ...['RationalTime', 'TimeRange', 'ExternalReference', 'MissingReference'].map((name) => [name, 1] as const),
  ...['GeneratorReference', 'ImageSequenceReference', 'LinearTimeWarp', 'FreezeFrame'].map(
    (name) => [name, 1] as const,
  ),
  ['Clip', 2],
  ['Marker', 2],
]);

export const badOtio = (place: string, expected: string, found: unknown) =>
  badValue(`/${place}`, expected, (typeof found === 'string' ? found : JSON.stringify(found))?.slice(0, 80));

/** Root of a file. Refuses what is no JSON of OpenTimelineIO, or too much of it. */
export function otioRoot(text: string): OtioNode {
  const refusal = (place: string, expected: string, found: string) => badOtio(place, expected, found);
  const root = readPlainJson(text, limits, 'JSON of OpenTimelineIO', refusal);
  schemaOf(root, '');
  return root as OtioNode;
}

/** Name of the schema of an object, whose version is one that is read. */
export function schemaOf(value: unknown, place: string): string {
  const text = isRecord(value) ? value['OTIO_SCHEMA'] : undefined;
  const [, name, version] = (typeof text === 'string' && /^(\w{1,80})\.(\d{1,9})$/.exec(text)) || [];
  if (name === undefined) throw badOtio(place, 'an object with an OTIO_SCHEMA', text ?? value);
  const max = versions.get(name);
  if (max !== undefined && Number(version) > max) throw badOtio(place, `${name} of a version up to ${max}`, text);
  return name;
}

export function nodeOf(value: unknown, schema: string, place: string): OtioNode {
  const name = schemaOf(value, place);
  if (name !== schema) throw badOtio(place, `an object ${schema}`, name);
  return value as OtioNode;
}

export function nodesIn({ children }: OtioNode, place: string): readonly OtioNode[] {
  if (children === undefined || children === null) return [];
  if (!Array.isArray(children)) throw badOtio(`${place}/children`, 'a list', children);
  return children;
}

export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, maxText) : undefined;

/** A time in units of its own rate. */
interface Count {
  readonly units: number;
  readonly base: Time['timeBase'];
}

export function countIn(value: unknown, place: string): Count {
  const { value: units, rate } = nodeOf(value, 'RationalTime', place);
  if (typeof units !== 'number' || Math.abs(units) > 1e12) throw badOtio(`${place}/value`, 'a number of units', units);
  return { units, base: baseOf(rate, `${place}/rate`) };
}

/** Programs round rates: 23.976 and 23.98 are 24000/1001. */
function baseOf(rate: unknown, place: string): Time['timeBase'] {
  if (typeof rate === 'number' && rate > 0 && rate <= 1e6) {
    const whole = Math.round(rate);
    if (whole > 0 && Math.abs(rate - whole) < 1e-4) return { numerator: 1, denominator: whole };
    const counted = Math.round(rate * 1.001);
    if (Math.abs(rate - counted / 1.001) < 0.005) return { numerator: 1001, denominator: counted * 1000 };
  }
  throw badOtio(place, 'whole units a second, or those of NTSC such as 29.97', rate);
}

export interface OtioRange {
  readonly start: Count;
  readonly length: Count;
}

export function rangeIn(value: unknown, place: string): OtioRange | undefined {
  if (value === undefined || value === null) return undefined;
  const { start_time: start, duration } = nodeOf(value, 'TimeRange', place);
  const length = countIn(duration, `${place}/duration`);
  if (length.units < 0) throw badOtio(`${place}/duration`, 'a length from 0 on', length.units);
  return { start: countIn(start, `${place}/start_time`), length };
}

export const secondsIn = ({ units, base: { numerator, denominator } }: Count): number =>
  (units * numerator) / denominator;

/** Units of another base. */
export const unitsOf = ({ units, base }: Count, other: Time['timeBase']): number =>
  isSame(base, other) ? units : (units * base.numerator * other.denominator) / (base.denominator * other.numerator);

export const isSame = (one: Time['timeBase'], other: Time['timeBase']): boolean =>
  one.numerator * other.denominator === other.numerator * one.denominator;

/** Media of a clip, in the forms of both versions. */
export function mediaOf(clip: OtioNode): OtioNode {
  const { media_references: all, active_media_reference_key: key = 'DEFAULT_MEDIA', media_reference: only } = clip;
  const media = isRecord(all) && typeof key === 'string' && Object.hasOwn(all, key) ? all[key] : only;
  return isRecord(media) ? media : { OTIO_SCHEMA: 'MissingReference.1' };
}

export const metadataOf = ({ metadata }: OtioNode): OtioNode => (isRecord(metadata) ? metadata : {});

/** Value that an export of this service wrote. */
export function ownIn(node: OtioNode, key: string): string | undefined {
  const own = metadataOf(node)['portico'];
  return isRecord(own) ? textIn(own[key]) : undefined;
}

import { badValue } from '../../core/documents/error.ts';
import { readPlainJson } from '../../core/documents/index.ts';
import { isRecord } from '../../core/lib/checks.ts';
import { yieldTurn } from '../../core/lib/turn.ts';
import { decoded } from '../../production/ingest/public.ts';
import {
  type Asset,
  betweenTurns,
  type Clip,
  type Cut,
  type ImportedProject,
  maxClips,
  maxSequences,
  maxTracks,
  type Time,
  type TimeCodes,
} from './imported-project.ts';

type Node = Readonly<Record<string, unknown>>;

/** Of a sequence without a part that says one. */
const defaultBase = { numerator: 1, denominator: 25 };

/** Bounds of a file: each clip has some sixty values. */
const limits = { depth: 64, values: 200_000 };
/** Characters of names, addresses and reels. */
const maxText = 4096;

/** Versions of objects that are read. */
const versions: ReadonlyMap<string, number> = new Map([
  ...['Timeline', 'SerializableCollection', 'Stack', 'Track', 'Gap', 'Transition'].map((name) => [name, 1] as const),
  ...['RationalTime', 'TimeRange', 'ExternalReference', 'MissingReference'].map((name) => [name, 1] as const),
  ...['GeneratorReference', 'ImageSequenceReference', 'LinearTimeWarp'].map((name) => [name, 1] as const),
  ['Clip', 2],
]);

const bad = (place: string, expected: string, found: unknown) =>
  badValue(`uri /${place}`, expected, (typeof found === 'string' ? found : JSON.stringify(found))?.slice(0, 80));

/** Name of the schema of an object, whose version is one that is read. */
function schemaOf(value: unknown, place: string): string {
  const text = isRecord(value) ? value['OTIO_SCHEMA'] : undefined;
  const [, name, version] = (typeof text === 'string' && /^(\w{1,80})\.(\d{1,9})$/.exec(text)) || [];
  if (name === undefined) throw bad(place, 'an object with an OTIO_SCHEMA', text ?? value);
  const max = versions.get(name);
  if (max !== undefined && Number(version) > max) throw bad(place, `${name} of a version up to ${max}`, text);
  return name;
}

function nodeOf(value: unknown, schema: string, place: string): Node {
  const found = schemaOf(value, place);
  if (found !== schema) throw bad(place, `an object ${schema}`, found);
  return value as Node;
}

function nodesIn({ children }: Node, place: string): readonly Node[] {
  if (children === undefined || children === null) return [];
  if (!Array.isArray(children)) throw bad(`${place}/children`, 'a list', children);
  return children;
}

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, maxText) : undefined;

/** A time in units of its own rate. */
interface Count {
  readonly units: number;
  readonly base: Time['timeBase'];
}

function countIn(value: unknown, place: string): Count {
  const { value: units, rate } = nodeOf(value, 'RationalTime', place);
  if (typeof units !== 'number' || Math.abs(units) > 1e12) throw bad(`${place}/value`, 'a number of units', units);
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
  throw bad(place, 'whole units a second, or those of NTSC such as 29.97', rate);
}

interface Range {
  readonly start: Count;
  readonly length: Count;
}

function rangeIn(value: unknown, place: string): Range | undefined {
  if (value === undefined || value === null) return undefined;
  const { start_time: start, duration } = nodeOf(value, 'TimeRange', place);
  const length = countIn(duration, `${place}/duration`);
  if (length.units < 0) throw bad(`${place}/duration`, 'a length from 0 on', length.units);
  return { start: countIn(start, `${place}/start_time`), length };
}

const secondsIn = ({ units, base: { numerator, denominator } }: Count): number => (units * numerator) / denominator;

/** Units of another base. */
const unitsOf = ({ units, base }: Count, other: Time['timeBase']): number =>
  isSame(base, other) ? units : (units * base.numerator * other.denominator) / (base.denominator * other.numerator);

const isSame = (one: Time['timeBase'], other: Time['timeBase']): boolean =>
  one.numerator * other.denominator === other.numerator * one.denominator;

/** Reads a timeline of OpenTimelineIO, or those of a collection. */
export async function readOtio(text: string): Promise<ImportedProject> {
  const root = readPlainJson(text, limits, 'JSON of OpenTimelineIO', (place, expected, found) =>
    bad(place, expected, found),
  ) as Node;
  const isMany = schemaOf(root, '') === 'SerializableCollection';
  const nodes = isMany ? nodesIn(root, 'SerializableCollection') : [nodeOf(root, 'Timeline', '')];
  const timelines = nodes.filter((node) => schemaOf(node, 'SerializableCollection') === 'Timeline');
  if (timelines.length > maxSequences)
    throw bad('Timeline', `at most ${maxSequences} timelines`, String(timelines.length));
  const reader = new TimelineReader();
  const sequences: Cut[] = [];
  for (const timeline of timelines) sequences.push(await reader.cutOf(timeline));
  return { name: textIn(root['name']), assets: reader.assets, sequences };
}

class TimelineReader {
  readonly assets = new Map<string, Asset>();
  #tracks = 0;
  #clips = 0;

  async cutOf(timeline: Node): Promise<Cut> {
    const stack = nodeOf(timeline['tracks'], 'Stack', 'Timeline/tracks');
    expectPlain(stack, 'Stack');
    const tracks = nodesIn(stack, 'Stack').map((track) => nodeOf(track, 'Track', 'Stack'));
    this.#tracks += tracks.length;
    if (this.#tracks > maxTracks) throw bad('Track', `at most ${maxTracks} tracks`, String(this.#tracks));
    const known = tracks.filter(({ kind }) => kind === 'Video' || kind === 'Audio');
    const base = baseIn(timeline, known);
    const cut: Cut['tracks'][number][] = [];
    for (const track of known) {
      expectPlain(track, 'Track');
      const audio = track['kind'] === 'Audio';
      cut.push({ audio, clips: await this.#clipsOf(track, audio, base ?? defaultBase) });
    }
    return { id: undefined, name: textIn(timeline['name']), tracks: cut };
  }

  /** Clips behind each other. Gaps, disabled clips and generated pictures take their time. */
  async #clipsOf(track: Node, audio: boolean, base: Time['timeBase']): Promise<readonly Clip[]> {
    const clips: Clip[] = [];
    let at = 0;
    for (const child of nodesIn(track, 'Track')) {
      const schema = schemaOf(child, 'Track');
      if (schema !== 'Clip' && schema !== 'Gap') throw bad('Track', 'clips and gaps alone', schema);
      if (++this.#clips > maxClips) throw bad('Clip', `at most ${maxClips} clips`, undefined);
      if (this.#clips % betweenTurns === 0) await yieldTurn();
      const media = schema === 'Clip' ? mediaOf(child) : undefined;
      const available = rangeIn(media?.['available_range'], 'Clip/available_range');
      const range = rangeIn(child['source_range'], `${schema}/source_range`) ?? available;
      if (!range) throw bad(`${schema}/source_range`, 'a range of the clip, or of its media', textIn(child['name']));
      const [start, end] = [Math.round(at), Math.round(at + unitsOf(range.length, base))];
      at += unitsOf(range.length, base);
      const isShown = child['enabled'] !== false && media && schemaOf(media, 'Clip/media') !== 'GeneratorReference';
      if (!isShown || end === start) continue;
      expectPlain(child, 'Clip');
      const { base: sourceBase } = range.start;
      const from = Math.round(range.start.units);
      const to = isSame(sourceBase, base)
        ? from + end - start
        : Math.round(range.start.units + unitsOf(range.length, sourceBase));
      const time = (samples: number, timeBase: Time['timeBase']): Time => ({ samples, timeBase });
      clips.push({
        asset: this.#learn(child, media, audio, range, available),
        sourceTrack: sourceTrackOf(child),
        in: time(start, base),
        out: time(end, base),
        sourceIn: time(from, sourceBase),
        sourceOut: time(to, sourceBase),
      });
    }
    return clips;
  }

  /** Id of the media of a clip: their address, or their name and reel. */
  #learn(clip: Node, media: Node, audio: boolean, range: Range, available: Range | undefined): string {
    const path = textIn(media['target_url']);
    const name = (path === undefined ? undefined : lastOf(path)) ?? textIn(media['name']) ?? textIn(clip['name']);
    const reel = reelIn(clip) ?? reelIn(media);
    const id = path ?? ([name, reel].filter(Boolean).join(' ') || 'untitled');
    const asset = this.assets.get(id);
    const from = secondsIn(range.start);
    const used = { from, to: from + secondsIn(range.length) };
    const before = asset?.timeCodes;
    const timeCodes: TimeCodes = {
      start: before?.start ?? (available && secondsIn(available.start)),
      from: Math.min(before?.from ?? used.from, used.from),
      to: Math.max(before?.to ?? used.to, used.to),
    };
    this.assets.set(id, {
      ...{ id, name: asset?.name ?? name ?? id, path, timeCodes },
      type: audio && asset?.type !== 'video' ? 'audio' : 'video',
      comment: asset?.comment ?? ownIn(clip, 'item') ?? ownIn(media, 'item'),
      reel: asset?.reel ?? reel,
    });
    return id;
  }
}

/** Time base of a sequence: that of its start, of its first picture, or of its first sound. */
function baseIn({ global_start_time: start }: Node, tracks: readonly Node[]): Time['timeBase'] | undefined {
  if (start !== undefined && start !== null) return countIn(start, 'Timeline/global_start_time').base;
  const ordered = [...tracks].sort((one, other) => Number(one['kind'] !== 'Video') - Number(other['kind'] !== 'Video'));
  for (const track of ordered) {
    for (const child of nodesIn(track, 'Track')) {
      if (!isRecord(child)) continue;
      const media = rangeIn(mediaOf(child)['available_range'], 'Clip/available_range');
      const range = rangeIn(child['source_range'], 'Track/source_range') ?? media;
      if (range) return range.length.base;
    }
  }
  return undefined;
}

/** Refuses what cuts alone cannot say: effects, other speeds, and parts of a track. */
function expectPlain(node: Node, schema: string): void {
  const { effects, source_range: range } = node;
  const changing = (Array.isArray(effects) ? effects : []).find(
    (effect) => schemaOf(effect, `${schema}/effects`) !== 'LinearTimeWarp' || effect['time_scalar'] !== 1,
  );
  if (changing) throw bad(`${schema}/effects`, 'no effect and no other speed', textIn(changing['OTIO_SCHEMA']));
  if (schema !== 'Clip' && range !== undefined && range !== null)
    throw bad(`${schema}/source_range`, `none: the whole ${schema.toLowerCase()}`, textIn(node['name']));
}

/** Media of a clip, in the forms of both versions. */
function mediaOf(clip: Node): Node {
  const { media_references: all, active_media_reference_key: key = 'DEFAULT_MEDIA', media_reference: only } = clip;
  const media = isRecord(all) && typeof key === 'string' && Object.hasOwn(all, key) ? all[key] : only;
  return isRecord(media) ? media : { OTIO_SCHEMA: 'MissingReference.1' };
}

const metadataOf = ({ metadata }: Node): Node => (isRecord(metadata) ? metadata : {});

/** Value that an export of this service wrote. */
function ownIn(node: Node, key: string): string | undefined {
  const own = metadataOf(node)['portico'];
  return isRecord(own) ? textIn(own[key]) : undefined;
}

const reelKey = /^(?:reel|tape)[ _-]?(?:name|id|number)?$/i;

/** Reel in the metadata of a program: each has a name of its own for them. */
function reelIn(node: Node): string | undefined {
  const metadata = metadataOf(node);
  for (const each of [metadata, ...Object.values(metadata)]) {
    if (!isRecord(each)) continue;
    for (const [key, value] of Object.entries(each)) if (reelKey.test(key) && textIn(value)) return textIn(value);
  }
  return undefined;
}

function sourceTrackOf(clip: Node): number {
  const own = metadataOf(clip)['portico'];
  const track = isRecord(own) ? own['sourceTrack'] : undefined;
  return typeof track === 'number' && Number.isInteger(track) && track >= 1 && track <= 9999 ? track : 1;
}

/** The last part of an address or a path. */
const lastOf = (path: string): string | undefined =>
  textIn(
    decoded(path.replace(/[?#].*$/s, ''))
      .split(/[/\\]/)
      .at(-1),
  );

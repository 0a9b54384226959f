import { isRecord } from '../../core/lib/checks.ts';
import { yieldTurn } from '../../core/lib/turn.ts';
import { decoded } from '../../production/ingest/public.ts';
import {
  badOtio as bad,
  countIn,
  isSame,
  mediaOf,
  metadataOf,
  type OtioNode as Node,
  nodeOf,
  nodesIn,
  otioRoot,
  ownIn,
  type OtioRange as Range,
  rangeIn,
  schemaOf,
  secondsIn,
  type TimeCodes,
  textIn,
  unitsOf,
} from '../sequences/public.ts';
import {
  type Asset,
  betweenTurns,
  type Clip,
  type Cut,
  type ImportedProject,
  type Marker,
  maxClips,
  maxSequences,
  maxTracks,
  type Time,
  type Transition,
} from './imported-project.ts';

/** Time base of a sequence without a part that says one. */
const defaultBase = { numerator: 1, denominator: 25 };

/** Reads a timeline of OpenTimelineIO, or those of a collection. */
export async function readOtio(text: string): Promise<ImportedProject> {
  const root = otioRoot(text);
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
    const cutTracks = tracks.filter(({ kind }) => kind === 'Video' || kind === 'Audio');
    const base = baseIn(timeline, cutTracks);
    const cut: Cut['tracks'][number][] = [];
    for (const track of cutTracks) {
      expectPlain(track, 'Track');
      const audio = track['kind'] === 'Audio';
      cut.push({ audio, ...(await this.#partsOf(track, audio, base ?? defaultBase)) });
    }
    const start = startOf(timeline);
    return { id: undefined, name: textIn(timeline['name']), ...(start && { start }), tracks: cut };
  }

  /** Clips behind each other. Gaps, disabled clips and generated pictures take their time. */
  async #partsOf(
    track: Node,
    audio: boolean,
    base: Time['timeBase'],
  ): Promise<Pick<Cut['tracks'][number], 'clips' | 'transitions'>> {
    const clips: Clip[] = [];
    const transitions: Transition[] = [];
    let at = 0;
    for (const child of nodesIn(track, 'Track')) {
      const schema = schemaOf(child, 'Track');
      const isPart = schema === 'Clip' || schema === 'Gap';
      if (!isPart && schema !== 'Transition') throw bad('Track', 'clips, gaps and transitions alone', schema);
      if (++this.#clips > maxClips) throw bad('Clip', `at most ${maxClips} clips`, undefined);
      if (this.#clips % betweenTurns === 0) await yieldTurn();
      if (!isPart) {
        transitions.push(transitionAt(Math.round(at), child, base, transitions.at(-1)));
        continue;
      }
      const media = schema === 'Clip' ? mediaOf(child) : undefined;
      const available = rangeIn(media?.['available_range'], 'Clip/available_range');
      const range = rangeIn(child['source_range'], `${schema}/source_range`) ?? available;
      if (!range) throw bad(`${schema}/source_range`, 'a range of the clip, or of its media', textIn(child['name']));
      const [start, end] = [Math.round(at), Math.round(at + unitsOf(range.length, base))];
      at += unitsOf(range.length, base);
      const isShown = child['enabled'] !== false && media && schemaOf(media, 'Clip/media') !== 'GeneratorReference';
      if (!isShown || end === start) continue;
      const speed = speedOf(child);
      const { base: sourceBase } = range.start;
      const from = Math.round(range.start.units);
      const to = isSame(sourceBase, base)
        ? from + end - start
        : Math.round(range.start.units + unitsOf(range.length, sourceBase));
      const time = (samples: number, timeBase: Time['timeBase']): Time => ({ samples, timeBase });
      const asset = this.#learn(child, media, audio, { ...range, speed }, available);
      const name = textIn(child['name']);
      const markers = this.#markersOf(child);
      clips.push({
        asset,
        ...(name !== undefined && name !== this.assets.get(asset)!.name && { name }),
        ...(markers.length > 0 && { markers }),
        sourceTrack: sourceTrackOf(child),
        in: time(start, base),
        out: time(end, base),
        sourceIn: time(from, sourceBase),
        sourceOut:
          speed === 1 ? time(to, sourceBase) : behind(from, unitsOf(range.length, sourceBase) * speed, sourceBase),
      });
    }
    const last = transitions.at(-1);
    if (last && last.out.samples > Math.round(at))
      throw bad('Transition/out_offset', 'a time within the track', last.transition);
    return { clips, transitions };
  }

  /** Marks of a clip, at times of its media. */
  #markersOf(clip: Node): readonly Marker[] {
    const nodes = clip['markers'] ?? [];
    if (!Array.isArray(nodes)) throw bad('Clip/markers', 'a list', nodes);
    this.#clips += nodes.length;
    if (this.#clips > maxClips) throw bad('Clip', `at most ${maxClips} clips and markers`, undefined);
    return nodes.flatMap((each): Marker[] => {
      const node = nodeOf(each, 'Marker', 'Clip/markers');
      const range = rangeIn(node['marked_range'], 'Marker/marked_range');
      if (!range) return [];
      const { units, base } = range.start;
      const end = units + unitsOf(range.length, base);
      const [name, color, comment] = ['name', 'color', 'comment'].map((key) => textIn(node[key]));
      return [
        {
          ...{ in: { samples: Math.round(units), timeBase: base }, out: { samples: Math.round(end), timeBase: base } },
          ...(name !== undefined && { name }),
          ...(color !== undefined && { color }),
          ...(comment !== undefined && { comment }),
        },
      ];
    });
  }

  /** Id of the media of a clip: their address, or their name and reel. */
  #learn(
    clip: Node,
    media: Node,
    audio: boolean,
    range: Range & { readonly speed: number },
    available: Range | undefined,
  ): string {
    const path = textIn(media['target_url']);
    const name = (path === undefined ? undefined : lastOf(path)) ?? textIn(media['name']) ?? textIn(clip['name']);
    const reel = reelIn(clip) ?? reelIn(media);
    const id = path ?? ([name, reel].filter(Boolean).join(' ') || 'untitled');
    const asset = this.assets.get(id);
    const from = secondsIn(range.start);
    const used = { from, to: from + secondsIn(range.length) * range.speed };
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

/** Time code of the first picture of a timeline. Undefined: 0. */
function startOf({ global_start_time: start }: Node): Time | undefined {
  if (start === undefined || start === null) return undefined;
  const { units, base } = countIn(start, 'Timeline/global_start_time');
  if (units < 0) throw bad('Timeline/global_start_time', 'a time from 0 on', units);
  const samples = Math.round(units);
  return samples === 0 ? undefined : { samples, timeBase: base };
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

/** Refuses what no sequence can say of a stack or a track: effects, and parts of it. */
function expectPlain(node: Node, schema: string): void {
  if (speedOf(node, schema) !== 1) throw bad(`${schema}/effects`, 'no other speed', textIn(node['name']));
  const { source_range: range } = node;
  if (range !== undefined && range !== null)
    throw bad(`${schema}/source_range`, `none: the whole ${schema.toLowerCase()}`, textIn(node['name']));
}

/** The speed that the effects of a clip give its media. 0: a still. Refuses other effects, and what plays backwards. */
function speedOf({ effects }: Node, schema = 'Clip'): number {
  let speed = 1;
  for (const effect of Array.isArray(effects) ? effects : []) {
    const name = schemaOf(effect, `${schema}/effects`);
    const scalar = name === 'FreezeFrame' ? 0 : effect['time_scalar'];
    if (name !== 'FreezeFrame' && name !== 'LinearTimeWarp')
      throw bad(`${schema}/effects`, 'no effect but LinearTimeWarp and FreezeFrame', effect['OTIO_SCHEMA']);
    speed *= typeof scalar === 'number' ? scalar : Number.NaN;
    if (!(speed >= 0 && speed <= maxSpeed))
      throw bad(`${schema}/effects/time_scalar`, `a speed from 0 to ${maxSpeed}: nothing plays backwards`, scalar);
  }
  return speed;
}

/** Speed of media, and parts of a unit in which the end of such media is told. */
const [maxSpeed, partsOfUnit] = [1000, 1000];

/** A time so many units behind another one: to a thousandth of a unit, so that a speed comes back as it was. */
function behind(from: number, units: number, timeBase: Time['timeBase']): Time {
  if (Number.isInteger(units)) return { samples: from + units, timeBase };
  const { numerator, denominator } = timeBase;
  return {
    samples: Math.round((from + units) * partsOfUnit),
    timeBase: { numerator, denominator: denominator * partsOfUnit },
  };
}

/** Kinds of what this service writes of a transition beside its name. */
const kindsOfLook = {
  ...{ wipe: 'number', horizRepeat: 'number', vertRepeat: 'number', startPercentage: 'number' },
  ...{ endPercentage: 'number', reverse: 'boolean', borderWidth: 'number', borderColor: 'string' },
} as const;

/** A transition around a cut. Its offsets say how long it is before the cut, and behind it. */
function transitionAt(cut: number, node: Node, base: Time['timeBase'], before: Transition | undefined): Transition {
  const offset = (name: string): number => {
    const units = Math.round(unitsOf(countIn(node[name], `Transition/${name}`), base));
    if (units < 0) throw bad(`Transition/${name}`, 'a length from 0 on', String(units));
    return units;
  };
  const [start, end] = [cut - offset('in_offset'), cut + offset('out_offset')];
  if (start < (before?.out.samples ?? 0))
    throw bad('Transition/in_offset', 'a time within the track, behind the transition before', textIn(node['name']));
  if (start === end) throw bad('Transition', 'a transition that lasts', textIn(node['name']));
  const type = textIn(node['transition_type']);
  const own = metadataOf(node)['portico'];
  const look = Object.entries(kindsOfLook).flatMap(([key, kind]) => {
    const value = isRecord(own) ? own[key] : undefined;
    if (value === undefined) return [];
    const isFit = typeof value === kind && (kind !== 'number' || Number.isSafeInteger(value));
    if (!isFit) throw bad(`Transition/metadata/portico/${key}`, `a value of the kind ${kind}`, value);
    return [[key, value]];
  });
  return {
    in: { samples: start, timeBase: base },
    out: { samples: end, timeBase: base },
    transition:
      ownIn(node, 'transition') ??
      (type === 'SMPTE_Dissolve' ? 'dissolve' : (textIn(node['name']) ?? type ?? 'dissolve')),
    ...Object.fromEntries(look),
  };
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

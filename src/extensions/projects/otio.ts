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
  maxClips,
  maxSequences,
  maxTracks,
  type Time,
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

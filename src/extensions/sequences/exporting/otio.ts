import type { Clip, Format, Project, Source, Track } from './clips.ts';
import { reelsOf } from './edl.ts';
import { framesIn, type Rate } from './frames.ts';
import { otioClip, otioGap, otioRange, otioTimeline, otioTrack, otioType } from './otio-values.ts';

/** OpenTimelineIO, with the time codes of the media. */
export const otio: Format = {
  type: otioType,
  ending: '.otio',
  sequences: 50,
  problems: () => [],
  write(projects) {
    const timelines = projects.map(timelineOf);
    const collection = { OTIO_SCHEMA: 'SerializableCollection.1', name: '', children: timelines };
    return `${JSON.stringify(timelines.length === 1 ? timelines[0] : collection)}\n`;
  },
};

function timelineOf({ name, cuts: { rate, tracks }, sources }: Project) {
  const reels = reelsOf([...sources.keys()]);
  const counts = { V: 0, A: 0 };
  const written = tracks.map(({ audio, clips }: Track) => {
    const letter = audio ? 'A' : 'V';
    counts[letter]++;
    let at = 0;
    const children = clips.flatMap((clip) => {
      const before = clip.start > at ? [otioGap(clip.start - at, rate)] : [];
      at = clip.end;
      return [...before, clipOf(clip, sources.get(clip.item)!, reels.get(clip.item)!, rate)];
    });
    return otioTrack(`${letter}${counts[letter]}`, audio ? 'Audio' : 'Video', children);
  });
  return otioTimeline(name.toWellFormed(), written);
}

function clipOf({ item, sourceTrack, from, to }: Clip, source: Source, reel: string, rate: Rate) {
  const { name, path: target, start, length } = source;
  const first = (start && framesIn(start, rate)) ?? 0;
  const frames = length && framesIn(length, rate);
  return otioClip({
    name,
    range: otioRange(first + from, first + to, rate),
    media: { name, target, range: frames === undefined ? undefined : otioRange(first, first + frames, rate) },
    metadata: { portico: { item, sourceTrack }, cmx_3600: { reel } },
  });
}

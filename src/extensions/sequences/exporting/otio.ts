import type { Clip, ClipProblem, Cuts, Format, Project, Source, Track, Transition } from './clips.ts';
import { reelsOf } from './edl.ts';
import { framesIn, type Rate } from './frames.ts';
import {
  otioClip,
  otioGap,
  otioMarker,
  otioRange,
  otioTime,
  otioTimeline,
  otioTrack,
  otioTransition,
  otioType,
} from './otio-values.ts';

/** OpenTimelineIO, with the time codes of the media. */
export const otio: Format = {
  type: otioType,
  ending: '.otio',
  sequences: 50,
  problems: problemsOf,
  write(projects) {
    const timelines = projects.map(timelineOf);
    const collection = { OTIO_SCHEMA: 'SerializableCollection.1', name: '', children: timelines };
    return `${JSON.stringify(timelines.length === 1 ? timelines[0] : collection)}\n`;
  },
};

function timelineOf({ name, cuts: { rate, tracks, start }, sources }: Project) {
  const reels = reelsOf([...sources.keys()]);
  const counts = { V: 0, A: 0 };
  const written = tracks.map((track: Track) => {
    const { audio, clips } = track;
    const letter = audio ? 'A' : 'V';
    counts[letter]++;
    const over = new Map(track.transitions?.map((each) => [cutIn(track, each)!, each]));
    const at = (cut: number) => {
      const transition = over.get(cut);
      return transition ? [transitionOf(transition, cut, rate)] : [];
    };
    const children: object[] = clips.flatMap((clip, index) => {
      const end = clips[index - 1]?.end ?? 0;
      const before = clip.start > end ? [...at(end), otioGap(clip.start - end, rate)] : [];
      return [...before, ...at(clip.start), clipOf(clip, sources.get(clip.item)!, reels.get(clip.item)!, rate)];
    });
    children.push(...at(clips.at(-1)?.end ?? 0));
    return otioTrack(`${letter}${counts[letter]}`, audio ? 'Audio' : 'Video', children);
  });
  return otioTimeline(name.toWellFormed(), written, start === undefined ? undefined : otioTime(start, rate));
}

/** The cut that a transition is around. Undefined: there is none, or there are several. */
function cutIn({ clips }: Track, { start, end }: Transition): number | undefined {
  const cuts = [...new Set(clips.flatMap((clip) => [clip.start, clip.end]))];
  const [inside, other] = cuts.filter((cut) => cut > start && cut < end);
  if (inside !== undefined) return other === undefined ? inside : undefined;
  return [start, end].find((each) => cuts.includes(each));
}

function problemsOf({ tracks }: Cuts): readonly ClipProblem[] {
  return tracks.flatMap((track) => {
    const { transitions = [] } = track;
    const cuts = transitions.map((each) => cutIn(track, each));
    return transitions.flatMap(({ start, look }, at) => {
      const before = transitions[at - 1];
      const isFree = !before || (before.end <= start && cuts[at] !== cuts[at - 1]);
      if (cuts[at] !== undefined && isFree) return [];
      const expected = isFree ? 'a transition around one cut' : 'a transition behind the one before it';
      return [{ element: 'transition', expected, found: look.transition }];
    });
  });
}

function transitionOf({ start, end, look }: Transition, cut: number, rate: Rate) {
  const { transition: name } = look;
  const type = name.toLowerCase() === 'dissolve' ? 'SMPTE_Dissolve' : 'Custom_Transition';
  return otioTransition({ name, type, offsets: [cut - start, end - cut], metadata: { portico: look } }, rate);
}

function clipOf(clip: Clip, source: Source, reel: string, rate: Rate) {
  const { item, sourceTrack, start: begin, end, from, speed, markers = [] } = clip;
  const { name, path: target, start, length } = source;
  const first = (start && framesIn(start, rate)) ?? 0;
  const frames = length && framesIn(length, rate);
  return otioClip({
    name: clip.name?.toWellFormed() ?? name,
    range: otioRange(first + from, first + from + end - begin, rate),
    speed,
    media: { name, target, range: frames === undefined ? undefined : otioRange(first, first + frames, rate) },
    markers: markers.map((each) =>
      otioMarker({
        ...{ name: each.name.toWellFormed(), comment: each.comment.toWellFormed(), color: each.color },
        range: otioRange(first + each.from, first + each.until, rate),
      }),
    ),
    metadata: { portico: { item, sourceTrack }, cmx_3600: { reel } },
  });
}

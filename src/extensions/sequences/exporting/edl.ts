import {
  type Clip,
  type ClipProblem,
  type Cuts,
  type Format,
  type Project,
  problemsOfHardCuts,
  type Track,
} from './clips.ts';
import { framesIn, framesOfDay, timeCodeText } from './frames.ts';

const maxEvents = 999;
const maxSound = 4;
/** EDL codes for audio tracks. Tracks above the second need an extra line. */
const channels = ['A', 'A2', 'NONE', 'NONE'];

/** CMX 3600 edit decision list: one video track, four audio tracks, 999 events. */
export const edl: Format = {
  type: 'text/plain',
  ending: '.edl',
  sequences: 1,
  problems: problemsOf,
  write: ([project]) => writeEdl(project!),
};

function problemsOf(cuts: Cuts): readonly ClipProblem[] {
  const { tracks } = cuts;
  const used = tracks.filter(({ clips }) => clips.length > 0);
  const pictures = used.filter(({ audio }) => !audio).length;
  const sounds = used.length - pictures;
  const events = used.reduce((sum, { clips }) => sum + clips.length, 0);
  return [
    ...problemsOfHardCuts(cuts),
    ...beyond('track', 'one track of pictures', 1, pictures),
    ...beyond('track', `${maxSound} tracks of sound`, maxSound, sounds),
    ...beyond('track/segment', `${maxEvents} segments`, maxEvents, events),
  ];
}

const beyond = (element: string, words: string, max: number, found: number): readonly ClipProblem[] =>
  found > max ? [{ element, expected: `at most ${words} in an EDL`, found: String(found) }] : [];

interface Event {
  readonly clip: Clip;
  readonly channel: string;
  /** Number of the audio track, for the extra line. */
  readonly sound: number | undefined;
}

function writeEdl({ name, cuts: { rate, tracks }, sources }: Project): string {
  const itemOf = (source: string): string => sources.get(source)?.item ?? source;
  const reels = reelsOf([...new Set([...sources.keys()].map(itemOf))]);
  const events = eventsOf(tracks).flatMap(({ clip, channel, sound }, at) => {
    const { from, to, start, end } = clip;
    const { name: clipName, path, comment, start: first } = sources.get(clip.item)!;
    const item = itemOf(clip.item);
    // The time code of the media, which counts from midnight, wraps after a day.
    const origin = (first && framesIn(first, rate)) ?? 0;
    const inSource = [from, to].map((each) => (origin + each) % framesOfDay(rate));
    const moments = [...inSource, start, end].map((each) => timeCodeText(each, rate)).join(' ');
    const number = String(at + 1).padStart(3, '0');
    return [
      `${number}  ${reels.get(item)!.padEnd(8)} ${channel.padEnd(5)} C        ${moments}`,
      ...(sound === undefined || sound < 3 ? [] : [`AUD   ${sound}`]),
      `* FROM CLIP NAME: ${clipName}`,
      ...(path === undefined ? [] : [`* SOURCE FILE: ${path}`]),
      `* ITEM: ${item}`,
      ...(comment === undefined ? [] : [`* ${comment}`]),
    ];
  });
  return ['TITLE: ', `${name.slice(0, 70)}\r\n`, 'FCM: NON-DROP FRAME\r\n\r\n', ...events.map(lineOf)].join('');
}

const lineOf = (line: string): string => `${line}\r\n`;

/** Events by time in the sequence, video first. */
function eventsOf(tracks: readonly Track[]): readonly Event[] {
  const pictures = tracks.filter(({ audio }) => !audio).flatMap(({ clips }) => clips);
  const sounds = tracks.filter(({ audio, clips }) => audio && clips.length > 0);
  return [
    ...pictures.map((clip): Event => ({ clip, channel: 'V', sound: undefined })),
    ...sounds.flatMap(({ clips }, at) => clips.map((clip): Event => ({ clip, channel: channels[at]!, sound: at + 1 }))),
  ].toSorted((a, b) => a.clip.start - b.clip.start);
}

/** Unique reel names of at most eight letters and digits: the id if it fits, otherwise a number. */
export function reelsOf(items: readonly string[]): ReadonlyMap<string, string> {
  const plain = items.map((item) => [item, item.toUpperCase().replace(/[^A-Z0-9]/g, '')] as const);
  const reels = new Map<string, string>();
  const taken = new Set<string>();
  const take = (item: string, reel: string): void => {
    reels.set(item, reel);
    taken.add(reel);
  };
  for (const [item, reel] of plain) if (reel !== '' && reel.length <= 8 && !taken.has(reel)) take(item, reel);
  let number = 0;
  const next = (): string => `R${String(++number).padStart(7, '0')}`;
  for (const item of items) {
    if (reels.has(item)) continue;
    let reel = next();
    while (taken.has(reel)) reel = next();
    take(item, reel);
  }
  return reels;
}

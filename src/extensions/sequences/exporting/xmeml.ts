import { escapeAttribute, escapeText } from '../../../core/documents/escape.ts';
import { type Clip, type Format, type Project, problemsOfHardCuts, type Track } from './clips.ts';
import { type Rate, timeCodeText } from './frames.ts';

/** Final Cut Pro 7 XML, which most editing programs read. */
export const xmeml: Format = {
  type: 'application/xml',
  ending: '.xml',
  sequences: 50,
  problems: problemsOfHardCuts,
  write: writeXmeml,
};

/** Element names of tracks: video and audio. */
const names = ['video', 'audio'];

type Child = string | readonly string[] | number | undefined;

const tag = (name: string, child: Child): string => {
  if (child === undefined) return '';
  return `<${name}>${Array.isArray(child) ? child.join('') : escapeText(String(child))}</${name}>`;
};
const withId = (name: string, id: string, children: readonly string[]): string =>
  `<${name} id="${escapeAttribute(id)}"${children.length === 0 ? '/>' : `>${children.join('')}</${name}>`}`;

const rateTag = ({ frames, ntsc }: Rate): string =>
  tag('rate', [tag('timebase', frames), tag('ntsc', ntsc ? 'TRUE' : 'FALSE')]);

const timeCodeTag = (rate: Rate): string =>
  tag('timecode', [rateTag(rate), tag('string', timeCodeText(0, rate)), tag('frame', 0), tag('displayformat', 'NDF')]);

const tracksOf = (tracks: readonly Track[], audio: boolean) => tracks.filter((track) => track.audio === audio);

/** Key of a media file: one per item and rate, since its length is counted in frames. */
const keyOf = (item: string, { frames, ntsc }: Rate): string => `${frames} ${ntsc} ${item}`;

interface Media {
  readonly number: number;
  readonly kinds: readonly [pictures: boolean, sound: boolean];
  /** Length as far as the sequences show it: the real length is not looked up. */
  readonly length: number;
}

function mediaIn(projects: readonly Project[]): ReadonlyMap<string, Media> {
  const all = new Map<string, Media>();
  for (const { cuts, sources } of projects) {
    for (const item of sources.keys()) {
      const key = keyOf(item, cuts.rate);
      if (!all.has(key)) all.set(key, { number: all.size + 1, kinds: [false, false], length: 0 });
    }
    for (const { audio, clips } of cuts.tracks) {
      for (const { item, to } of clips) {
        const key = keyOf(item, cuts.rate);
        const { number, kinds, length } = all.get(key)!;
        all.set(key, { number, kinds: [kinds[0] || !audio, kinds[1] || audio], length: Math.max(length, to) });
      }
    }
  }
  return all;
}

function writeXmeml(projects: readonly Project[]): string {
  const media = mediaIn(projects);
  const seen = new Set<string>();
  let clipCount = 0;

  const fileTag = (item: string, { cuts: { rate }, sources }: Project): string => {
    const key = keyOf(item, rate);
    const { number, kinds, length } = media.get(key)!;
    const fileId = `file-${number}`;
    if (seen.has(key)) return withId('file', fileId, []);
    seen.add(key);
    const { name, path } = sources.get(item)!;
    return withId('file', fileId, [
      tag('name', name),
      tag('pathurl', path),
      rateTag(rate),
      tag('duration', length),
      timeCodeTag(rate),
      tag(
        'media',
        kinds.flatMap((has, at) => (has ? tag(names[at]!, []) : [])),
      ),
    ]);
  };

  const clipTag = (clip: Clip, audio: boolean, project: Project): string => {
    const { item, start, end, from, to, sourceTrack } = clip;
    const { rate } = project.cuts;
    clipCount++;
    const mediatype = tag('mediatype', audio ? 'audio' : 'video');
    return withId('clipitem', `clipitem-${clipCount}`, [
      tag('name', project.sources.get(item)!.name),
      tag('enabled', 'TRUE'),
      tag('duration', media.get(keyOf(item, rate))!.length),
      rateTag(rate),
      ...[tag('start', start), tag('end', end), tag('in', from), tag('out', to)],
      fileTag(item, project),
      tag('sourcetrack', [mediatype, tag('trackindex', sourceTrack)]),
      tag('comments', [tag('mastercomment1', item)]),
    ]);
  };

  const mediaTag = (audio: boolean, project: Project): string =>
    tag(
      names[Number(audio)]!,
      tracksOf(project.cuts.tracks, audio).map((track) =>
        tag(
          'track',
          track.clips.map((clip) => clipTag(clip, audio, project)),
        ),
      ),
    );

  const sequenceTag = (project: Project): string => {
    const { rate, tracks } = project.cuts;
    const length = Math.max(0, ...tracks.flatMap((track) => track.clips.at(-1)?.end ?? []));
    return withId('sequence', project.id, [
      tag('name', project.name),
      tag('duration', length),
      rateTag(rate),
      timeCodeTag(rate),
      tag('media', [mediaTag(false, project), mediaTag(true, project)]),
    ]);
  };

  const sequences = projects.map(sequenceTag).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE xmeml>\n<xmeml version="5">${sequences}</xmeml>\n`;
}

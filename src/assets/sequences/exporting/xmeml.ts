import { escapeAttribute, escapeText } from '../../../documents/escape.ts';
import type { Clip, Track } from './clips.ts';
import { type Rate, timeCodeOf } from './frames.ts';
import type { Format, Project } from './project.ts';

/** The XML of Final Cut Pro 7, which most editing programs read. */
export const xmeml: Format = { type: 'application/xml', ending: '.xml', problems: () => [], write: writeXmeml };

/** Of a track, by whether it is sound. */
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
  tag('timecode', [rateTag(rate), tag('string', timeCodeOf(0, rate)), tag('frame', 0), tag('displayformat', 'NDF')]);

const tracksOf = (tracks: readonly Track[], audio: boolean) => tracks.filter((track) => track.audio === audio);

function writeXmeml({ id, name, cuts: { rate, tracks }, sources }: Project): string {
  const clips = tracks.flatMap((track) => track.clips);
  const numbers = new Map([...sources.keys()].map((item, at) => [item, at + 1]));
  const kinds = [false, true].map(
    (audio) => new Set(tracksOf(tracks, audio).flatMap((track) => track.clips.map(({ item }) => item))),
  );
  /** As much of each as the sequence shows, because nobody was asked how long it is. */
  const lengths = new Map<string, number>();
  for (const { item, to } of clips) lengths.set(item, Math.max(lengths.get(item) ?? 0, to));
  const seen = new Set<string>();
  let made = 0;

  const fileTag = (item: string): string => {
    const fileId = `file-${numbers.get(item)}`;
    if (seen.has(item)) return withId('file', fileId, []);
    seen.add(item);
    const { name: fileName, path } = sources.get(item)!;
    return withId('file', fileId, [
      tag('name', fileName),
      tag('pathurl', path),
      rateTag(rate),
      tag('duration', lengths.get(item)),
      timeCodeTag(rate),
      tag(
        'media',
        kinds.flatMap((items, at) => (items.has(item) ? tag(names[at]!, []) : [])),
      ),
    ]);
  };

  const clipTag = ({ item, start, end, from, to, sourceTrack }: Clip, audio: boolean): string => {
    made++;
    const mediatype = tag('mediatype', audio ? 'audio' : 'video');
    return withId('clipitem', `clipitem-${made}`, [
      tag('name', sources.get(item)!.name),
      tag('enabled', 'TRUE'),
      tag('duration', lengths.get(item)),
      rateTag(rate),
      ...[tag('start', start), tag('end', end), tag('in', from), tag('out', to)],
      fileTag(item),
      tag('sourcetrack', [mediatype, tag('trackindex', sourceTrack)]),
      tag('comments', [tag('mastercomment1', item)]),
    ]);
  };

  const mediaTag = (audio: boolean): string =>
    tag(
      names[Number(audio)]!,
      tracksOf(tracks, audio).map((track) =>
        tag(
          'track',
          track.clips.map((clip) => clipTag(clip, audio)),
        ),
      ),
    );

  const length = Math.max(0, ...tracks.flatMap((track) => track.clips.at(-1)?.end ?? []));
  const sequence = withId('sequence', id, [
    tag('name', name),
    tag('duration', length),
    rateTag(rate),
    timeCodeTag(rate),
    tag('media', [mediaTag(false), mediaTag(true)]),
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE xmeml>\n<xmeml version="5">${sequence}</xmeml>\n`;
}

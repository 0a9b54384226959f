import { fileNameFrom, splitName } from '../../core/lib/file-name.ts';
import type { Reader } from '../../core/store/statement.ts';
import { keyValuesOf } from '../../room/entities/key-values/store.ts';
import type { Caller } from '../../security/caller.ts';
import { itemNamesFor } from '../metadata/public.ts';
import type { Shape } from './load.ts';
import { original } from './rules.ts';

/** Words for predefined tags in names of files, as the web page has them. Other tags have their own name. */
export const tagWords: Readonly<Record<string, string>> = {
  lowres: 'Preview (small MP4)',
  __mp4: 'MP4 for the web',
  __mp4_small: 'Small MP4 for phones',
  __webm: 'WebM',
  __mov: 'QuickTime',
  __mov_prores: 'QuickTime with ProRes, for editing',
  __mxf_mpeg2: 'MXF with MPEG-2, for broadcast',
  __mp3: 'MP3, sound only',
  __wav: 'WAV, sound only',
  __jpeg: 'JPEG picture',
  __hls: 'Stream',
};

/** Endings of media in names that came with a file. `v1.2` and `Mr. Smith` have none. */
const ending =
  /\.(?:mp4|m4v|mov|mxf|avi|mkv|webm|mpe?g|ts|m2ts|wav|mp3|m4a|aac|flac|ogg|aiff?|jpe?g|png|gif|webp|avif|tiff?|bmp|psd|ai|eps|svg|dng|cr2|nef|pdf|docx?|xlsx?|pptx?|zip|srt|vtt|xml|json|csv|txt)$/i;

/**
 * File name for the bytes of a shape: the display name of its item, the format and the ending of the file. An original has
 * no format, and keeps the name with which it came where the caller wants that.
 */
export async function downloadNameOf(
  reader: Reader,
  call: Caller,
  { itemId, id, tags }: Pick<Shape, 'itemId' | 'id' | 'tags'>,
  path: string,
  keepsOriginal: boolean,
): Promise<string> {
  const own = keepsOriginal ? (await ownNamesOf(reader, [{ id, tags }])).get(id) : undefined;
  if (own !== undefined) return own;
  const names = await itemNamesFor(reader, call, [itemId]);
  return fileNameOf(names.get(itemId), tags, path);
}

/** Names with which originals came, by their ids. */
export async function ownNamesOf(
  reader: Reader,
  shapes: readonly Pick<Shape, 'id' | 'tags'>[],
): Promise<ReadonlyMap<string, string>> {
  const ids = shapes.filter(({ tags }) => tags.includes(original)).map(({ id }) => id);
  const pairs = ids.length === 0 ? [] : await keyValuesOf(reader, 'shape', ids);
  return new Map(
    [...pairs].flatMap(([id, values]) => {
      const own = splitName(values.find(({ key }) => key === 'originalFilename')?.value ?? '');
      return own.stem === '' ? [] : [[id, fileNameFrom(own.stem, own.extension)] as const];
    }),
  );
}

/** Name of a file: that of its item, the format unless it is the original, and the ending of the file. */
export function fileNameOf(name: string | undefined, tags: readonly string[], path: string): string {
  const [tag] = tags;
  const isPlain = tag === undefined || tags.includes(original);
  const words = isPlain ? '' : ` (${Object.hasOwn(tagWords, tag) ? tagWords[tag] : tag})`;
  return fileNameFrom(name?.replace(ending, '') ?? '', words + splitName(path).extension);
}

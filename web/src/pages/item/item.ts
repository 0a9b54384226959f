import type { AccessControlMergedDocument, ItemType, ShapeType } from 'portico/types';
import { codecWords, itemName } from '../../components/words.ts';
import { has } from '../../rights.ts';
import { t } from '../../texts/index.ts';
import type { ChosenItems } from '../library/actions.ts';
import { nothing } from '../library/actions.ts';
import { allItems } from '../library/results.ts';
import { emptySearch } from '../library/search.ts';
import { fieldsOf } from './form/model.ts';

export interface TabProps {
  readonly item: ItemType;
  readonly reload: () => Promise<void>;
}

/** Selection of a single item, as the actions of the library take it. */
export const chosenItem = (id: string): ChosenItems => ({
  place: allItems,
  search: emptySearch,
  facets: [],
  selection: { ...nothing, ids: new Set([id]) },
});

export type AccessEntry = NonNullable<AccessControlMergedDocument['access']>[number];

interface AccessRow {
  readonly key: string;
  readonly username?: string | undefined;
  readonly group?: string | undefined;
  readonly level: string;
  readonly type?: string | undefined;
  /** Part of the type that is meant: a field, a shape tag. */
  readonly extradata?: string | undefined;
  readonly entries: readonly AccessEntry[];
  /** Ids of the entries on the item itself that can be taken away. */
  readonly removable: readonly string[];
}

/** Access by who has which level. One row has all entries that say the same. */
export function accessRows(access: readonly AccessEntry[] = []): readonly AccessRow[] {
  const rows = new Map<string, AccessRow>();
  for (const entry of access) {
    const { username, group, type, extradata, permission, effectivePermission: level = permission ?? '' } = entry;
    const isOwn = entry.collection === undefined && entry.library === undefined && permission !== 'OWNER';
    const key = JSON.stringify([username, group, level, type, extradata]);
    const { entries = [], removable = [] } = rows.get(key) ?? {};
    rows.set(key, {
      ...{ key, username, group, level, type, extradata },
      entries: [...entries, entry],
      removable: isOwn && entry.id !== undefined ? [...removable, entry.id] : removable,
    });
  }
  return [...rows.values()];
}

/** Whether terms of use close the media of an item to the person. */
export const isClosed = ({ usage: { state = 'usable' } = {} }: ItemType): boolean =>
  state !== 'usable' && !has('_usage_override');

/** Whether the bytes of a shape are in an archive alone. */
export const isArchived = (shape: ShapeType): boolean => {
  const files = filesOf(shape);
  return files.length > 0 && files.every(({ state }) => state === 'ARCHIVED');
};

/** The value of a field of an item, by its whole metadata. */
export const fieldValue = ({ metadata = {} }: ItemType, field: string): string | undefined =>
  fieldsOf(metadata).find(({ name }) => name === field)?.value?.[0]?.value;

export const titleOf = (item: ItemType): string =>
  itemName(fieldValue(item, '__name'), fieldValue(item, 'mediaType'), fieldValue(item, 'created'));

/** Number of the latest version. Below 0: there is none. */
export const latestOf = ({ shape = [] }: ItemType): number =>
  Math.max(-1, ...shape.map(({ essenceVersion = 0 }) => essenceVersion));

export type Medium = 'film' | 'sound' | 'picture';

export interface Playable {
  readonly shape: ShapeType;
  readonly medium: Medium;
  readonly path: string;
  /** Whether the path is that of a playlist. */
  readonly isStream: boolean;
}

/** Codecs and types that browsers play. Others are tried by nobody. */
const films = /^(?:h264|avc|vp8|vp9|av1)/i;
const filmTypes = /^video\/(?:mp4|quicktime|webm|x-m4v|x-matroska|ogg)$/;
const sounds = /^audio\/(?:mpeg|mp3|mp4|x-m4a|aac|ogg|wav|x-wav|vnd\.wave|webm|flac|x-flac)$/;
const pictures = /^image\/(?:jpeg|png|gif|webp|avif)$/;

function mediumOf({ mimeType = [], videoComponent = [] }: ShapeType): Medium | undefined {
  const codec = videoComponent[0]?.codec;
  if (mimeType.some((type) => filmTypes.test(type)) && (codec === undefined || films.test(codec))) return 'film';
  if (mimeType.some((type) => sounds.test(type))) return 'sound';
  return mimeType.some((type) => pictures.test(type)) ? 'picture' : undefined;
}

const order: Readonly<Record<Medium, number>> = { film: 0, sound: 1, picture: 2 };

/** Shapes that a browser can show: films first, and of each kind those that were made for looking at. */
export function playables(item: ItemType, withStreams = false): readonly Playable[] {
  const { id = '', shape = [] } = item;
  return (isClosed(item) ? [] : shape.filter((each) => !isArchived(each)))
    .flatMap((each) => {
      const medium = mediumOf(each);
      const hasFile = (each.containerComponent?.file ?? []).length > 0 || each.binaryComponent !== undefined;
      const isStream = each.containerComponent?.format === 'cmaf';
      const [itemId, shapeId] = [id, each.id ?? ''].map(encodeURIComponent);
      const path = isStream
        ? `/API/item/${itemId}/stream?format=hls&subtitles=false&shape=${shapeId}`
        : `/API/item/${itemId}/shape/${shapeId}/data`;
      return medium === undefined || !(isStream ? withStreams : hasFile)
        ? []
        : [{ shape: each, medium, path, isStream }];
    })
    .toSorted(
      (one, other) => order[one.medium] - order[other.medium] || Number(isOriginal(one)) - Number(isOriginal(other)),
    );
}

/** Whether the service can measure the sound of a shape. Sound besides PCM needs a transcoder. */
export const isMeasurable = ({ audioComponent = [] }: ShapeType, hasTranscoder: boolean): boolean =>
  audioComponent.length > 0 && (hasTranscoder || audioComponent.every(({ codec }) => codec?.startsWith('pcm_')));

/** The shape that was imported, or else the first one. */
export const originalOf = ({ shape = [] }: ItemType): ShapeType | undefined =>
  shape.find(({ tag = [] }) => tag.includes('original')) ?? shape[0];

const isOriginal = ({ shape: { tag = [] } }: Playable): boolean => tag.includes('original');

/** `1280 × 720 · H.264 · 25 fps` and the like. */
export function formatOf({ videoComponent = [], audioComponent = [] }: ShapeType): string {
  const [video] = videoComponent;
  const rate = video?.averageFrameRate;
  return [
    video?.resolution && `${video.resolution.width} × ${video.resolution.height}`,
    video?.codec && codecWords(video.codec),
    rate && rate.denominator > 0 && `${Number((rate.numerator / rate.denominator).toFixed(3))} fps`,
    audioComponent[0]?.codec &&
      `${audioComponent.length > 1 ? `${audioComponent.length} × ` : ''}${codecWords(audioComponent[0].codec)}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Primaries, curves and matrices by their code points (ISO/IEC 23091-2). */
const primaries: Readonly<Record<number, string>> = {
  ...{ 1: 'BT.709', 5: 'BT.601', 6: 'BT.601', 9: 'BT.2020', 11: 'P3', 12: 'P3' },
};
const transfers: Readonly<Record<number, string>> = {
  ...{ 1: 'SDR', 6: 'SDR', 13: 'sRGB', 14: 'SDR', 15: 'SDR', 16: 'HDR (PQ)', 18: 'HDR (HLG)' },
};
const matrices: Readonly<Record<number, string>> = { 0: 'RGB', 1: 'BT.709', 5: 'BT.601', 6: 'BT.601', 9: 'BT.2020' };

/** `HDR (PQ) · BT.2020 · 10 bit`, and the matrix where it is another one. Empty: the media says nothing. */
export function colourOf({ videoComponent: [video] = [] }: ShapeType): string {
  if (!video) return '';
  const { colr_primaries: gamut = -1, colr_transfer_function: curve = -1, colr_matrix: matrix = -1 } = video;
  const range = video.mediaInfo?.property?.find(({ key }) => key === 'Color_range')?.value;
  const named = primaries[gamut];
  const matrixName = matrices[matrix];
  return [
    transfers[curve],
    named,
    matrixName !== named && matrixName,
    video.bitDepth && t('item.bits', { count: video.bitDepth }),
    range && t(range === 'Full' ? 'item.fullRange' : 'item.limitedRange'),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Files of a shape, each once. */
export function filesOf(shape: ShapeType) {
  const components = [shape.containerComponent, ...(shape.videoComponent ?? []), ...(shape.audioComponent ?? [])];
  const all = [...components, ...(shape.binaryComponent ?? [])].flatMap((each) => each?.file ?? []);
  return [...new Map(all.map((file) => [file.id, file])).values()];
}

/** A request as a command of a shell. The password is asked for. */
export const curlOf = (origin: string, path: string, user: string, type: string): string =>
  `curl -u '${user.replaceAll("'", `'\\''`)}' -H 'Accept: ${type}' '${origin}${path}'`;

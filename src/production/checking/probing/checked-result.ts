import { storable } from '../../../core/lib/storable.ts';
import type { PictureColour, ProbedTrack, ProbeResult, Ratio } from '../../../spi/index.ts';
import { MediaFault } from './faults.ts';

type Json = Readonly<Record<string, unknown>>;

const maxTracks = 200;

const text = (value: unknown, max = 200): string | undefined =>
  typeof value === 'string' ? storable(value, max) : undefined;
const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= Number.MAX_SAFE_INTEGER
    ? value
    : undefined;

function ratio(value: unknown): Ratio | undefined {
  const { numerator, denominator } = (value ?? {}) as Json;
  const isWhole = Number.isSafeInteger(numerator) && Number.isSafeInteger(denominator);
  return isWhole && Number(numerator) > 0 && Number(denominator) > 0
    ? { numerator: Number(numerator), denominator: Number(denominator) }
    : undefined;
}

/** Tags of a file are texts of foreign people. */
function pairs(value: unknown): Readonly<Record<string, string>> | undefined {
  const entries = Object.entries((value ?? {}) as Json).slice(0, 20);
  const texts = entries.flatMap(([key, each]) => {
    const tag = text(each, 200);
    return /^[\w.:-]{1,100}$/.test(key) && tag !== undefined ? [[key, tag.replace(/\p{Cc}/gu, ' ')] as const] : [];
  });
  return texts.length > 0 ? Object.fromEntries(texts) : undefined;
}

/** Names of properties inside files, by what they are written in: `xmp:dc:title`, `exif:Artist`. */
export const propertyForm = /^(?:xmp|exif|iptc|id3|tag|bext|ixml|pdf|quicktime):[\w.:/ -]{1,100}$/;

/** Bounds of what a file says of itself: properties, values of one, characters of a value and of all together. */
const maxProperties = 200;
const maxValues = 200;
const maxValueLength = 10_000;
const maxEmbeddedLength = 100_000;

/** Properties inside the file, of which those beyond a bound are left out. */
function embedded(value: unknown): ProbeResult['embedded'] {
  let left = maxEmbeddedLength;
  const fitting = (each: unknown): readonly string[] => {
    const plain =
      text(each, maxValueLength)
        ?.replace(/[^\P{Cc}\n\t]/gu, ' ')
        .trim() ?? '';
    left -= plain.length;
    return plain === '' || left < 0 ? [] : [plain];
  };
  const entries = Object.entries((value ?? {}) as Json)
    .slice(0, maxProperties)
    .flatMap(([name, list]) => {
      if (!propertyForm.test(name) || !Array.isArray(list)) return [];
      const values = list.slice(0, maxValues).flatMap(fitting);
      return values.length > 0 ? [[name, values] as const] : [];
    });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** Without the keys whose values are undefined. */
const only = <T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;

/**
 * A result as another process has sent it. That process has opened foreign media, so whatever is not of the right kind is
 * left out, and texts are cut.
 */
export function checkedResult(sent: unknown): ProbeResult {
  const result = (sent ?? {}) as Json;
  const { tracks, warnings } = result;
  if (!Array.isArray(tracks) || tracks.length > maxTracks) {
    throw new MediaFault('broken', `Expected at most ${maxTracks} tracks`);
  }
  const optional = only({
    duration: number(result['duration']),
    bitrate: number(result['bitrate']),
    timeCode: text(result['timeCode'], 20),
    startTime: number(result['startTime']),
    metadata: pairs(result['metadata']),
    missingBytes: whole(result['missingBytes']) || undefined,
    embedded: embedded(result['embedded']),
  });
  return {
    by: text(result['by'], 40) ?? '',
    format: text(result['format']) ?? '',
    mimeType: mimeType(result['mimeType']),
    ...optional,
    tracks: tracks.map(checkedTrack),
    isPartial: result['isPartial'] === true,
    bytesRead: number(result['bytesRead']) ?? 0,
    warnings: (Array.isArray(warnings) ? warnings : []).slice(0, 20).flatMap((each) => text(each, 300) ?? []),
  };
}

const mimeType = (value: unknown): string =>
  typeof value === 'string' && /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(value) ? value : 'application/octet-stream';

function colourOf(sent: unknown): PictureColour | undefined {
  if (typeof sent !== 'object' || sent === null) return undefined;
  const colour = sent as Json;
  const code = (value: unknown) => {
    const number = whole(value);
    return number !== undefined && number < 256 ? number : undefined;
  };
  return only({
    primaries: code(colour['primaries']),
    transfer: code(colour['transfer']),
    matrix: code(colour['matrix']),
    isFullRange: typeof colour['isFullRange'] === 'boolean' ? colour['isFullRange'] : undefined,
  });
}

function checkedTrack(sent: unknown): ProbedTrack {
  const track = (sent ?? {}) as Json;
  const kind = track['kind'];
  const base = {
    codec: text(track['codec'], 60) ?? null,
    index: whole(track['index']) ?? 0,
    ...only({
      timeScale: whole(track['timeScale']) || undefined,
      duration: number(track['duration']),
      bitrate: whole(track['bitrate']),
      language: text(track['language'], 20),
      startTime: number(track['startTime']),
      packets: whole(track['packets']),
      metadata: pairs(track['metadata']),
    }),
  };
  if (kind === 'video') {
    return {
      ...base,
      kind,
      width: whole(track['width']) ?? 0,
      height: whole(track['height']) ?? 0,
      ...only({
        frameRate: ratio(track['frameRate']),
        pixelAspect: ratio(track['pixelAspect']),
        rotation: whole(track['rotation']),
        pixelFormat: text(track['pixelFormat'], 40),
        bitDepth: whole(track['bitDepth']),
        fieldOrder: text(track['fieldOrder'], 20),
        colour: colourOf(track['colour']),
        isStill: track['isStill'] === true ? (true as const) : undefined,
      }),
    };
  }
  if (kind === 'audio') {
    return {
      ...base,
      kind,
      sampleRate: whole(track['sampleRate']) ?? 0,
      channels: whole(track['channels']) ?? 0,
      ...only({
        sampleFormat: text(track['sampleFormat'], 40),
        channelMask: whole(track['channelMask']),
        frameSize: whole(track['frameSize']),
      }),
    };
  }
  return { ...base, kind: kind === 'subtitle' ? 'subtitle' : 'data' };
}

const whole = (value: unknown): number | undefined => {
  const parsed = number(value);
  return parsed === undefined ? undefined : Math.round(parsed);
};

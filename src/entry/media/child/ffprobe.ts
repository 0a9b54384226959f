import { namedColour } from '../../../composition/shipped-probers.ts';
import { MediaFault, mimeTypeByName } from '../../../production/checking/public-reading.ts';
import type { MediaSource, MediaTool, ProbedTrack, ProbeOptions, ProbeResult, Ratio } from '../../../spi/index.ts';
import { inputWords } from '../ffmpeg/formats.ts';
import { findProgram, permissionFor, rememberFound } from './find-program.ts';
import type { ChildPool } from './pool.ts';
import { runLimited } from './run-program.ts';
import { limiterOf, ownLimits } from './spawn-limited.ts';

type Json = Readonly<Record<string, unknown>>;

const record = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value.slice(0, 200) : undefined);

function number(value: unknown): number | undefined {
  const read = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof read === 'number' && Number.isFinite(read) && read >= 0 ? read : undefined;
}

/** `30000/1001` or `16:15`. None where a part is 0. */
function ratio(value: unknown): Ratio | undefined {
  const parts = /^(\d{1,9})[/:](\d{1,9})$/.exec(text(value) ?? '');
  const [numerator, denominator] = [Number(parts?.[1] ?? 0), Number(parts?.[2] ?? 0)];
  return numerator > 0 && denominator > 0 ? { numerator, denominator } : undefined;
}

/** By the name of the format; of some, the tracks decide. */
const mimeTypes: Readonly<Record<string, string>> = {
  aiff: 'audio/aiff',
  asf: 'video/x-ms-asf',
  avi: 'video/x-msvideo',
  caf: 'audio/x-caf',
  dv: 'video/dv',
  flac: 'audio/flac',
  flv: 'video/x-flv',
  gif: 'image/gif',
  image2: 'image/jpeg',
  'matroska,webm': 'video/x-matroska',
  'mov,mp4,m4a,3gp,3g2,mj2': 'video/mp4',
  mp3: 'audio/mpeg',
  mpeg: 'video/mpeg',
  mpegts: 'video/mp2t',
  mpegvideo: 'video/mpeg',
  mxf: 'application/mxf',
  ogg: 'video/ogg',
  wav: 'audio/wav',
};

function mimeTypeOf(
  format: string,
  { brand, name, hasFilm }: { brand: string | undefined; name: string | undefined; hasFilm: boolean },
): string {
  // ffprobe names one demuxer for MP4 and QuickTime; the brand of the file tells which it is.
  if (brand?.trim() === 'qt') return 'video/quicktime';
  const pipe = /^(\w+)_pipe$/.exec(format)?.[1];
  if (pipe !== undefined) return `image/${pipe === 'jpg' ? 'jpeg' : pipe}`;
  const mimeType = mimeTypes[format] ?? mimeTypeByName(name);
  return hasFilm ? mimeType : mimeType.replace(/^video\/(mp4|ogg|x-matroska|x-ms-asf)$/, 'audio/$1');
}

/** Probe result from the output of `ffprobe -show_format -show_streams -of json`. Other values are left out. */
export function resultOf(output: unknown, name: string | undefined): Omit<ProbeResult, 'bytesRead'> {
  const { format: formatRecord, streams } = record(output);
  const format = record(formatRecord);
  const formatName = text(format['format_name']) ?? '';
  const isPicture = /_pipe$|^image2$/.test(formatName);
  const list = (Array.isArray(streams) ? streams : []).slice(0, 200).map(record);
  const tracks = list.map((stream) => trackOf(stream, isPicture));
  const duration = isPicture ? undefined : number(format['duration']);
  const bitrate = number(format['bit_rate']);
  const timeCode = [format, ...list].map((each) => text(record(each['tags'])['timecode'])).find(Boolean);
  const startTime = isPicture ? undefined : number(format['start_time']);
  const metadata = tagsOf(format);
  const hasFilm = tracks.some(({ kind }) => kind === 'video');
  return {
    by: 'ffprobe',
    format: formatName,
    mimeType: mimeTypeOf(formatName, { brand: text(record(format['tags'])['major_brand']), name, hasFilm }),
    ...(duration !== undefined && { duration }),
    ...(bitrate !== undefined && { bitrate }),
    ...(timeCode !== undefined && { timeCode }),
    ...(startTime !== undefined && { startTime }),
    ...(metadata && { metadata }),
    tracks,
    isPartial: false,
    warnings: Array.isArray(streams) && streams.length > 200 ? ['Only the first 200 tracks are told'] : [],
  };
}

/** Texts among the tags of the file or of a track. */
function tagsOf(of: Json): Readonly<Record<string, string>> | undefined {
  const texts = Object.entries(record(of['tags'])).flatMap(([key, value]) => {
    const tag = text(value);
    return tag === undefined ? [] : [[key, tag] as const];
  });
  return texts.length > 0 ? Object.fromEntries(texts) : undefined;
}

/** Speakers by FFmpeg's names of layouts. */
const masks: Readonly<Record<string, number>> = {
  ...{ mono: 0x4, stereo: 0x3, '2.1': 0xb, '3.0': 0x7, '4.0': 0x107, quad: 0x33, '5.0': 0x37, '5.0(side)': 0x607 },
  ...{ '5.1': 0x3f, '5.1(side)': 0x60f, '6.1': 0x70f, '7.1': 0x63f, '7.1(wide)': 0xff },
};

function trackOf(stream: Json, isPicture: boolean): ProbedTrack {
  const index = number(stream['index']) ?? 0;
  const scale = ratio(stream['time_base']);
  const [duration, bitrate] = [number(stream['duration']), number(stream['bit_rate'])];
  const language = text(record(stream['tags'])['language']);
  const startTime = number(stream['start_time']);
  const packets = number(stream['nb_frames']);
  const metadata = tagsOf(stream);
  const base = {
    index,
    codec: text(stream['codec_name']) ?? null,
    ...(scale?.numerator === 1 && { timeScale: scale.denominator }),
    ...(duration !== undefined && !isPicture && { duration }),
    ...(bitrate !== undefined && { bitrate }),
    ...(language !== undefined && language !== 'und' && { language }),
    ...(startTime !== undefined && !isPicture && { startTime }),
    ...(packets !== undefined && !isPicture && { packets }),
    ...(metadata && { metadata }),
  };
  // The cover of an album is no film.
  const isCover = record(stream['disposition'])['attached_pic'] === 1;
  if (stream['codec_type'] === 'video' && !isCover) {
    const [rate, aspect] = [ratio(stream['avg_frame_rate']), ratio(stream['sample_aspect_ratio'])];
    const pixelFormat = text(stream['pix_fmt']);
    const fieldOrder = text(stream['field_order']);
    const bitDepth = number(stream['bits_per_raw_sample']);
    const turned = rotationOf(stream);
    const range = text(stream['color_range']);
    const colour = namedColour({
      primaries: text(stream['color_primaries']),
      transfer: text(stream['color_transfer']),
      matrix: text(stream['color_space']),
      fullRange: range === undefined || range === 'unknown' ? undefined : range === 'pc',
    });
    return {
      ...base,
      kind: 'video',
      width: number(stream['width']) ?? 0,
      height: number(stream['height']) ?? 0,
      ...(rate && !isPicture && { frameRate: rate }),
      ...(aspect && { pixelAspect: aspect }),
      ...(pixelFormat !== undefined && { pixelFormat }),
      ...(fieldOrder !== undefined && fieldOrder !== 'unknown' && { fieldOrder }),
      ...(bitDepth !== undefined && bitDepth > 0 && { bitDepth }),
      ...(turned !== undefined && { rotation: turned }),
      ...(colour && { colour }),
      ...(isPicture && { isStill: true }),
    };
  }
  if (stream['codec_type'] === 'audio') {
    const sampleFormat = text(stream['sample_fmt']);
    const channelMask = new Map(Object.entries(masks)).get(text(stream['channel_layout']) ?? '');
    return {
      ...base,
      kind: 'audio',
      sampleRate: number(stream['sample_rate']) ?? 0,
      channels: number(stream['channels']) ?? 0,
      ...(sampleFormat !== undefined && { sampleFormat }),
      ...(channelMask !== undefined && { channelMask }),
    };
  }
  return { ...base, kind: stream['codec_type'] === 'subtitle' ? 'subtitle' : 'data' };
}

/** Rotation in clockwise degrees. ffprobe reports counter-clockwise degrees. */
function rotationOf(stream: Json): number | undefined {
  const list = stream['side_data_list'];
  const rotation = (Array.isArray(list) ? list : [])
    .map((each) => record(each)['rotation'])
    .find((each) => each !== undefined);
  if (typeof rotation !== 'number' || !Number.isFinite(rotation)) return undefined;
  const clockwise = ((Math.round(-rotation) % 360) + 360) % 360;
  return clockwise === 0 ? undefined : clockwise;
}

interface FfprobeOptions {
  /** Name or path of ffprobe. Empty: disabled. */
  readonly program: string;
  readonly megabytes: number;
  readonly seconds: number;
}

interface InstalledFfprobe {
  readonly path: string;
  readonly version: string;
}

/** The program of FFmpeg that knows nearly everything, where the operator has it. */
export class Ffprobe {
  readonly #options: FfprobeOptions;
  readonly #pool: ChildPool;
  readonly #find = rememberFound(() => this.#look());

  constructor(options: FfprobeOptions, pool: ChildPool) {
    this.#options = options;
    this.#pool = pool;
  }

  async tool(): Promise<MediaTool> {
    const installed = await this.#find();
    if (installed) return { name: 'ffprobe', version: installed.version };
    const { program } = this.#options;
    const missing = program === '' ? 'Switched off (ffprobe)' : `Expected the program "${program}": install FFmpeg`;
    return { name: 'ffprobe', missing: `${missing} for MXF, AVI, MPEG and the like${permissionFor(program)}` };
  }

  /** Undefined: it is not here. */
  async probe(source: MediaSource, { maxBytes, signal }: ProbeOptions): Promise<ProbeResult | undefined> {
    const installed = await this.#find();
    if (!installed) return undefined;
    let bytesRead = 0;
    const counted: MediaSource = {
      ...source,
      async read(range) {
        bytesRead += range.end - range.from;
        if (bytesRead > maxBytes)
          throw new MediaFault('exhausted', `Expected to know the file after ${maxBytes} bytes`);
        return source.read(range);
      },
    };
    await this.#pool.inTurn(signal);
    const lent = await this.#pool.loopback.lend(counted);
    try {
      const words = ['-v', 'error', ...inputWords, '-show_format', '-show_streams', '-of', 'json', lent.url];
      const { code, output, errors } = await this.#run(installed.path, words, signal);
      const fault = lent.fault();
      if (code === 0) return { ...resultOf(JSON.parse(output), source.name), bytesRead };
      if (fault) throw fault.error;
      throw new MediaFault(
        'unsupported',
        `Expected a media file: ${errors.replaceAll(lent.url, 'it').trim().slice(0, 300)}`,
      );
    } finally {
      lent.takeBack();
      this.#pool.leave();
    }
  }

  async #run(path: string, words: readonly string[], signal: AbortSignal) {
    const { megabytes, seconds } = this.#options;
    const limits = { megabytes, cpuSeconds: seconds + 1, folder: await this.#pool.folder() };
    return runLimited(path, [...ownLimits('ffprobe', limits, limiterOf()), ...words], limits, {
      signal,
      within: seconds * 1000,
    });
  }

  async #look(): Promise<InstalledFfprobe | undefined> {
    const path = await findProgram(this.#options.program);
    if (path === undefined) return undefined;
    const { code, output } = await this.#run(path, ['-version'], AbortSignal.timeout(this.#options.seconds * 1000));
    const version = /^ffprobe version (\S{1,60})/.exec(output)?.[1];
    return code === 0 && version !== undefined ? { path, version } : undefined;
  }
}

import { boxBelow, type ContainerBox } from '../../src/kit/index.ts';
import type { MediaSource, ProbeResult } from '../../src/spi/index.ts';
import { firstBoxes, isoHeader } from '../probers/iso-header.ts';
import { readRanges } from '../probers/media-prober.ts';
import { packetProperties } from './packets.ts';
import { pictureProperties } from './pictures.ts';
import { quickTimeKeys } from './quicktime.ts';
import { soundProperties } from './sound-chunks.ts';
import { addValues, type Properties } from './xml.ts';
import { xmpProperties } from './xmp.ts';

type Probed = Pick<ProbeResult, 'by' | 'tracks'>;
type Reader = (source: MediaSource, wanted: ReadonlySet<string>) => Promise<Properties>;

interface Embedded {
  readonly embedded: Readonly<Record<string, readonly string[]>>;
  /** Errors of readers that a damaged file or its source made fail. */
  readonly errors: readonly Error[];
}

/** Reads properties that a file has of itself. `wanted`: their names. */
export async function embeddedProperties(
  source: MediaSource,
  probed: Probed,
  wanted: readonly string[],
): Promise<Embedded> {
  const names = new Set(wanted);
  const head = await source.read({ from: 0, end: Math.min(32, source.size) });
  const properties: Properties = new Map();
  const errors: Error[] = [];
  for (const read of readersFor(String.fromCharCode(...head), probed, names)) {
    try {
      for (const [name, values] of await read(source, names)) addValues(properties, name, values);
    } catch (error) {
      errors.push(error as Error);
    }
  }
  return { embedded: Object.fromEntries([...properties].filter(([name]) => names.has(name))), errors };
}

/** Brands of ISO files that hold pictures. */
const pictureBrands = new Set(['avif', 'avis', 'heic', 'heix', 'heim', 'heis', 'mif1', 'msf1']);
const pictureBegins = ['\u00ff\u00d8\u00ff', '\u0089PNG\r\n', 'II*\0', 'MM\0*', '\0\0\0\u000cJXL '];
const filmBoxes = new Set(['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot']);
/** Documents and drawings: PDF, PostScript, Photoshop, GIF and SVG. */
const packetBegins = ['%PDF-', '%!PS', '\u00c5\u00d0\u00d3\u00c6', '8BPS', 'GIF8', '<?xml', '<svg'];

function* readersFor(head: string, { by, tracks }: Probed, wanted: ReadonlySet<string>): Generator<Reader> {
  const wants = (kinds: RegExp) => [...wanted].some((name) => kinds.test(name));
  const begins = (list: readonly string[]) => list.some((each) => head.startsWith(each));
  const [box, kind] = [head.slice(4, 8), head.slice(8, 12)];
  const isRiff = ['RIFF', 'RF64', 'BW64'].includes(head.slice(0, 4));
  if (begins(pictureBegins) || (isRiff && kind === 'WEBP') || (box === 'ftyp' && pictureBrands.has(kind)))
    yield pictureProperties;
  else if (isRiff && kind === 'WAVE') yield soundProperties;
  else if (filmBoxes.has(box) && wants(/^(?:xmp|quicktime):/))
    yield (source) => filmProperties(source, { isQuickTime: kind === 'qt  ', hasKeys: wants(/^quicktime:/) });
  else if (begins(packetBegins)) yield packetProperties;
  const isSound = by === 'mediabunny' && tracks.every((track) => track.kind === 'audio');
  if (isSound && wants(/^(?:id3|tag):/)) yield tagProperties;
}

/** Boxes of a film that are looked at: each costs a read. */
const maxBoxes = 16;
const xmpBox = 'be7acfcb97a942e89c71999491e3afac';
const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
/** Bytes of a packet of XMP in a film. */
const maxPacket = 8 * 1024 * 1024;

interface FilmWish {
  readonly isQuickTime: boolean;
  /** Whether keys are wanted beside XMP. */
  readonly hasKeys: boolean;
}

/** XMP of a film, in a box of its own or in the header of QuickTime, and keys in the header. */
async function filmProperties(source: MediaSource, { isQuickTime, hasKeys }: FilmWish): Promise<Properties> {
  const boxes = await firstBoxes(source, maxBoxes);
  const ofBox = await xmpOfBox(source, boxes);
  if (!hasKeys && (ofBox.size > 0 || !isQuickTime)) return ofBox;
  const view = (await isoHeader(source, boxes))?.view;
  if (!view) return ofBox;
  const keys = hasKeys ? quickTimeKeys(view) : new Map();
  // XMP in a separate box takes precedence over XMP in the header.
  const packets = ofBox.size > 0 || !isQuickTime ? ofBox : xmpOfHeader(view);
  return new Map([...packets, ...keys]);
}

async function xmpOfBox(source: MediaSource, boxes: readonly ContainerBox[]): Promise<Properties> {
  for (const { from, end } of boxes.filter(({ type }) => type === 'uuid')) {
    if (end - from < 16 || end - from > maxPacket || end > source.size) continue;
    if (hex(await source.read({ from, end: from + 16 })) !== xmpBox) continue;
    return xmpProperties(new TextDecoder().decode(await source.read({ from: from + 16, end })));
  }
  return new Map();
}

function xmpOfHeader(view: DataView): Properties {
  const packet = boxBelow(view, { type: 'moov', from: 0, end: view.byteLength }, 'udta', 'XMP_');
  if (!packet) return new Map();
  const { buffer, byteOffset } = view;
  return xmpProperties(
    new TextDecoder().decode(new Uint8Array(buffer, byteOffset + packet.from, packet.end - packet.from)),
  );
}

/** Frames of ID3 for tags that the library reads of any version. */
const frames = { title: 'TIT2', description: 'TIT3', artist: 'TPE1', album: 'TALB', genre: 'TCON', comment: 'COMM' };

const synchsafe = (size: number): number =>
  ((size >>> 24) & 127) * 2 ** 21 + (((size >> 16) & 127) << 14) + (((size >> 8) & 127) << 7) + (size & 127);

/** Throws for a frame of ID3 that is longer than its tag: the library reserves memory for all that a frame claims. */
async function checkFrames(source: MediaSource): Promise<void> {
  const head = await source.read({ from: 0, end: Math.min(10, source.size) });
  const version = head[3] ?? 0;
  if (String.fromCharCode(...head.subarray(0, 3)) !== 'ID3' || head.length < 10 || version < 3) return;
  const sizeAt = (bytes: Uint8Array, at: number) => new DataView(bytes.buffer, bytes.byteOffset).getUint32(at);
  const end = Math.min(10 + synchsafe(sizeAt(head, 6)), source.size);
  const tag = await source.read({ from: 10, end: Math.min(end, 10 + maxPacket) });
  for (let at = 0; at + 10 <= tag.length && tag[at] !== 0; ) {
    const size = sizeAt(tag, at + 4);
    // Programs write both forms in tags of the fourth version.
    const length = [version === 4 ? synchsafe(size) : size, size, synchsafe(size)].find(
      (each) => at + 20 + each <= end,
    );
    if (length === undefined) throw new Error('Expected frames of ID3 within their tag');
    at += 10 + length;
  }
}

/** Tags of sounds: of ID3 each frame with text, of any container those that all have. */
async function tagProperties(source: MediaSource): Promise<Properties> {
  await checkFrames(source);
  const library = await import('../probers/media-library.ts');
  const { MP3, MP4, QTFF, MATROSKA, WEBM, WAVE, OGG, ADTS, FLAC } = library;
  const formats = [MP4, QTFF, MATROSKA, WEBM, MP3, WAVE, OGG, ADTS, FLAC];
  const input = new library.Input({ formats, source: readRanges(library, source) });
  try {
    const isId3 = /^(?:MP3|WAVE|ADTS)$/.test((await input.getFormat()).name);
    const { raw = {}, ...tags } = await input.getMetadataTags();
    const properties: Properties = new Map();
    const add = (name: string, value: unknown) => {
      if (typeof value === 'string') addValues(properties, name, [value]);
    };
    if (isId3) for (const [frame, value] of Object.entries(raw)) add(`id3:${frame}`, value);
    for (const [tag, frame] of Object.entries(frames)) {
      const value = (tags as Readonly<Record<string, unknown>>)[tag];
      add(`tag:${tag}`, value);
      if (isId3) add(`id3:${frame}`, value);
    }
    return properties;
  } finally {
    input.dispose();
  }
}

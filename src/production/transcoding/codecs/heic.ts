import { boxAt, boxesIn, type ContainerBox } from '../../../core/lib/iso-boxes.ts';
import type { MediaSource } from '../../../spi/index.ts';
import { isJpeg } from './picture-type.ts';

/** A HEIF picture with HEVC pixels, the format of iPhone cameras. */
interface Heic {
  /** Whether the picture is a grid of tiles. */
  readonly isTiled: boolean;
  /** JPEG preview embedded in the file. Undefined: the file has none. */
  preview(): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

const codedBrands = ['heic', 'heix', 'heim', 'heis'];
/** Brands of the family that say nothing about the coding. */
const openBrands = ['mif1', 'msf1'];
/** Bounds of what is read: a list of brands, boxes of the file, the description of its items, and one item. */
const [maxBrands, maxBoxes, maxMeta, maxItem] = [256, 16, 4 * 1024 * 1024, 16 * 1024 * 1024];

/** Undefined: the source is no HEIC. */
export async function heicIn(source: MediaSource): Promise<Heic | undefined> {
  const { size } = source;
  const head = viewOf(await source.read({ from: 0, end: Math.min(maxBrands, size) }));
  const type = boxAt(head, 0, 0, size);
  if (type?.type !== 'ftyp') return undefined;
  const text = textIn(head, type.from, Math.min(type.end, head.byteLength));
  const brands = [text.slice(0, 4), ...(text.slice(8).match(/.{4}/gs) ?? [])];
  const isOne = openBrands.includes(brands[0]!)
    ? brands.some((brand) => codedBrands.includes(brand))
    : codedBrands.includes(brands[0]!);
  if (!isOne) return undefined;
  const items = await itemsOf(source, type.end).catch(rangeFault);
  return { isTiled: items?.isTiled ?? false, preview: () => previewIn(source, items?.places ?? []) };
}

/** A description that ends too early says nothing. Errors of the source come out. */
function rangeFault(error: unknown): undefined {
  if (!(error instanceof RangeError)) throw error;
}

interface Place {
  readonly type: string;
  readonly from: number;
  readonly end: number;
}

interface Items {
  readonly isTiled: boolean;
  readonly places: readonly Place[];
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const textIn = (view: DataView, from: number, end: number): string =>
  String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + from, Math.max(0, end - from)));

/** Items of a file, of which those in one piece have a place. */
async function itemsOf(source: MediaSource, start: number): Promise<Items | undefined> {
  for (let [at, count] = [start, 1]; count < maxBoxes && at + 8 <= source.size; count++) {
    const head = viewOf(await source.read({ from: at, end: Math.min(at + 16, source.size) }));
    const box = boxAt(head, 0, at, source.size);
    if (!box) return undefined;
    if (box.type === 'meta' && box.end <= source.size && box.end - box.from <= maxMeta)
      return itemsIn(viewOf(await source.read({ from: box.from, end: box.end })));
    at = box.end;
  }
  return undefined;
}

function itemsIn(view: DataView): Items {
  // The boxes follow a version and flags, of four bytes together.
  const boxes = new Map(boxesIn(view, 4, view.byteLength).map((box) => [box.type, box]));
  const [first, names, places] = ['pitm', 'iinf', 'iloc'].map((name) => boxes.get(name));
  const types = names ? typesIn(view, names) : new Map<number, string>();
  const primary =
    first && (view.getUint8(first.from) === 0 ? view.getUint16 : view.getUint32).call(view, first.from + 4);
  return {
    isTiled: primary !== undefined && types.get(primary) === 'grid',
    places: places ? placesIn(view, places, types) : [],
  };
}

/** Types of items by their numbers. One that has a media type has that. */
function typesIn(view: DataView, { from, end }: ContainerBox): ReadonlyMap<number, string> {
  const isLong = view.getUint8(from) > 0;
  const types = new Map<number, string>();
  for (const entry of boxesIn(view, from + (isLong ? 8 : 6), end)) {
    const version = view.getUint8(entry.from);
    if (entry.type !== 'infe' || version < 2) continue;
    const id = version === 2 ? view.getUint16(entry.from + 4) : view.getUint32(entry.from + 4);
    const at = entry.from + (version === 2 ? 8 : 10);
    const type = textIn(view, at, Math.min(at + 4, entry.end));
    const [, mediaType = ''] = type === 'mime' ? textIn(view, at + 4, Math.min(at + 260, entry.end)).split('\0') : [];
    types.set(id, mediaType || type);
  }
  return types;
}

function placesIn(view: DataView, { from, end }: ContainerBox, types: ReadonlyMap<number, string>): readonly Place[] {
  let at = from + 4;
  const next = (bytes: number): number => {
    if (at + bytes > end) throw new RangeError('Expected places within their box');
    let value = 0;
    for (let byte = 0; byte < bytes; byte++) value = value * 256 + view.getUint8(at++);
    return value;
  };
  const version = view.getUint8(from);
  const [sizes, more] = [next(1), next(1)];
  const [offsetSize, lengthSize, baseSize, indexSize] = [sizes >> 4, sizes & 15, more >> 4, more & 15];
  const places: Place[] = [];
  for (let left = next(version < 2 ? 2 : 4); left > 0; left--) {
    const id = next(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : next(2) & 15;
    const elsewhere = next(2);
    const base = next(baseSize);
    const extents = next(2);
    for (let extent = 0; extent < extents; extent++) {
      if (version > 0) next(indexSize);
      const [offset, length] = [base + next(offsetSize), next(lengthSize)];
      const type = types.get(id);
      if (type !== undefined && method === 0 && elsewhere === 0 && extents === 1 && length <= maxItem)
        places.push({ type, from: offset, end: offset + length });
    }
  }
  return places;
}

const previewTypes = ['jpeg', 'image/jpeg'];

async function previewIn(source: MediaSource, places: readonly Place[]): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const whole = places.filter(({ end }) => end <= source.size);
  const largestFirst = whole
    .filter(({ type }) => previewTypes.includes(type))
    .toSorted((one, other) => other.end - other.from - (one.end - one.from));
  for (const { from, end } of largestFirst) {
    const bytes = await source.read({ from, end });
    if (isJpeg(bytes)) return new Uint8Array(bytes);
  }
  const exif = whole.find(({ type }) => type === 'Exif');
  if (!exif) return undefined;
  const bytes = await source.read({ from: exif.from, end: exif.end });
  try {
    return thumbnailIn(viewOf(bytes));
  } catch (error) {
    return rangeFault(error);
  }
}

const tags = { orientation: 0x0112, from: 0x0201, length: 0x0202 };

/** Thumbnail of an item of EXIF, upright as the picture is. */
function thumbnailIn(item: DataView): Uint8Array<ArrayBuffer> | undefined {
  // The first four bytes are the offset of the TIFF header.
  const skipped = 4 + item.getUint32(0);
  const view = new DataView(item.buffer, item.byteOffset + skipped, item.byteLength - skipped);
  const little = view.getUint16(0) === 0x4949;
  const directory = (at: number) => {
    const count = view.getUint16(at, little);
    const values = new Map<number, number>();
    for (let entry = 0; entry < count; entry++) {
      const place = at + 2 + entry * 12;
      const isShort = view.getUint16(place + 2, little) === 3;
      const value = isShort ? view.getUint16(place + 8, little) : view.getUint32(place + 8, little);
      values.set(view.getUint16(place, little), value);
    }
    return { values, next: view.getUint32(at + 2 + count * 12, little) };
  };
  const picture = directory(view.getUint32(4, little));
  if (picture.next === 0) return undefined;
  const { values } = directory(picture.next);
  const [from = 0, length = 0] = [values.get(tags.from), values.get(tags.length)];
  if (from === 0 || length === 0 || from + length > view.byteLength) return undefined;
  const bytes = new Uint8Array(view.buffer, view.byteOffset + from, length);
  return isJpeg(bytes) ? turned(bytes, picture.values.get(tags.orientation) ?? 1) : undefined;
}

/** A JPEG with an EXIF segment that has its orientation. */
function turned(jpeg: Uint8Array, orientation: number): Uint8Array<ArrayBuffer> {
  if (!(orientation > 1 && orientation <= 8)) return new Uint8Array(jpeg);
  const header = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
  const segment = [0xff, 0xe1, 0, 8 + header.length, 0x45, 0x78, 0x69, 0x66, 0, 0, ...header];
  const bytes = new Uint8Array(jpeg.length + segment.length);
  bytes.set(jpeg.subarray(0, 2));
  bytes.set(segment, 2);
  bytes.set(jpeg.subarray(2), 2 + segment.length);
  return bytes;
}

import { jpeg, mp4, png, wav } from './samples.ts';

/** Files with known values inside, made by hand: the formats are written down here a second time. */

const utf8 = new TextEncoder();
export type Piece = string | Uint8Array | readonly number[];
export const bytesOf = (...parts: readonly Piece[]): Uint8Array =>
  new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? utf8.encode(part) : Uint8Array.from(part)))),
  );
export const big = (value: number, length: 2 | 4 = 4): readonly number[] =>
  length === 2 ? [value >> 8, value & 255] : [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255];
const little = (value: number): readonly number[] => big(value).toReversed();

/** A packet of XMP with values in each form: in attributes, in elements, and in lists. */
export const xmp = (title = 'Harbour & sea'): string => `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:purl="http://purl.org/dc/elements/1.1/" xmlns:ps="http://ns.adobe.com/photoshop/1.0/"
  xmlns:core="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/" xmlns:own="http://example.com/own/" xmlns:dc="http://example.com/false/"
  xmlns:pdf="http://ns.adobe.com/pdf/1.3/" ps:City="Bergen" own:Number="7" dc:title="false">
<purl:title><rdf:Alt><rdf:li xml:lang="de">Hafen</rdf:li><rdf:li xml:lang="x-default">${title.replaceAll('&', '&amp;')}</rdf:li></rdf:Alt></purl:title>
<purl:subject><rdf:Bag><rdf:li>boats</rdf:li><rdf:li>night</rdf:li></rdf:Bag></purl:subject>
<purl:creator><rdf:Seq><rdf:li>Ann</rdf:li></rdf:Seq></purl:creator>
<ps:DateCreated>2024-05-06T07:08:09Z</ps:DateCreated>
<core:CreatorContactInfo rdf:parseType="Resource"><core:CiEmailWork>a@b</core:CiEmailWork></core:CreatorContactInfo>
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

type Entry = readonly [tag: number, type: number, value: string | Uint8Array | number];

/** A directory of a TIFF with its values behind it, where it begins at a place of the file. */
function directory(entries: readonly Entry[], at: number): Uint8Array {
  const rows: (readonly number[])[] = [];
  const values: Uint8Array[] = [];
  let place = at + 2 + entries.length * 12 + 4;
  for (const [tag, type, value] of entries) {
    const bytes = typeof value === 'number' ? undefined : bytesOf(value, type === 2 ? [0] : []);
    const short =
      bytes === undefined
        ? little(value as number)
        : bytes.length <= 4
          ? [...bytes, 0, 0, 0, 0].slice(0, 4)
          : little(place);
    const count = (bytes?.length ?? 1) / (type === 5 ? 8 : 1);
    rows.push([tag & 255, tag >> 8, type, 0, ...little(count), ...short]);
    if (bytes && bytes.length > 4) {
      values.push(bytes);
      place += bytes.length;
    }
  }
  return bytesOf([entries.length, 0], ...rows, [0, 0, 0, 0], ...values);
}

const rationals = (...numbers: readonly number[]): Uint8Array =>
  bytesOf(...numbers.flatMap((each) => [little(each), little(1)]));

/** EXIF as the bytes of a TIFF. `more`: further tags of the first directory. */
export function exif(more: readonly Entry[] = [], before = 8): Uint8Array {
  const dates = directory(
    [
      [0x9003, 2, '2024:05:06 07:08:09'],
      [0x9011, 2, '+02:00'],
    ],
    8,
  );
  const position = directory(
    [
      [1, 2, 'S'],
      [2, 5, rationals(33, 30, 0)],
      [3, 2, 'E'],
      [4, 5, rationals(18, 15, 0)],
    ],
    8 + dates.length,
  );
  const first: readonly Entry[] = [
    ...more,
    [0x010e, 2, 'A ship in fog'],
    [0x0112, 3, 6],
    [0x013b, 2, 'Bob Ærlig'],
    [0x8298, 2, '(c) Bob'],
    [0x8769, 4, 8],
    [0x8825, 4, 8 + dates.length],
  ];
  const inner = bytesOf(dates, position);
  const place = Math.max(before, 8 + inner.length);
  const gap = new Uint8Array(place - 8 - inner.length);
  return bytesOf('II', [0x2a, 0], little(place), inner, gap, directory(first, place));
}

const record = (tag: number, text: string): Uint8Array => {
  const bytes = utf8.encode(text);
  return bytesOf([0x1c, 2, tag], big(bytes.length, 2), bytes);
};

export const iptc = (): Uint8Array =>
  bytesOf(
    [0x1c, 1, 90, 0, 3, 0x1b, 0x25, 0x47],
    ...[record(5, 'Harbour'), record(25, 'boats'), record(25, 'fog'), record(80, 'Bob'), record(90, 'Bergen')],
    ...[record(120, 'Ships in the harbour'), record(116, '(c) Agency'), record(55, '20240506')],
  );

const segment = (marker: number, ...parts: readonly Piece[]): Uint8Array => {
  const body = bytesOf(...parts);
  return bytesOf([0xff, marker], big(body.length + 2, 2), body);
};

const resources = (bytes: Uint8Array): Uint8Array =>
  bytesOf('8BIM', [4, 4, 0, 0], big(bytes.length), bytes, bytes.length % 2 === 1 ? [0] : []);

export const jpegWith = (...segments: readonly Uint8Array[]): Uint8Array =>
  bytesOf([0xff, 0xd8], ...segments, jpeg(40, 30).subarray(2));

export const exifSegment = (bytes = exif()): Uint8Array => segment(0xe1, 'Exif\0\0', bytes);
export const xmpSegment = (text = xmp()): Uint8Array => segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', text);
export const iptcSegment = (): Uint8Array => segment(0xed, 'Photoshop 3.0\0', resources(iptc()));

export const pngChunk = (type: string, ...parts: readonly Piece[]): Uint8Array => {
  const body = bytesOf(...parts);
  return bytesOf(big(body.length), type, body, [0, 0, 0, 0]);
};

export function pngWith(...chunks: readonly Uint8Array[]): Uint8Array {
  const plain = png(4, 3);
  return bytesOf(plain.subarray(0, 33), ...chunks, plain.subarray(33));
}
export const pngXmp = (text = xmp()): Uint8Array => pngChunk('iTXt', 'XML:com.adobe.xmp', [0, 0, 0, 0, 0], text);
export const pngExif = (): Uint8Array => pngChunk('eXIf', exif());

/** Behind so many bytes, as scanners write them. */
export const tiffWith = (before = 8): Uint8Array => {
  const xml = utf8.encode(xmp());
  const sides: readonly Entry[] = [
    [0x0100, 4, 40],
    [0x0101, 4, 30],
    [0x02bc, 1, xml],
    [0x83bb, 7, iptc()],
  ];
  return exif(sides, before);
};

const riffChunk = (id: string, bytes: Uint8Array): Uint8Array =>
  bytesOf(id, little(bytes.length), bytes, bytes.length % 2 === 1 ? [0] : []);
const riff = (kind: string, ...chunks: readonly Uint8Array[]): Uint8Array => {
  const body = bytesOf(kind, ...chunks);
  return bytesOf('RIFF', little(body.length), body);
};

export const webpWith = (): Uint8Array =>
  riff(
    'WEBP',
    riffChunk('VP8X', Uint8Array.from([0x0c, 0, 0, 0, 39, 0, 0, 29, 0, 0])),
    riffChunk('VP8 ', new Uint8Array(300_000)),
    riffChunk('EXIF', exif()),
    riffChunk('XMP ', utf8.encode(xmp())),
  );

export const box = (type: string, ...parts: readonly Piece[]): Uint8Array => {
  const body = bytesOf(...parts);
  return bytesOf(big(body.length + 8), type, body);
};

/** A picture of the family of HEIF whose properties stand behind its pixels. */
export function heifWith(brand: 'avif' | 'heic'): Uint8Array {
  const type = box('ftyp', brand, [0, 0, 0, 0], brand, 'mif1');
  const items = [bytesOf(big(6), 'Exif\0\0', exif()), utf8.encode(xmp())];
  const full = [0, 0, 0, 0];
  const entry = (id: number, kind: string, ...more: readonly Piece[]) =>
    box('infe', [2, 0, 0, 0], big(id, 2), [0, 0], kind, [0], ...more);
  const pixels = 200_000;
  const meta = (offset: number) =>
    box(
      ...(['meta', full, box('hdlr', full, [0, 0, 0, 0], 'pict', new Uint8Array(13))] as const),
      box('pitm', full, big(1, 2)),
      box('iinf', full, big(3, 2), entry(1, 'hvc1'), entry(2, 'Exif'), entry(3, 'mime', 'application/rdf+xml\0')),
      // Programs write into the item that describes the picture.
      box('iref', full, ...[2, 3].map((id) => box('cdsc', big(id, 2), big(1, 2), big(1, 2)))),
      box('iprp', box('ipco', box('ispe', full, big(40), big(30)))),
      box(
        ...(['iloc', full, [0x44, 0], big(3, 2)] as const),
        ...[big(1, 2), big(0, 2), big(1, 2), big(offset - pixels), big(pixels)],
        ...items.flatMap((item, at) => [
          ...[big(at + 2, 2), big(0, 2), big(1, 2)],
          ...[big(offset + (at === 0 ? 0 : items[0]!.length)), big(item.length)],
        ]),
      ),
    );
  const offset = type.length + meta(0).length + 8 + pixels;
  return bytesOf(type, meta(offset), box('mdat', new Uint8Array(pixels), ...items));
}

const uuid = [0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac];
export const mp4With = async (text = xmp()): Promise<Uint8Array> => bytesOf(await mp4(), box('uuid', uuid, text));

export const movWith = (): Uint8Array =>
  bytesOf(
    box('ftyp', 'qt  ', [0, 0, 0, 0]),
    box('mdat', new Uint8Array(9)),
    box('moov', box('udta', box('XMP_', xmp()))),
  );

/** A film with keys of Apple, as cameras and editing programs write them. `isMpeg4`: with atoms of iTunes instead. */
export function movWithKeys(isMpeg4 = false): Uint8Array {
  const values: readonly (readonly [key: string, atom: string, value: string])[] = [
    ['title', '\u00a9nam', 'Hafen ü'],
    ['author', '\u00a9ART', 'Ann'],
    ['keywords', '\u00a9key', 'boats, night'],
    ['creationdate', '\u00a9day', '2024-05-06T07:08:09+0200'],
    ['location.ISO6709', 'loci', '+59.9+10.7/'],
  ];
  const latin = (text: string) => [...text].map((each) => each.charCodeAt(0));
  const data = (value: string) => box('data', big(1), big(0), value);
  const value = (atom: string | readonly number[], text: string) => {
    const inside = data(text);
    return bytesOf(big(inside.length + 8), typeof atom === 'string' ? latin(atom) : atom, inside);
  };
  const keys = values.map(([key]) => box('mdta', `com.apple.quicktime.${key}`));
  const plain = box('hdlr', new Uint8Array(8), isMpeg4 ? 'mdir' : 'mdta', new Uint8Array(13));
  const list = box(
    'ilst',
    ...values.map(([, atom, text], at) => value(isMpeg4 ? atom : big(at + 1), text)),
    value(isMpeg4 ? 'covr' : big(99), 'beyond the keys'),
  );
  const moov = isMpeg4
    ? box('moov', box('udta', box('meta', big(0), plain, list)))
    : box('moov', box('meta', plain, box('keys', big(0), big(keys.length), ...keys), list));
  return bytesOf(box('ftyp', isMpeg4 ? 'isom' : 'qt  ', [0, 0, 0, 0]), moov);
}

export const pdfWith = (text = xmp()): Uint8Array =>
  bytesOf(
    '%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Metadata 3 0 R >>\nendobj\n',
    "2 0 obj\n<< /Title (Two \\(2\\) lines\\041) /Author <FEFF00C6> /Keywords (a; b) /CreationDate (D:20240506070809+02'00') >>\nendobj\n",
    `3 0 obj\n<< /Type /Metadata /Subtype /XML /Length ${text.length} >>\nstream\n`,
    text,
    '\nendstream\nendobj\ntrailer\n<< /Root 1 0 R /Info 2 0 R >>\nstartxref\n0\n%%EOF\n',
  );

export async function wavWith(): Promise<Uint8Array> {
  const text = (value: string, length: number) => bytesOf(value, new Uint8Array(length - value.length));
  const bext = bytesOf(
    ...[text('Wind over a pier', 256), text('Recorder', 32), text('REF1', 32), '2024-05-06', '07:08:09'],
    ...[little(48_000), little(0), new Uint8Array(256), 'A=PCM'],
  );
  const ixml = `<?xml version="1.0" encoding="UTF-8"?><BWFXML><PROJECT>Coast</PROJECT><SCENE>12A</SCENE>
<TRACK_LIST><TRACK><NAME>left</NAME></TRACK><TRACK><NAME>right</NAME></TRACK></TRACK_LIST></BWFXML>`;
  const sound = await wav({ seconds: 0.1 });
  return riff('WAVE', riffChunk('bext', bext), sound.subarray(12), riffChunk('iXML', utf8.encode(ixml)));
}

/** Layer III at 128 kbit/s, without sound. */
const mp3Frames = (): Uint8Array =>
  bytesOf(...Array.from({ length: 20 }, () => bytesOf([0xff, 0xfb, 0x90, 0], new Uint8Array(413))));

export function mp3With(version: 3 | 4): Uint8Array {
  const synchsafe = (value: number) => [value >> 21, (value >> 14) & 127, (value >> 7) & 127, value & 127];
  const frame = (id: string, bytes: Uint8Array) =>
    bytesOf(id, version === 4 ? synchsafe(bytes.length) : big(bytes.length), [0, 0], bytes);
  const utf16 = (value: string) => bytesOf([1, 0xff, 0xfe], Buffer.from(value, 'utf16le'));
  const text = (value: string) => (version === 4 ? bytesOf([3], value) : utf16(value));
  const frames = bytesOf(
    ...[frame('TIT2', text('Sång')), frame('TPE1', text('Ann')), frame('TCOP', text('2024 Ann'))],
    frame('COMM', bytesOf([0], 'eng', [0], 'At sea')),
  );
  return bytesOf('ID3', [version, 0, 0], synchsafe(frames.length), frames, mp3Frames());
}

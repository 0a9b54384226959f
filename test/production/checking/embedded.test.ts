import { describe, expect, it } from 'vitest';
import { probeWithShipped, withEmbedded } from '../../../src/composition/shipped-probers.ts';
import { sourceOf } from './counted-source.ts';
import {
  exif,
  exifSegment,
  heifWith,
  iptcSegment,
  jpegWith,
  movWith,
  movWithKeys,
  mp3With,
  mp4With,
  pdfWith,
  pngChunk,
  pngExif,
  pngWith,
  pngXmp,
  tiffWith,
  wavWith,
  webpWith,
  xmpSegment,
} from './embedded-samples.ts';

const endless = new AbortController().signal;

async function embeddedIn(bytes: Uint8Array, name: string, wanted: readonly string[]) {
  const { source, ranges } = sourceOf(bytes, name);
  const options = { maxBytes: 64 * 1024 * 1024, signal: endless, embedded: wanted };
  const probe = await probeWithShipped(source, options);
  ranges.length = 0;
  const { embedded, warnings } = await withEmbedded(source, probe, options);
  return { embedded, warnings, bytesRead: ranges.reduce((sum, { from, end }) => sum + end - from, 0) };
}

const ofXmp = {
  'xmp:dc:title': ['Harbour & sea'],
  'xmp:dc:subject': ['boats', 'night'],
  'xmp:dc:creator': ['Ann'],
  'xmp:photoshop:City': ['Bergen'],
  'xmp:photoshop:DateCreated': ['2024-05-06T07:08:09Z'],
  'xmp:own:Number': ['7'],
};
const ofExif = {
  'exif:ImageDescription': ['A ship in fog'],
  'exif:Orientation': ['6'],
  'exif:Artist': ['Bob Ærlig'],
  'exif:Copyright': ['(c) Bob'],
  'exif:DateTimeOriginal': ['2024-05-06T07:08:09+02:00'],
  'exif:GPSPosition': ['-33.5, 18.25'],
};
const ofIptc = {
  'iptc:ObjectName': ['Harbour'],
  'iptc:Keywords': ['boats', 'fog'],
  'iptc:By-line': ['Bob'],
  'iptc:City': ['Bergen'],
  'iptc:Caption-Abstract': ['Ships in the harbour'],
  'iptc:CopyrightNotice': ['(c) Agency'],
  'iptc:DateCreated': ['2024-05-06'],
};
const ofId3 = {
  'id3:TIT2': ['Sång'],
  'id3:TPE1': ['Ann'],
  'id3:TCOP': ['2024 Ann'],
  'id3:COMM': ['At sea'],
  'tag:title': ['Sång'],
  'tag:artist': ['Ann'],
};

const ofKeys = {
  'quicktime:title': ['Hafen ü'],
  'quicktime:author': ['Ann'],
  'quicktime:keywords': ['boats', 'night'],
  'quicktime:creationdate': ['2024-05-06T07:08:09+02:00'],
};
const windows = (text: string) => new Uint8Array(Buffer.from(`${text}\0`, 'utf16le'));
const ofWindows = [
  [0x9c9b, 1, windows('Hafen ü')],
  [0x9c9d, 1, windows('Ann;Bo')],
  [0x9c9e, 1, windows('boats;night')],
] as const;

const samples: readonly (readonly [name: string, () => Uint8Array | Promise<Uint8Array>, values: object])[] = [
  ['a.jpg', () => jpegWith(exifSegment(), xmpSegment(), iptcSegment()), { ...ofExif, ...ofXmp, ...ofIptc }],
  ['a.png', () => pngWith(pngExif(), pngXmp()), { ...ofExif, ...ofXmp }],
  ['a.tif', () => tiffWith(), { ...ofExif, ...ofXmp, ...ofIptc }],
  ['a.webp', webpWith, { ...ofExif, ...ofXmp }],
  ['a.avif', () => heifWith('avif'), { ...ofExif, ...ofXmp }],
  ['a.heic', () => heifWith('heic'), { ...ofExif, ...ofXmp }],
  ['a.mp4', () => mp4With(), ofXmp],
  [
    'windows.jpg',
    () => jpegWith(exifSegment(exif(ofWindows))),
    { 'exif:XPTitle': ['Hafen ü'], 'exif:XPAuthor': ['Ann', 'Bo'], 'exif:XPKeywords': ['boats', 'night'] },
  ],
  [
    'a.pdf',
    () => pdfWith(),
    {
      ...ofXmp,
      'pdf:Title': ['Two (2) lines!'],
      'pdf:Author': ['Æ'],
      'pdf:Keywords': ['a', 'b'],
      'pdf:CreationDate': ['2024-05-06T07:08:09+02:00'],
    },
  ],
  [
    'a.wav',
    wavWith,
    {
      'bext:Description': ['Wind over a pier'],
      'bext:Originator': ['Recorder'],
      'bext:OriginatorReference': ['REF1'],
      'bext:OriginationDate': ['2024-05-06T07:08:09'],
      'bext:TimeReference': ['48000'],
      'bext:CodingHistory': ['A=PCM'],
      'ixml:PROJECT': ['Coast'],
      'ixml:SCENE': ['12A'],
      'ixml:TRACK_LIST/TRACK/NAME': ['left', 'right'],
    },
  ],
  ['v3.mp3', () => mp3With(3), ofId3],
  ['v4.mp3', () => mp3With(4), ofId3],
];

describe('properties inside files', () => {
  it.each(samples)('of %s are read by their names, and those alone that are wanted', async (name, make, values) => {
    const bytes = await make();
    const all = await embeddedIn(bytes, name, [...Object.keys(values), 'xmp:dc:nothing', 'exif:Nothing']);
    expect(all.embedded).toEqual(values);
    expect(all.warnings).toEqual([]);
    const [first, value] = Object.entries(values)[0]!;
    expect((await embeddedIn(bytes, name, [first])).embedded).toEqual({ [first]: value });
  });

  it.each([
    ['XMP of QuickTime', movWith(), ofXmp],
    ['keys of QuickTime', movWithKeys(), { ...ofKeys, 'quicktime:location.ISO6709': ['+59.9+10.7/'] }],
    ['atoms of MPEG-4', movWithKeys(true), ofKeys],
  ])('of a film are those in its header: %s', async (_title, bytes, values) => {
    const { source } = sourceOf(bytes);
    const probe = { by: '', format: '', mimeType: '', tracks: [], isPartial: false, bytesRead: 0, warnings: [] };
    const options = { maxBytes: 1_000_000, signal: endless, embedded: Object.keys(values) };
    expect((await withEmbedded(source, probe, options)).embedded).toEqual(values);
  });

  it('are read where they lie, and not the pixels before them', async () => {
    const before = 40 * 1024 * 1024;
    const { embedded, bytesRead } = await embeddedIn(tiffWith(before), 'a.tif', Object.keys(ofExif));
    expect(embedded).toEqual(ofExif);
    expect(bytesRead).toBeLessThan(before / 40);
  });

  it('are those at the beginning of a file that has too many pieces', async () => {
    const pieces = Array.from({ length: 2000 }, () => pngChunk('teST', new Uint8Array(8192)));
    const bytes = pngWith(pngXmp(), ...pieces, pngExif());
    const { embedded, bytesRead } = await embeddedIn(bytes, 'a.png', [...Object.keys(ofXmp), 'exif:Artist']);
    expect(embedded).toEqual(ofXmp);
    expect(bytesRead).toBeLessThanOrEqual(12 * 1024 * 1024);
  });
});

import type { MediaSource } from '../../src/spi/index.ts';
import { PagedView } from './paged-view.ts';
import { addValues, type Properties } from './xml.ts';
import { xmpProperties } from './xmp.ts';

/** A tag as the library has it: its value, and the same in words. */
interface Tag {
  readonly value?: unknown;
  readonly description?: unknown;
}

type Tags = Readonly<Record<string, Tag | readonly Tag[] | undefined>>;

interface Picture {
  readonly exif?: Tags;
  readonly iptc?: Tags;
  /** Degrees, of which those in the south and the west are negative. */
  readonly gps?: { readonly Latitude?: number; readonly Longitude?: number };
}

/** Tags of Windows that have several values. */
const listed: ReadonlySet<string> = new Set(['XPKeywords', 'XPAuthor']);

/** Text of the library for a value that lies outside of the file. */
const faulty = '<faulty value>';

/** Dates of EXIF, with the tags that have their offsets from UTC. */
const offsets: Readonly<Record<string, string>> = {
  DateTime: 'OffsetTime',
  DateTimeOriginal: 'OffsetTimeOriginal',
  DateTimeDigitized: 'OffsetTimeDigitized',
};

/** Reads EXIF, IPTC and XMP of a picture. `wanted`: names of properties, of which alone tags of EXIF are decoded. */
export async function pictureProperties(source: MediaSource, wanted: ReadonlySet<string>): Promise<Properties> {
  const { default: library } = await import('exifreader');
  const names = [...wanted].flatMap((name) => (name.startsWith('exif:') ? [name.slice(5)] : []));
  const packets: string[] = [];
  // Takes the packets of XMP, because the library forgets their namespaces.
  const domParser = {
    parseFromString(packet: string) {
      packets.push(packet);
      return { getElementsByTagName: () => [], childNodes: [] };
    },
  };
  const view = new PagedView(source);
  const includeTags = { exif: [...names, ...Object.values(offsets)], gps: true, iptc: true, xmp: true };
  const {
    exif = {},
    iptc = {},
    gps,
  } = await view.readWith((bytes): Picture => {
    packets.length = 0;
    try {
      return library.loadView(bytes, { expanded: true, includeTags, domParser } as never) as never;
    } catch (error) {
      if (error instanceof library.errors.MetadataMissingError) return {};
      throw error;
    }
  });
  const properties: Properties = new Map();
  for (const packet of packets) {
    try {
      for (const [name, values] of xmpProperties(packet)) addValues(properties, name, values);
    } catch {
      // Failed: it is no XML, such as an extended packet behind its first part.
    }
  }
  const { Latitude, Longitude } = gps ?? {};
  if (Number.isFinite(Latitude) && Number.isFinite(Longitude))
    addValues(properties, 'exif:GPSPosition', [`${Latitude}, ${Longitude}`]);
  for (const [name, tag] of Object.entries(exif)) {
    const text = exifText(name, tag, exif);
    addValues(properties, `exif:${name}`, listed.has(name) ? text.split(';') : [text]);
  }
  for (const [name, tag] of Object.entries(iptc)) {
    const texts = [tag ?? []].flat().map(({ description }) => String(description ?? ''));
    addValues(properties, `iptc:${name.replaceAll(' ', '').replaceAll('/', '-')}`, texts);
  }
  return properties;
}

function exifText(name: string, tag: Tags[string], exif: Tags): string {
  const { value, description = '' } = (tag ?? {}) as Tag;
  if (typeof value === 'number') return String(value);
  const text = value === faulty ? '' : String(description);
  const date = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(text);
  if (!date) return text;
  const offset = String((exif[offsets[name] ?? ''] as Tag | undefined)?.description ?? '');
  return `${date[1]}-${date[2]}-${date[3]}T${date[4]}${/^[+-]\d\d:\d\d$/.test(offset) ? offset : ''}`;
}

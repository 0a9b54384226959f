import { namingFields } from '../../../assets/metadata/public-reading.ts';
import { document, element, list, string, structure, type Value } from '../../../core/documents/describe.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { ReleaseField } from '../../../room/context.ts';
import { findMapping } from './store.ts';

const row = structure('EmbeddedMetadataMappingType', {
  property: element(string).required.says('Property inside files, such as `xmp:dc:title` or `exif:Artist`.'),
  field: element(string).required.says('Metadata field that takes its values.'),
});

export const embeddedMetadataDocument = document('EmbeddedMetadataDocument', {
  mapping: list(row).says('Of several rows of one field, the first whose property a file has counts.'),
});
export type MappingRow = Value<typeof row>;

/** Fields that the defaults fill. */
export const embeddedFields: readonly ReleaseField[] = [
  { name: 'portal_description', type: 'string', system: false },
  { name: 'portal_keywords', type: 'string-exact', system: false },
  { name: 'portal_creator', type: 'string', system: false },
  { name: 'portal_copyright', type: 'string', system: false },
  { name: 'portal_place', type: 'string', system: false },
  { name: 'portal_date_taken', type: 'date', system: false },
  { name: 'portal_orientation', type: 'integer', system: false },
];

const title = ['xmp:dc:title', 'iptc:ObjectName', 'exif:XPTitle', 'tag:title', 'pdf:Title', 'quicktime:title'];
const defaults: Readonly<Record<string, readonly string[]>> = {
  portal_description: [
    ...['xmp:dc:description', 'iptc:Caption-Abstract', 'exif:ImageDescription', 'bext:Description', 'ixml:NOTE'],
    ...['tag:description', 'pdf:Subject', 'quicktime:description'],
  ],
  portal_keywords: ['xmp:dc:subject', 'iptc:Keywords', 'exif:XPKeywords', 'pdf:Keywords', 'quicktime:keywords'],
  portal_creator: [
    ...['xmp:dc:creator', 'iptc:By-line', 'exif:Artist', 'exif:XPAuthor', 'tag:artist', 'bext:Originator'],
    ...['pdf:Author', 'quicktime:author'],
  ],
  portal_copyright: ['xmp:dc:rights', 'iptc:CopyrightNotice', 'exif:Copyright', 'id3:TCOP', 'quicktime:copyright'],
  portal_place: ['xmp:Iptc4xmpCore:Location', 'xmp:photoshop:City', 'iptc:Sub-location', 'iptc:City'],
  portal_date_taken: [
    ...['exif:DateTimeOriginal', 'xmp:exif:DateTimeOriginal', 'xmp:photoshop:DateCreated', 'iptc:DateCreated'],
    ...['xmp:xmp:CreateDate', 'bext:OriginationDate', 'quicktime:creationdate'],
  ],
  portal_orientation: ['exif:Orientation', 'xmp:tiff:Orientation'],
};

/** Fields that name items and that files may fill. */
export const openNamingFields = async (reader: Reader): Promise<readonly string[]> =>
  (await namingFields(reader)).filter((name) => name !== 'originalFilename');

/** Key of the only row. */
export const mappingId = { id: 'embedded' } as const;

/** Properties inside files and their fields, as an administrator has set them, or by default. */
export async function currentMapping(reader: Reader): Promise<readonly MappingRow[]> {
  const stored = await findMapping(reader, mappingId);
  if (stored) return JSON.parse(stored.document) as readonly MappingRow[];
  const [naming = 'title'] = await openNamingFields(reader);
  return Object.entries({ [naming]: title, ...defaults }).flatMap(([field, properties]) =>
    properties.map((property) => ({ property, field })),
  );
}

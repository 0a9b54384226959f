import { loadFields, noSuchField } from '../../../assets/definitions/public-reading.ts';
import type { Value } from '../../../core/documents/describe.ts';
import { badValue } from '../../../core/documents/error.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { type Route, role, route } from '../../../http/route.ts';
import type { RoomContext } from '../../../room/context.ts';
import { administrator } from '../../../security/subject.ts';
import { propertyForm } from '../probing/checked-result.ts';
import { currentMapping, embeddedMetadataDocument, type MappingRow, mappingId } from './mapping.ts';
import { putMapping, removeMapping } from './store.ts';

const maxRows = 200;

/** Refuses rows of an unknown property or field, which would say nothing at each import. */
async function rowsFrom(reader: Reader, { mapping = [] }: Value<typeof embeddedMetadataDocument>) {
  const place = '/EmbeddedMetadataDocument/mapping';
  if (mapping.length > maxRows) throw badValue(place, `at most ${maxRows} rows`, String(mapping.length));
  const wrong = mapping.find(({ property }) => !propertyForm.test(property));
  if (wrong) {
    const expected =
      'a property such as xmp:dc:title, exif:Artist, iptc:Keywords, id3:TIT2, bext:Description or pdf:Title';
    throw badValue(`${place}/property`, expected, wrong.property);
  }
  const fields = await loadFields(
    reader,
    mapping.map(({ field }) => field),
  );
  for (const { field } of mapping) {
    const definition = fields.get(field);
    if (!definition) throw noSuchField(field);
    if (definition.system) throw badValue(`${place}/field`, 'a field that the service does not write', field);
  }
  return mapping.map(({ property, field }): MappingRow => ({ property, field }));
}

export function embeddedRoutes({ store }: Pick<RoomContext, 'store'>): readonly Route[] {
  const path = '/import/embedded-metadata';
  const write = { path, access: role(administrator), acting: 'refused' } as const;
  return [
    route({
      method: 'GET',
      path,
      says: 'The properties inside files that imports read, and the metadata fields that take them.',
      answers: embeddedMetadataDocument,
      access: role('_import'),
      handle: async () => ({ mapping: await currentMapping(store) }),
    }),
    route({
      ...write,
      method: 'PUT',
      says: 'Sets the properties inside files that imports read, and their fields. Without rows imports read none.',
      reads: embeddedMetadataDocument,
      async handle(call) {
        const document = JSON.stringify(await rowsFrom(store, call.body));
        await call.commit(changing(putMapping({ ...mappingId, document })));
      },
    }),
    route({
      ...write,
      method: 'DELETE',
      says: 'Sets the properties inside files and their fields to the defaults of this release.',
      handle: (call) => call.commit(changing(removeMapping(mappingId))),
    }),
  ];
}

import { entityNamed, noSuchEntity } from '../../entities/find.ts';
import { role } from '../../http/route.ts';
import type { Reader } from '../../store/statement.ts';
import type { MetadataPlace } from '../metadata/places.ts';
import { documentKind, documentMustExist, documentName } from './store.ts';

export const read = role('_document_read');
export const write = role('_document_write');

export const documentPath = '/document/:document';

/** The path of a document is that of its metadata. Roles decide alone. */
export const documentPlace = (reader: Reader): MetadataPlace => ({
  kind: 'document',
  path: documentPath,
  metadataPath: documentPath,
  of: 'of a document',
  read,
  write,
  async find(_call, params) {
    const { id } = await entityNamed(reader, documentKind(reader), params['document']!);
    return { kind: 'document', id };
  },
  mustExist: ({ id }) => [documentMustExist(id, noSuchEntity(documentName, id))],
});

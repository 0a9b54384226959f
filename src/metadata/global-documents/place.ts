import { entityNamed, noSuchEntity } from '../../entities/find.ts';
import { role, segment } from '../../http/route.ts';
import type { Reader } from '../../store/statement.ts';
import type { MetadataResource } from '../places.ts';
import { documentKind, documentMustExist, globalDocumentName } from './store.ts';

export const read = role('_document_read');
export const write = role('_document_write');

export const documentPath = '/document/:document';

/** Location of documents: metadata has the same path as the document. Only roles decide. */
export const documentPlace = (reader: Reader): MetadataResource => ({
  kind: 'document',
  path: documentPath,
  metadataPath: documentPath,
  of: 'of a document',
  read,
  write,
  async find(_call, params) {
    const { id } = await entityNamed(reader, documentKind(reader), segment(params, 'document'));
    return { kind: 'document', id };
  },
  mustExist: ({ id }) => [documentMustExist(id, noSuchEntity(globalDocumentName, id))],
});

import type { Reader } from '../../../core/store/statement.ts';
import { role } from '../../../http/route.ts';
import { pathEntity } from '../../../room/entities/find.ts';
import type { MetadataResource } from '../places.ts';
import { documentKind } from './store.ts';

export const read = role('_document_read');
export const write = role('_document_write');

export const documentPath = '/document/:document';

/** Global documents in paths. Only roles decide. */
export const documentAt = (reader: Reader) => pathEntity(reader, documentKind(reader));

/** Location of documents: metadata has the same path as the document. */
export const documentPlace = (reader: Reader): MetadataResource => ({
  kind: 'document',
  path: documentPath,
  metadataPath: documentPath,
  of: 'of a document',
  read,
  write,
  entity: () => documentAt(reader),
});

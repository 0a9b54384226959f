import { asc, sql } from 'drizzle-orm';
import { guard, mustExist } from '../../../core/store/guard.ts';
import { deleteBy, insertInto, rowBy } from '../../../core/store/rows.ts';
import { query, type Reader, value } from '../../../core/store/statement.ts';
import type { EntityKind } from '../../../room/entity.ts';
import { metadataDocument } from './tables.ts';

const findDocument = rowBy(metadataDocument, 'id');

type DocumentRow = NonNullable<Awaited<ReturnType<typeof findDocument>>>;

export const globalDocumentName = { type: 'document', noun: 'Document' } as const;

export const documentKind = (reader: Reader): EntityKind<DocumentRow> => ({
  ...globalDocumentName,
  find: (id) => findDocument(reader, { id }),
  mustExist: documentMustExist,
});

export const documentMustExist = mustExist(metadataDocument.id);

export const isNoDocument = guard<{ id: string }>(
  sql`NOT EXISTS (SELECT 1 FROM metadata_document WHERE id = ${value('id')})`,
);

export const insertDocument = insertInto(metadataDocument);

export const deleteDocumentRow = deleteBy(metadataDocument, 'id');

export const documentPage = query((db) =>
  db
    .select({ id: metadataDocument.id })
    .from(metadataDocument)
    .orderBy(asc(metadataDocument.id))
    .limit(value('limit'))
    .offset(value('offset')),
);

export const countDocuments = query((db) => db.select({ hits: sql<number>`count(*)` }).from(metadataDocument)).first;

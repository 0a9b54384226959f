import { asc, eq, sql } from 'drizzle-orm';
import type { EntityKind } from '../../room/entity.ts';
import { mustExist, prepareGuard } from '../../store/guard.ts';
import { prepareLookup, prepareQuery, prepareStatement, type Reader } from '../../store/statement.ts';
import { metadataDocument } from './tables.ts';

const value = sql.placeholder;

const findDocument = prepareLookup((db) =>
  db
    .select()
    .from(metadataDocument)
    .where(eq(metadataDocument.id, value('id'))),
);

type DocumentRow = NonNullable<Awaited<ReturnType<typeof findDocument>>>;

export const globalDocumentName = { type: 'document', noun: 'Document' } as const;

export const documentKind = (reader: Reader): EntityKind<DocumentRow> => ({
  ...globalDocumentName,
  find: (id) => findDocument(reader, { id }),
  mustExist: documentMustExist,
});

export const documentMustExist = mustExist(metadataDocument.id);

export const isNoDocument = prepareGuard<{ id: string }>(
  sql`NOT EXISTS (SELECT 1 FROM metadata_document WHERE id = ${value('id')})`,
);

export const insertDocument = prepareStatement<{ id: string; now: number }>(
  sql`INSERT INTO metadata_document (id, created_at) VALUES (${value('id')}, ${value('now')})`,
);

export const deleteDocumentRow = prepareStatement<{ id: string }>(
  sql`DELETE FROM metadata_document WHERE id = ${value('id')}`,
);

export const documentPage = prepareQuery((db) =>
  db
    .select({ id: metadataDocument.id })
    .from(metadataDocument)
    .orderBy(asc(metadataDocument.id))
    .limit(value('limit'))
    .offset(value('offset')),
);

export const countDocuments = prepareLookup((db) => db.select({ hits: sql<number>`count(*)` }).from(metadataDocument));

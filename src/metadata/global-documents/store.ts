import { asc, eq, sql } from 'drizzle-orm';
import type { EntityKind } from '../../room/entity.ts';
import { guard, mustExist } from '../../store/guard.ts';
import { query, type Reader, statement, writes } from '../../store/statement.ts';
import { metadataDocument } from './tables.ts';

const value = sql.placeholder;

const findDocument = query((db) =>
  db
    .select()
    .from(metadataDocument)
    .where(eq(metadataDocument.id, value('id'))),
).first;

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

export const insertDocument = statement<{ id: string; now: number }>(
  sql`INSERT INTO ${writes('metadata_document')} (id, created_at) VALUES (${value('id')}, ${value('now')})`,
);

export const deleteDocumentRow = statement<{ id: string }>(
  sql`DELETE FROM ${writes('metadata_document')} WHERE id = ${value('id')}`,
);

export const documentPage = query((db) =>
  db
    .select({ id: metadataDocument.id })
    .from(metadataDocument)
    .orderBy(asc(metadataDocument.id))
    .limit(value('limit'))
    .offset(value('offset')),
);

export const countDocuments = query((db) => db.select({ hits: sql<number>`count(*)` }).from(metadataDocument)).first;

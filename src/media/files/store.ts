import { eq, sql } from 'drizzle-orm';
import type { ServiceError } from '../../lib/errors.ts';
import type { Statement } from '../../store/contract.ts';
import { expectVersion } from '../../store/guard.ts';
import { prepareLookup, prepareQuery, prepareSqlStatement, prepareStatement } from '../../store/statement.ts';
import { file, fileUse } from '../tables.ts';

const value = sql.placeholder;

export const findFile = prepareLookup((db) =>
  db
    .select()
    .from(file)
    .where(eq(file.id, value('id'))),
);

export type FileRow = NonNullable<Awaited<ReturnType<typeof findFile>>>;

/** The file that has a path. One that waits for its deletion has none. */
export const fileAt = prepareLookup((db) =>
  db
    .select()
    .from(file)
    .where(
      sql`${file.storageId} = ${value('storageId')} AND ${file.path} = ${value('path')} AND state <> 'TO_BE_DELETED'`,
    ),
);

/** The components that use files, for a page of files in one read. */
export const usesOf = prepareQuery((db) =>
  db
    .select()
    .from(fileUse)
    .where(sql`${fileUse.fileId} IN (SELECT value FROM json_each(${value('ids')}))`),
);

const insertRow = prepareStatement((db) =>
  db.insert(file).values({
    id: value('id'),
    serial: value('serial'),
    storageId: value('storageId'),
    path: value('path'),
    name: value('name'),
    extension: value('extension'),
    state: value('state'),
    size: sql`${value('size')}`,
    modified: sql`${value('modified')}`,
    content: sql`${value('content')}`,
    identity: sql`${value('identity')}`,
    hash: sql`${value('hash')}`,
    hashDue: sql`${value('hashDue')}`,
    changedAt: value('changedAt'),
    timestamp: value('timestamp'),
    version: 1,
    deleteDue: sql`${value('deleteDue')}`,
  }),
);

const writeRow = prepareSqlStatement(
  sql`UPDATE file SET state = ${value('state')}, size = ${value('size')}, modified = ${value('modified')},
      content = ${value('content')}, identity = ${value('identity')}, hash = ${value('hash')},
      hash_due = ${value('hashDue')}, changed_at = ${value('changedAt')}, timestamp = ${value('timestamp')},
      delete_due = ${value('deleteDue')}, version = version + 1
    WHERE id = ${value('id')}`,
);

export const deleteRow = prepareSqlStatement<{ id: string }>(sql`DELETE FROM file WHERE id = ${value('id')}`);

export const fileUnchanged = expectVersion(file.id, file.version);

export type NewFile = Omit<FileRow, 'serial' | 'name' | 'extension' | 'version'>;

/** `pathTaken`: the refusal where another file has the path. */
export const insertFile = (row: NewFile, pathTaken: ServiceError): Statement =>
  insertRow({ ...row, ...namesIn(row.path), serial: serialOf(row.id) }, pathTaken);

/** The row as it is to be. It holds only where the row is still the one that was read. */
export const updateFile = (row: FileRow, to: Partial<NewFile>, changed: ServiceError): Statement[] => [
  fileUnchanged(row.id, row.version, changed),
  writeRow({ ...row, ...to, id: row.id }, changed),
];

/** Ids are ordered by their numbers. */
export const serialOf = (id: string): number => Number(id.slice(id.lastIndexOf('-') + 1));

/** The last part of a path, and what follows its last dot. */
export function namesIn(path: string): { readonly name: string; readonly extension: string } {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return { name, extension: dot > 0 ? name.slice(dot + 1).toLowerCase() : '' };
}

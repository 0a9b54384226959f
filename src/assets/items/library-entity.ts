import type { Reader } from '../../core/store/statement.ts';
import { role } from '../../http/route.ts';
import { entityNamed } from '../../room/entities/find.ts';
import type { EntityKind } from '../../room/entity.ts';
import { guardedEntity } from '../access/public.ts';
import { mustHave } from '../access/public-reading.ts';
import { findLibrary, type LibraryRow, libraryMustExist } from './libraries-sql.ts';

export const readLibraries = role('_library_read');
export const writeLibraries = role('_library_write');

export const libraryName = { type: 'library', noun: 'Library' } as const;

export const libraryKind = (reader: Reader): EntityKind<LibraryRow> => ({
  ...libraryName,
  find: (id) => findLibrary(reader, { id }),
  mustExist: libraryMustExist,
  mayRead: (call, { id }, name) => mustHave(reader, call, libraryName, { id }, 'READ', undefined, name),
});

/** Libraries in paths. */
export const libraryAt = (reader: Reader) => guardedEntity(reader, libraryKind(reader));

/** Finds a library by id or external id; 404 if there is none. */
export const libraryNamed = (reader: Reader, name: string): Promise<LibraryRow> =>
  entityNamed(reader, libraryKind(reader), name);

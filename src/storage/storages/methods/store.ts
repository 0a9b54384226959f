import { sql } from 'drizzle-orm';
import type { ServiceError } from '../../../core/lib/errors.ts';
import { serialOf } from '../../../core/lib/serial.ts';
import type { Statement } from '../../../core/store/contract.ts';
import { expectVersion, guard, mustExist } from '../../../core/store/guard.ts';
import { statement, value, writes } from '../../../core/store/statement.ts';
import { storageMethod } from '../../tables.ts';
import type { MethodRow } from '../store.ts';

const insertRow = statement(
  sql`INSERT INTO ${writes('storage_method')} (id, serial, storage_id, uri, user_name, sealed, read, write, browse, bandwidth, type,
      last_failure, failure_message, version)
    VALUES (${value('id')}, ${value('serial')}, ${value('storageId')}, ${value('uri')}, ${value('userName')},
      ${value('sealed')}, ${value('read')}, ${value('write')}, ${value('browse')}, ${value('bandwidth')},
      ${value('type')}, ${value('lastFailure')}, ${value('failureMessage')}, 1)`,
);

/** Results of scans are kept only if the address stays the same. */
const writeRow = statement(
  sql`UPDATE ${writes('storage_method')} SET uri = ${value('uri')}, user_name = ${value('userName')}, sealed = ${value('sealed')},
      last_success = CASE WHEN uri = ${value('uri')} THEN last_success END,
      identity = CASE WHEN uri = ${value('uri')} THEN identity END,
      read = ${value('read')}, write = ${value('write')}, browse = ${value('browse')},
      bandwidth = ${value('bandwidth')}, type = ${value('type')}, last_failure = ${value('lastFailure')},
      failure_message = ${value('failureMessage')}, version = version + 1
    WHERE id = ${value('id')}`,
);

/** Columns of a method that callers decide. */
export type MethodValues = Pick<
  MethodRow,
  'uri' | 'userName' | 'sealed' | 'read' | 'write' | 'browse' | 'bandwidth' | 'type' | 'lastFailure' | 'failureMessage'
>;

export const insertMethod = (id: string, storageId: string, values: MethodValues, uriTaken: ServiceError): Statement =>
  insertRow({ ...values, id, storageId, serial: serialOf(id) }, uriTaken);

export const methodMustExist = mustExist(storageMethod.id);
const methodUnchanged = expectVersion(storageMethod.id, storageMethod.version);

export const updateMethod = (
  { id, version }: MethodRow,
  values: MethodValues,
  uriTaken: ServiceError,
  changed: ServiceError,
): Statement[] => [methodUnchanged(id, version, changed), writeRow({ ...values, id }, uriTaken)];

const removals = [
  sql`DELETE FROM ${writes('key_value')} WHERE entity_type = 'storage-method' AND entity_id = ${value('id')}`,
  sql`DELETE FROM ${writes('storage_method')} WHERE id = ${value('id')}`,
].map((template) => statement<{ id: string }>(template));

/** With its metadata. */
export const removeMethod = (key: { readonly id: string }): Statement[] => removals.map((statement) => statement(key));

/** Limit of metadata values of all methods of a storage, since one read of a storage returns them all. */
export const maxMethodPairs = 500;
const metadataOfMethods = sql`FROM storage_method CROSS JOIN key_value
  WHERE storage_id = ${value('id')} AND entity_type = 'storage-method' AND entity_id = storage_method.id`;
export const methodMetadataFits = guard<{ id: string; max: number }>(
  sql`(SELECT COUNT(*) <= ${maxMethodPairs} AND TOTAL(octet_length(key) + octet_length(value)) <= ${value('max')}
    ${metadataOfMethods})`,
);

/** Limit of methods of a storage, since they are all read at once. */
export const maxMethods = 50;
export const methodsFit = guard<{ id: string }>(
  sql`(SELECT COUNT(*) FROM storage_method WHERE storage_id = ${value('id')}) <= ${maxMethods}`,
);

import { faults } from '../../lib/errors.ts';
import { document, element, exactlyOneOf, nullsInJson, string, structure, type Value } from '../describe.ts';

const text = element(string);
const refusal = { context: text, id: text, explanation: text };

/** The order is that of JSON, where all nine are always present; XML has exactly one. */
export const exceptionDocument = document(
  'ExceptionDocument',
  {
    notFound: element(structure('NotFoundType', { type: text, id: text, context: text }, nullsInJson)),
    internalServer: element(structure('InternalServerType', { id: text, explanation: text }, nullsInJson)),
    forbidden: element(structure('ForbiddenType', refusal, nullsInJson)),
    notYetImplemented: element(structure('NotYetImplementedType', { explanation: text }, nullsInJson)),
    conflict: element(structure('ConflictType', { type: text, id: text, explanation: text }, nullsInJson)),
    invalidInput: element(structure('InvalidInputType', { ...refusal, value: text }, nullsInJson)),
    licenseFault: element(structure('LicenseFaultType', { explanation: text }, nullsInJson)),
    fileAlreadyExists: element(
      structure('FileAlreadyExistsType', { storageId: text, fileId: text, path: text }, nullsInJson),
    ),
    notAuthorized: element(structure('NotAuthorizedType', refusal, nullsInJson)),
  },
  exactlyOneOf(...faults),
  nullsInJson,
);
export type ExceptionDocument = Value<typeof exceptionDocument>;

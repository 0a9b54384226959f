import { faults } from '../../lib/errors.ts';
import { document, element, exactlyOneOf, nullsInJson, string, structure, type Value } from '../describe.ts';

const text = element(string);
const refusal = { context: text, id: text, explanation: text };
const input = { ...refusal, value: text };
const failure = { message: text };

/** The order is that of JSON, where all nine are always present; XML has exactly one. Names are those that clients read. */
export const exceptionDocument = document(
  'ExceptionDocument',
  {
    notFound: element(structure('NotFoundType', { type: text, id: text, context: text }, nullsInJson)),
    internalServer: element(structure('InternalServerType', failure, nullsInJson)),
    forbidden: element(structure('ForbiddenType', refusal, nullsInJson)),
    notYetImplemented: element(structure('NotYetImplementedType', { explanation: text })),
    conflict: element(structure('ConflictType', input, nullsInJson)),
    invalidInput: element(structure('InvalidInputType', input, nullsInJson)),
    licenseFault: element(structure('LicenseFaultType', failure, nullsInJson)),
    fileAlreadyExists: element(
      structure('FileAlreadyExistsType', { storageId: text, fileId: text, path: text }, nullsInJson),
    ),
    notAuthorized: element(structure('NotAuthorizedType', failure, nullsInJson)),
  },
  exactlyOneOf(...faults),
  nullsInJson,
);
export type ExceptionDocument = Value<typeof exceptionDocument>;

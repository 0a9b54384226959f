/** The children of an ExceptionDocument, in the order in which clients have always seen them in JSON. */
export const faults = [
  'notFound',
  'internalServer',
  'forbidden',
  'notYetImplemented',
  'conflict',
  'invalidInput',
  'licenseFault',
  'fileAlreadyExists',
  'notAuthorized',
] as const;

export type Fault = (typeof faults)[number];

/**
 * Every refusal that a caller can meet: its stable code (API: clients and tests may rely on it),
 * the status, and the element of the error document that carries it.
 */
export const errorCatalogue = {
  'bad-target': { status: 400, fault: 'invalidInput' },
  'bad-parameter': { status: 400, fault: 'invalidInput' },
  'bad-header': { status: 400, fault: 'invalidInput' },
  'bad-document': { status: 400, fault: 'invalidInput' },
  'bad-value': { status: 400, fault: 'invalidInput' },
  'storage-unable': { status: 400, fault: 'invalidInput' },
  vetoed: { status: 400, fault: 'invalidInput' },
  'malformed-request': { status: 400, fault: 'invalidInput' },
  'body-broken': { status: 400, fault: 'invalidInput' },
  'body-missing': { status: 400, fault: 'invalidInput' },
  'body-unexpected': { status: 400, fault: 'invalidInput' },
  'not-authenticated': { status: 401, fault: 'notAuthorized' },
  'role-missing': { status: 403, fault: 'forbidden' },
  'role-fixed': { status: 403, fault: 'forbidden' },
  'name-reserved': { status: 403, fault: 'forbidden' },
  'run-as-role-missing': { status: 403, fault: 'forbidden' },
  'run-as-option-off': { status: 403, fault: 'forbidden' },
  'credentials-wrong': { status: 403, fault: 'forbidden' },
  'not-allowed': { status: 403, fault: 'forbidden' },
  'storage-denied': { status: 403, fault: 'forbidden' },
  'no-such-path': { status: 404, fault: 'notFound' },
  'no-such-entity': { status: 404, fault: 'notFound' },
  'method-not-allowed': { status: 405, fault: 'invalidInput' },
  'not-acceptable': { status: 406, fault: 'invalidInput' },
  'request-timeout': { status: 408, fault: 'invalidInput' },
  'file-busy': { status: 409, fault: 'conflict' },
  'part-conflict': { status: 409, fault: 'conflict' },
  'already-exists': { status: 409, fault: 'conflict' },
  'file-exists': { status: 409, fault: 'fileAlreadyExists' },
  'file-used': { status: 409, fault: 'conflict' },
  'group-cycle': { status: 409, fault: 'conflict' },
  'user-disabled': { status: 409, fault: 'conflict' },
  'storage-used': { status: 409, fault: 'conflict' },
  'no-other-storage': { status: 409, fault: 'conflict' },
  'job-ended': { status: 409, fault: 'conflict' },
  'changed-meanwhile': { status: 409, fault: 'conflict' },
  'condition-failed': { status: 412, fault: 'invalidInput' },
  'body-too-large': { status: 413, fault: 'invalidInput' },
  'target-too-long': { status: 414, fault: 'invalidInput' },
  'media-type-unsupported': { status: 415, fault: 'invalidInput' },
  'range-outside': { status: 416, fault: 'invalidInput' },
  'expectation-failed': { status: 417, fault: 'invalidInput' },
  'too-many-transfers': { status: 429, fault: 'invalidInput' },
  'too-many-attempts': { status: 429, fault: 'notAuthorized' },
  'too-many-queries': { status: 429, fault: 'invalidInput' },
  'headers-too-large': { status: 431, fault: 'invalidInput' },
  'checksum-mismatch': { status: 460, fault: 'invalidInput' },
  internal: { status: 500, fault: 'internalServer' },
  'not-configured': { status: 503, fault: 'internalServer' },
  'query-too-long': { status: 503, fault: 'internalServer' },
  busy: { status: 503, fault: 'internalServer' },
  'receiver-unavailable': { status: 503, fault: 'internalServer' },
  'storage-failed': { status: 503, fault: 'internalServer' },
  'storage-offline': { status: 503, fault: 'internalServer' },
  'store-unavailable': { status: 503, fault: 'internalServer' },
  'no-space': { status: 507, fault: 'internalServer' },
} as const satisfies Record<string, { status: number; fault: Fault }>;

export type ErrorCode = keyof typeof errorCatalogue;

/** What the error document says besides its kind. Texts: upper case first, state what was expected, quote values. */
export interface ErrorDetail {
  /** The kind of the entity that a 404 or 409 is about: `User`, `Group`. */
  type?: string;
  /** Its name or id; of bad input, the element or parameter. */
  id?: string;
  /** Where: a place in the document (`/UserDocument/userName, line 3, column 7`), a parameter, a header. */
  context?: string;
  explanation?: string;
  /** What was found there, cut short. Never a secret. */
  value?: string;
  /** Of a file that is there already. */
  storageId?: string;
  fileId?: string;
  path?: string;
}

/** A refusal. Rules throw it, or attach it to a guard of a commit; one place renders it. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly detail: ErrorDetail;
  /** Headers that belong to the refusal (`Allow`, `Retry-After`). */
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, detail: ErrorDetail = {}, headers: Record<string, string> = {}) {
    // A refusal is an answer, made ahead for every guard of a commit: only a fault of ours has use for a stack.
    const limit = Error.stackTraceLimit;
    if (code !== 'internal') Error.stackTraceLimit = 0;
    super(`${code}: ${detail.explanation ?? detail.context ?? detail.id ?? ''}`);
    Error.stackTraceLimit = limit;
    this.name = 'ServiceError';
    this.code = code;
    this.detail = detail;
    this.headers = headers;
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }

  get fault(): Fault {
    return errorCatalogue[this.code].fault;
  }
}

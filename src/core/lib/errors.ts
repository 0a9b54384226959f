/** Faults, in the order of an ExceptionDocument's children in JSON that clients expect. */
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
 * All refusals, by their stable code: clients and tests may rely on it. Each has a status, the element of the error
 * document, and a sentence for `docs/reference/errors.md`.
 */
export const errorCatalogue = {
  'bad-target': { status: 400, fault: 'invalidInput', says: 'The request target cannot be read as one path.' },
  'bad-parameter': {
    status: 400,
    fault: 'invalidInput',
    says: 'A parameter has a value that the route does not accept.',
  },
  'bad-header': { status: 400, fault: 'invalidInput', says: 'A header has a value that the service does not accept.' },
  'bad-document': { status: 400, fault: 'invalidInput', says: 'The body is no document of the expected kind.' },
  'bad-value': { status: 400, fault: 'invalidInput', says: 'A value in the request breaks a rule of its kind.' },
  'digest-mismatch': {
    status: 400,
    fault: 'invalidInput',
    says: 'The bytes do not have the digest that `Content-Digest` or `Repr-Digest` announces.',
  },
  'bad-filter': { status: 400, fault: 'invalidInput', says: 'A SCIM filter cannot be read, or no index answers it.' },
  'bad-cursor': { status: 400, fault: 'invalidInput', says: 'The cursor of a SCIM list is none that the list gave.' },
  'bad-path': { status: 400, fault: 'invalidInput', says: 'The path of a SCIM operation cannot be read.' },
  'no-target': { status: 400, fault: 'invalidInput', says: 'The path of a SCIM operation names no value.' },
  'value-fixed': { status: 400, fault: 'invalidInput', says: 'The request would change a value that stays as it is.' },
  'storage-unable': {
    status: 400,
    fault: 'invalidInput',
    says: 'The driver of the storage cannot do what the request asks for.',
  },
  vetoed: { status: 400, fault: 'invalidInput', says: 'A synchronous notification refused the change.' },
  'malformed-request': { status: 400, fault: 'invalidInput', says: 'The request is not valid HTTP/1.1.' },
  'body-broken': { status: 400, fault: 'invalidInput', says: 'The body ended before its announced length.' },
  'body-missing': { status: 400, fault: 'invalidInput', says: 'The route needs a body.' },
  'body-unexpected': {
    status: 400,
    fault: 'invalidInput',
    says: 'The request has a body where its method or route takes none.',
  },
  'not-authenticated': {
    status: 401,
    fault: 'notAuthorized',
    says: 'No filter accepted the credentials of the request.',
  },
  'role-missing': { status: 403, fault: 'forbidden', says: 'The caller lacks the role that the route needs.' },
  'role-fixed': { status: 403, fault: 'forbidden', says: 'The request would create, delete or rename a role.' },
  'name-reserved': { status: 403, fault: 'forbidden', says: 'The release reserves this name.' },
  'run-as-role-missing': {
    status: 403,
    fault: 'forbidden',
    says: 'The caller lacks the role that the header `RunAs` needs.',
  },
  'run-as-option-off': { status: 403, fault: 'forbidden', says: 'The account may not use the header `RunAs`.' },
  'credentials-wrong': {
    status: 403,
    fault: 'forbidden',
    says: 'The password in the request is not that of the user, or of the share.',
  },
  'second-factor-missing': {
    status: 403,
    fault: 'forbidden',
    says: 'The user has, or must have, a second factor: a password alone logs in to the web page only.',
  },
  'login-too-old': { status: 403, fault: 'forbidden', says: 'The change needs a login that is more recent.' },
  'not-approved': {
    status: 403,
    fault: 'forbidden',
    says: 'A shape is exported and shared only once its version is approved.',
  },
  'not-usable': {
    status: 403,
    fault: 'forbidden',
    says: 'The rights of the media have ended, or begin later, and the caller lacks `_usage_override`.',
  },
  'not-allowed': { status: 403, fault: 'forbidden', says: 'The caller may use the route, but not for this change.' },
  'caller-ended': {
    status: 403,
    fault: 'forbidden',
    says: 'The caller of a scheduled request may no longer log in.',
  },
  'storage-denied': { status: 403, fault: 'forbidden', says: 'The storage denies access to the service.' },
  'no-such-path': { status: 404, fault: 'notFound', says: 'No route has this path.' },
  'no-such-entity-type': {
    status: 404,
    fault: 'notFound',
    says: 'The first segment of the path is no type of entity.',
  },
  'no-such-entity': { status: 404, fault: 'notFound', says: 'No entity has this name or id.' },
  'method-not-allowed': {
    status: 405,
    fault: 'invalidInput',
    says: 'The path has no route for this method. The header `Allow` lists the methods.',
  },
  'not-acceptable': {
    status: 406,
    fault: 'invalidInput',
    says: 'The route produces none of the accepted media types.',
  },
  'request-timeout': { status: 408, fault: 'invalidInput', says: 'The request took too long to arrive.' },
  'file-archived': {
    status: 409,
    fault: 'conflict',
    says: 'The file is in an archive: it can be read some time after a restore.',
  },
  'file-busy': { status: 409, fault: 'conflict', says: 'Another request writes the bytes of this file.' },
  'part-conflict': { status: 409, fault: 'conflict', says: 'A part of the upload contradicts an earlier part.' },
  'already-exists': { status: 409, fault: 'conflict', says: 'An entity with this name exists.' },
  'file-exists': { status: 409, fault: 'fileAlreadyExists', says: 'The path of the storage has a file.' },
  'file-used': { status: 409, fault: 'conflict', says: 'Something else still uses the file.' },
  'field-used': {
    status: 409,
    fault: 'conflict',
    says: 'Metadata has values of the field, which the new type does not keep.',
  },
  'group-cycle': { status: 409, fault: 'conflict', says: 'The change would make a group its own ancestor.' },
  'user-disabled': { status: 409, fault: 'conflict', says: 'The user is disabled.' },
  'storage-used': { status: 409, fault: 'conflict', says: 'The storage still has files.' },
  'no-other-storage': { status: 409, fault: 'conflict', says: 'No other storage can take the files.' },
  'job-ended': { status: 409, fault: 'conflict', says: 'The job has ended already, and nothing can stop it.' },
  'job-state': { status: 409, fault: 'conflict', says: 'The job is in a state, or of a type, that does not allow it.' },
  'request-repeated': {
    status: 409,
    fault: 'conflict',
    says: 'Another request has the same `Idempotency-Key`: it goes on, its answer is lost, or it asks for something else.',
  },
  'library-refreshed': {
    status: 409,
    fault: 'conflict',
    says: 'The items of the library are what its query finds: nobody adds or removes one.',
  },
  'entity-locked': { status: 409, fault: 'conflict', says: 'A lock keeps the entity from this change.' },
  'metadata-locked': { status: 409, fault: 'conflict', says: 'Another user holds a lock on the metadata.' },
  'changed-meanwhile': {
    status: 409,
    fault: 'conflict',
    says: 'Another request changed the entity first. Read it and decide again.',
  },
  'condition-failed': {
    status: 412,
    fault: 'invalidInput',
    says: 'A condition of the request, such as `If-Match`, does not hold.',
  },
  'body-too-large': { status: 413, fault: 'invalidInput', says: 'The body is longer than the limit.' },
  'target-too-long': { status: 414, fault: 'invalidInput', says: 'The request target is longer than the limit.' },
  'media-type-unsupported': {
    status: 415,
    fault: 'invalidInput',
    says: 'The route does not read bodies of this type.',
  },
  'range-outside': { status: 416, fault: 'invalidInput', says: 'The range lies outside of the file.' },
  'expectation-failed': {
    status: 417,
    fault: 'invalidInput',
    says: 'The service does not know this value of the header `Expect`.',
  },
  'too-many-transfers': { status: 429, fault: 'invalidInput', says: 'The user has too many open uploads.' },
  'too-many-scheduled': { status: 429, fault: 'invalidInput', says: 'The user has too many requests that wait.' },
  'too-many-jobs': { status: 429, fault: 'invalidInput', says: 'The user has too many jobs that have not ended.' },
  'too-many-attempts': {
    status: 429,
    fault: 'notAuthorized',
    says: 'Too many wrong passwords came before. The header `Retry-After` tells the pause.',
  },
  'too-many-entrances': {
    status: 429,
    fault: 'invalidInput',
    says: 'Many guests came in by the link from one network before. The header `Retry-After` tells the pause.',
  },
  'too-many-queries': {
    status: 429,
    fault: 'invalidInput',
    says: 'The account already uses its share of the reader threads.',
  },
  'headers-too-large': { status: 431, fault: 'invalidInput', says: 'The headers are longer than the limit.' },
  'checksum-mismatch': { status: 460, fault: 'invalidInput', says: 'The bytes do not have the announced checksum.' },
  internal: {
    status: 500,
    fault: 'internalServer',
    says: 'A fault in the service. The log has it under the request id.',
  },
  'not-implemented': {
    status: 501,
    fault: 'notYetImplemented',
    says: 'This needs another system. The explanation names it.',
  },
  'not-configured': { status: 503, fault: 'internalServer', says: 'The service runs without a usable security.ini.' },
  'query-too-long': { status: 503, fault: 'internalServer', says: 'The query took longer than its time limit.' },
  busy: {
    status: 503,
    fault: 'internalServer',
    says: 'The service is overloaded and changed nothing. Send the request again.',
  },
  'receiver-unavailable': {
    status: 503,
    fault: 'internalServer',
    says: 'The receiver of a synchronous notification did not answer.',
  },
  'provider-unavailable': {
    status: 503,
    fault: 'internalServer',
    says: 'A realm or a provider of logins did not answer, so the login is not decided.',
  },
  'storage-failed': { status: 503, fault: 'internalServer', says: 'The storage failed while the service used it.' },
  'storage-offline': { status: 503, fault: 'internalServer', says: 'The storage cannot be reached.' },
  'store-unavailable': { status: 503, fault: 'internalServer', says: 'The database cannot be used now.' },
  'index-incomplete': {
    status: 503,
    fault: 'internalServer',
    says: 'The service still builds the index that the search reads. Lists without criteria work.',
  },
  'quota-exceeded': {
    status: 507,
    fault: 'internalServer',
    says: 'The change would exceed a quota rule that is enforced.',
  },
  'no-space': { status: 507, fault: 'internalServer', says: 'The storage has too little free space.' },
} as const satisfies Record<string, { status: number; fault: Fault; says: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

/** Details of an error document. Texts begin with an upper-case letter, state the expectation, and quote values. */
export interface ErrorDetail {
  /** Kind of the entity of a 404 or 409: `User`, `Group`. */
  type?: string;
  /** Name or id of the entity. For invalid input: the element or parameter. */
  id?: string;
  /**
   * Location of the error: a place in the document (`/UserDocument/userName, line 3, column 7`), a parameter, a header.
   */
  context?: string;
  explanation?: string;
  /** Found value, shortened. Never a secret. */
  value?: string;
  /** Storage, id and path of an existing file. */
  storageId?: string;
  fileId?: string;
  path?: string;
}

/** Refusal of a request. Rules throw it, or attach it to a guard of a commit; it is rendered in one place. */
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

/** Refusal that guests of a share may see. Of all others they learn nothing. */
export class GuestRefusal extends ServiceError {}

/** True for a refusal of what was asked, and false for a fault of the service, which may pass. */
export const isRefusal = (error: unknown): error is ServiceError => error instanceof ServiceError && error.status < 500;

/** True for the refusal of a caller who lacks a right, on an entity or to use its media now. */
export const lacksRight = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && (error.code === 'not-allowed' || error.code === 'not-usable');

/**
 * A call that was not sent, because the plan of the host allows no further one in this invocation. `calls`: those of a
 * request, which is refused. Absent: work puts down what it does.
 */
export class CallsUsedUp extends ServiceError {
  constructor(calls?: number) {
    const tooMany = 'Expected a call that the plan of this edge allows';
    const explanation =
      calls === undefined
        ? `${tooMany}: work goes on with the next tick`
        : `${tooMany}: the request needs more than the ${calls - 1} that it got. Send it in smaller parts`;
    super('busy', { explanation });
    this.name = 'CallsUsedUp';
  }
}

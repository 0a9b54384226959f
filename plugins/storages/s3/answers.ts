import type { StorageErrorKind } from '../../../src/spi/index.ts';
import { fault, StorageFault } from '../faults.ts';

/** Refusal of an S3 store. The store's text is left out: it may quote the request. */
export class StoreRefusal extends StorageFault {
  readonly status: number;
  /** Undefined if the store gives no known code. */
  readonly code: string | undefined;

  constructor(kind: StorageErrorKind, status: number, code: string | undefined, more = '') {
    super(kind, `Expected another answer of the store: ${status}${code === undefined ? '' : ` ${code}`}${more}`);
    this.status = status;
    this.code = code;
  }
}

/** Codes that change what an answer means, or that a person can do something about. Others are not repeated. */
const codes: ReadonlyMap<string, StorageErrorKind> = new Map<string, StorageErrorKind>([
  ['AccessDenied', 'denied'],
  ['AccountProblem', 'denied'],
  ['AllAccessDisabled', 'denied'],
  ['AuthorizationHeaderMalformed', 'denied'],
  ['BadDigest', 'failed'],
  ['BucketRegionError', 'offline'],
  ['ConditionalRequestConflict', 'offline'],
  ['EntityTooLarge', 'failed'],
  ['EntityTooSmall', 'failed'],
  ['IncompleteBody', 'offline'],
  ['InternalError', 'offline'],
  ['InvalidAccessKeyId', 'denied'],
  ['InvalidObjectState', 'denied'],
  ['InvalidPart', 'failed'],
  ['InvalidPartOrder', 'failed'],
  ['InvalidRange', 'range'],
  ['KeyTooLongError', 'bad-path'],
  ['MissingContentLength', 'failed'],
  ['NoSuchBucket', 'offline'],
  ['NoSuchKey', 'not-found'],
  ['NoSuchUpload', 'not-found'],
  ['NotImplemented', 'unsupported'],
  ['OperationAborted', 'offline'],
  ['PermanentRedirect', 'offline'],
  ['PreconditionFailed', 'changed'],
  ['QuotaExceeded', 'no-space'],
  ['RequestTimeTooSkewed', 'denied'],
  ['RequestTimeout', 'offline'],
  ['ServiceUnavailable', 'offline'],
  ['SignatureDoesNotMatch', 'denied'],
  ['SlowDown', 'offline'],
  ['XAmzContentSHA256Mismatch', 'failed'],
]);

const statuses: ReadonlyMap<number, StorageErrorKind> = new Map<number, StorageErrorKind>([
  [401, 'denied'],
  [403, 'denied'],
  [404, 'not-found'],
  [412, 'changed'],
  [416, 'range'],
  [429, 'offline'],
  [501, 'unsupported'],
  [507, 'no-space'],
]);

/** Answers that come out otherwise a moment later, also within a 200. */
const passing: ReadonlySet<string> = new Set([
  'ConditionalRequestConflict',
  'IncompleteBody',
  'InternalError',
  'OperationAborted',
  'RequestTimeout',
  'ServiceUnavailable',
  'SlowDown',
]);

export function storeRefusal(status: number, told: string | undefined, headers?: Headers): StoreRefusal {
  const code = told !== undefined && codes.has(told) ? told : undefined;
  const usual = status >= 500 || status < 400 ? 'offline' : 'failed';
  const kind = codes.get(code ?? '') ?? statuses.get(status) ?? usual;
  const region = headers?.get('x-amz-bucket-region') ?? '';
  const more =
    status >= 300 && status < 500 && /^[a-z]{2}(?:-[a-z]+)+-\d$/.test(region) ? `; its region is ${region}` : '';
  return new StoreRefusal(kind, status, code, more);
}

export const mayPass = (error: unknown): boolean =>
  error instanceof StoreRefusal &&
  (error.code === undefined ? [429, 500, 502, 503, 504].includes(error.status) : passing.has(error.code));

export const notStaged = () => fault('not-found', 'Expected staged bytes: they are gone');

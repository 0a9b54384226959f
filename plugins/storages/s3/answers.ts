import { SaxesParser } from 'saxes';
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
  ['GlacierExpeditedRetrievalNotAvailable', 'offline'],
  ['IncompleteBody', 'offline'],
  ['InternalError', 'offline'],
  ['InvalidAccessKeyId', 'denied'],
  ['InvalidObjectState', 'archived'],
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
  ['RestoreAlreadyInProgress', 'failed'],
  ['ServiceUnavailable', 'offline'],
  ['SignatureDoesNotMatch', 'denied'],
  ['SlowDown', 'offline'],
  // versitygw answers it with 404 to an unknown access key.
  ['XAdminUserNotFound', 'denied'],
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

export function storeRefusal(status: number, storeCode: string | undefined, headers?: Headers): StoreRefusal {
  const code = storeCode !== undefined && codes.has(storeCode) ? storeCode : undefined;
  const defaultKind = status >= 500 || status < 400 ? 'offline' : 'failed';
  const kind = codes.get(code ?? '') ?? statuses.get(status) ?? defaultKind;
  const region = headers?.get('x-amz-bucket-region') ?? '';
  const more =
    status >= 300 && status < 500 && /^[a-z]{2}(?:-[a-z]+)+-\d$/.test(region) ? `; its region is ${region}` : '';
  return new StoreRefusal(kind, status, code, more);
}

export const mayPass = (error: unknown): boolean =>
  error instanceof StoreRefusal &&
  (error.code === undefined ? [429, 500, 502, 503, 504].includes(error.status) : passing.has(error.code));

export const notStaged = () => fault('not-found', 'Expected staged bytes: they are gone');

/** An element of an answer, without attributes and namespaces. */
export interface XmlElement {
  readonly name: string;
  readonly text: string;
  readonly children: readonly XmlElement[];
}

interface Open {
  readonly name: string;
  text: string;
  readonly children: Open[];
}

/** Answers of stores are flat: what is deeper is none. */
const maxDepth = 8;

/** Treated like a broken connection: a retry may get the whole answer. */
export const unreadable = (message = 'Expected an answer in XML') =>
  Object.assign(new Error(message), { kind: 'answer' });

/** Undefined for an empty text. Throws for whatever is no XML, or has a document type. */
export function parseXml(text: string): XmlElement | undefined {
  if (text.trim() === '') return undefined;
  const root: Open = { name: '', text: '', children: [] };
  const path = [root];
  const parser = new SaxesParser();
  parser.on('error', () => {
    throw unreadable();
  });
  parser.on('doctype', () => {
    throw unreadable();
  });
  parser.on('opentag', ({ name }) => {
    if (path.length > maxDepth) throw unreadable();
    const opened: Open = { name: name.replace(/^.*:/, ''), text: '', children: [] };
    path.at(-1)!.children.push(opened);
    path.push(opened);
  });
  parser.on('text', (piece) => {
    path.at(-1)!.text += piece;
  });
  parser.on('closetag', () => void path.pop());
  // Some stores send blanks ahead of the declaration, so that a slow answer has bytes.
  parser.write(text.trimStart()).close();
  return root.children[0];
}

/** The text of the first child of that name; a path has "/" between. */
export function elementText(element: XmlElement | undefined, path: string): string | undefined {
  let current = element;
  for (const name of path.split('/')) current = current?.children.find((child) => child.name === name);
  return current?.text;
}

export const xmlChildren = (element: XmlElement | undefined, name: string): readonly XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? [];

export const escaped = (text: string): string => text.replace(/[<>&"]/g, (each) => `&#${each.charCodeAt(0)};`);

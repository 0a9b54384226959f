import { ServiceError } from '../core/lib/errors.ts';

/** Media type of answers. An open type, because files have their own. */
export type MediaType = string;
type DocumentType = 'application/xml' | 'application/json' | 'text/plain';

/** XML is the default for callers without `Accept`. */
/** Type of a call by a command, whose documents are not rendered. */
export const noForm: MediaType = '';

export const documentTypes: readonly MediaType[] = ['application/xml', 'application/json'];
export const textOnly: readonly MediaType[] = ['text/plain'];

export const documentOrText: readonly MediaType[] = [...documentTypes, ...textOnly];

/** Form of all answers of RFC 7644, errors included. */
export const scimJson = 'application/scim+json';

/** Forms of RFC 9457. */
type ProblemType = 'application/problem+json' | 'application/problem+xml';
export type ErrorType = DocumentType | ProblemType | typeof scimJson;

const errorTypes: readonly DocumentType[] = ['application/xml', 'application/json', 'text/plain'];
const problemTypes: readonly ProblemType[] = ['application/problem+json', 'application/problem+xml'];

/** Older names of the same forms. */
const alias: ReadonlyMap<string, string> = new Map([
  ['text/xml', 'application/xml'],
  ['text/json', 'application/json'],
  // Scripts are answered as text: a page of this origin could run them otherwise.
  ['application/javascript', 'text/plain'],
  // Invalid range, used by clients for all types.
  ['*', '*/*'],
]);

interface Range {
  readonly type: string;
  readonly quality: number;
  /** 2 for `a/b`, 1 for `a/*`, 0 for the range of all types: the most specific range decides. */
  readonly exactness: number;
}

/** The offered type that the caller likes best; the earlier one when equal; undefined when none will do. */
export function preferred<T extends MediaType>(accept: string | null, offered: readonly T[]): T | undefined {
  if (accept === null || accept.trim() === '' || accept === '*/*') return offered[0];
  const ranges = rangesOf(accept);
  let best: T | undefined;
  let bestQuality = 0;
  for (const type of offered) {
    const quality = qualityOf(type, ranges);
    if (quality > bestQuality) {
      best = type;
      bestQuality = quality;
    }
  }
  return best;
}

export function negotiate(accept: string | null, offered: readonly MediaType[]): MediaType {
  const type = preferred(accept, offered);
  if (type) return type;
  // Clients ask for documents wherever they call, and read the text where there is nothing else.
  const isText = offered.includes('text/plain') && offered.every((one) => one.startsWith('text/'));
  if (isText && preferred(accept, documentTypes)) return 'text/plain';
  throw new ServiceError('not-acceptable', {
    context: 'header Accept',
    explanation: `Expected a range that includes ${offered.join(' or ')}`,
    value: (accept ?? '').slice(0, 80),
  });
}

/**
 * An error is always told in some form: the caller's, else the first that the resource speaks. A caller who names a
 * form of problems beside that of the answer gets it.
 */
export function errorType(accept: string | null, offered: readonly MediaType[] = errorTypes): ErrorType {
  if (offered.includes(scimJson) || (accept !== null && names(accept, scimJson))) return scimJson;
  const defaultType = offered.find(isErrorType) ?? 'application/xml';
  if (accept === null || accept === '*/*') return defaultType;
  return preferred(accept, [...problemTypes.filter((type) => names(accept, type)), ...errorTypes]) ?? defaultType;
}

/**
 * Form of a demand for a login, for callers who name one. Undefined: the answer has no body, as clients of this API know
 * it. Some read a text without its status, and browsers show a page of their own.
 */
export function namedErrorType(accept: string | null): Exclude<ErrorType, 'text/plain'> | undefined {
  if (accept === null || rangesOf(accept).some(({ type }) => type === 'text/html')) return undefined;
  const type = errorType(accept);
  return type !== 'text/plain' && names(accept, type) ? type : undefined;
}

/** Whether a range is the type itself. A range of many types means the older forms. */
const names = (accept: string, type: MediaType | ErrorType): boolean =>
  rangesOf(accept).some((range) => range.type === type);

const isErrorType = (type: MediaType): type is DocumentType => errorTypes.some((each) => each === type);

function qualityOf(type: MediaType, ranges: readonly Range[]): number {
  const family = `${type.slice(0, type.indexOf('/'))}/*`;
  let decisive: Range | undefined;
  for (const range of ranges) {
    const fits = range.type === type || range.type === family || range.type === '*/*';
    if (fits && (!decisive || range.exactness > decisive.exactness)) decisive = range;
  }
  return decisive?.quality ?? 0;
}

/** Clients of one instance send few different texts, with all their requests. */
const readBefore = new Map<string, readonly Range[]>();
const maxKept = 100;
const maxKeptLength = 200;

function rangesOf(accept: string): readonly Range[] {
  const cached = readBefore.get(accept);
  if (cached) return cached;
  const ranges = readRanges(accept);
  if (readBefore.size < maxKept && accept.length <= maxKeptLength) readBefore.set(accept, ranges);
  return ranges;
}

function readRanges(accept: string): Range[] {
  return accept.split(',').map((part) => {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
    const type = alias.get(name) ?? name;
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    const quality = Number(weight?.slice(2) || 1);
    const exactness = type === '*/*' ? 0 : type.endsWith('/*') ? 1 : 2;
    // A weight that is no number does not turn a preference into a refusal.
    return { type, exactness, quality: quality >= 0 && quality <= 1 ? quality : 1 };
  });
}

import { ServiceError } from '../core/lib/errors.ts';

/** Media type of answers. An open type, because files have their own. */
export type MediaType = string;
type DocumentType = 'application/xml' | 'application/json' | 'text/plain';

/** Type of a call by a command, whose documents are not rendered. */
export const noForm: MediaType = '';

/** XML is the default for callers without `Accept`. */
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
  /** 2 for `a/b`, 1 for `a/*`, 0 for the range of all types. */
  readonly exactness: number;
  /** Where it is in the header. */
  readonly place: number;
}

/** The offered type that the caller likes best; undefined when none will do. */
export const preferred = <T extends MediaType>(accept: string | null, offered: readonly T[]): T | undefined =>
  accept === null || accept.trim() === '' || accept === '*/*' ? offered[0] : choiceOf(rangesOf(accept), offered)?.type;

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
  const ranges = rangesOf(accept);
  const form = choiceOf(ranges, errorTypes);
  const problem = choiceOf(
    ranges,
    problemTypes.filter((type) => names(accept, type)),
  );
  if (problem && problem.range.quality >= (form?.range.quality ?? 0)) return problem.type;
  return form?.type ?? defaultType;
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

interface Choice<T> {
  readonly type: T;
  readonly range: Range;
}

/**
 * The type of the largest weight. Of equal weights the more exact range wins, since many clients end with a range of all
 * types; then the order of the caller, then that of the offer.
 */
function choiceOf<T extends MediaType>(ranges: readonly Range[], offered: readonly T[]): Choice<T> | undefined {
  let best: Choice<T> | undefined;
  for (const type of offered) {
    const range = decisiveRange(type, ranges);
    if (range && range.quality > 0 && (!best || comesBefore(range, best.range))) best = { type, range };
  }
  return best;
}

function comesBefore(one: Range, other: Range): boolean {
  if (one.quality !== other.quality) return one.quality > other.quality;
  if (one.exactness !== other.exactness) return one.exactness > other.exactness;
  return one.place < other.place;
}

/** The most exact range that includes a type decides on it. */
function decisiveRange(type: MediaType, ranges: readonly Range[]): Range | undefined {
  const family = `${type.slice(0, type.indexOf('/'))}/*`;
  let decisive: Range | undefined;
  for (const range of ranges) {
    const fits = range.type === type || range.type === family || range.type === '*/*';
    if (fits && (!decisive || range.exactness > decisive.exactness)) decisive = range;
  }
  return decisive;
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
  return accept.split(',').map((part, place) => {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
    const type = alias.get(name) ?? name;
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    const quality = Number(weight?.slice(2) || 1);
    const exactness = type === '*/*' ? 0 : type.endsWith('/*') ? 1 : 2;
    // A weight that is no number does not turn a preference into a refusal.
    return { type, exactness, place, quality: quality >= 0 && quality <= 1 ? quality : 1 };
  });
}

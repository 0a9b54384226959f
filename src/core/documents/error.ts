import { ServiceError } from '../lib/errors.ts';
import type { DocumentLimits } from './limits.ts';

/** `text`: one that cannot be stored. */
export type DocumentErrorKind = 'syntax' | 'type' | 'structure' | 'limit' | 'text';

interface DocumentErrorDetail {
  readonly kind: DocumentErrorKind;
  readonly place: string;
  readonly explanation: string;
  readonly found?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly limit?: keyof DocumentLimits | undefined;
}

/** Limit of quoted values: an answer must not grow with the request. */
const foundLength = 80;

/** Invalid document. Lines and columns count from 1. */
export class DocumentError extends Error {
  readonly kind: DocumentErrorKind;
  /** Path such as `/UserDocument/groupList/group[2]/groupName`, for XML and JSON alike. */
  readonly place: string;
  readonly explanation: string;
  declare readonly found?: string;
  declare readonly line?: number;
  declare readonly column?: number;
  /** Exceeded limit, for the kind `limit`. */
  declare readonly limit?: keyof DocumentLimits;

  constructor(detail: DocumentErrorDetail) {
    const { kind, place, explanation, found, line, column, limit } = detail;
    const position = line === undefined ? '' : `, line ${line}, column ${column}`;
    super(`${explanation} (${place}${position})`);
    this.name = 'DocumentError';
    this.kind = kind;
    this.place = place;
    this.explanation = explanation;
    if (found !== undefined) this.found = cutText(found);
    if (line !== undefined) this.line = line;
    if (column !== undefined) this.column = column;
    if (limit !== undefined) this.limit = limit;
  }
}

export function cutText(text: string): string {
  if (text.length <= foundLength) return text;
  // Not between the halves of a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(foundLength - 2)) ? foundLength - 2 : foundLength - 1;
  return `${text.slice(0, end)}…`;
}

export const quoted = (text: string): string => `"${cutText(text)}"`;

/** A part of a document that cannot be used: what was expected there, and what was found. */
export function badValue(place: string, expected: string, actual?: string): ServiceError {
  return new ServiceError('bad-value', {
    context: place,
    explanation: `Expected ${expected}: ${actual === undefined ? 'none' : quoted(actual)}`,
    ...(actual !== undefined && { value: cutText(actual) }),
  });
}

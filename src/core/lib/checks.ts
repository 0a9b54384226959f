import type { ServiceError } from './errors.ts';

/** An object with names, not a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether the text is a valid header name (RFC 9110: a token). */
export const isHeaderName = (text: string): boolean => /^[!#$%&'*+.^_`|~\w-]+$/.test(text);

/** The value behind a name. Throws the refusal of the name if there is none. */
export function existing<T>(value: T | undefined, refusal: (name: string) => ServiceError, name: string): T {
  if (value === undefined) throw refusal(name);
  return value;
}

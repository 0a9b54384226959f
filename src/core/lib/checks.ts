/** An object with names, not a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether the text is a valid header name (RFC 9110: a token). */
export const isHeaderName = (text: string): boolean => /^[!#$%&'*+.^_`|~\w-]+$/.test(text);

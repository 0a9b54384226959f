/** What the name of a header consists of (RFC 9110: a token). */
export const isHeaderName = (text: string): boolean => /^[!#$%&'*+.^_`|~\w-]+$/.test(text);

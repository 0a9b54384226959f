/** Whether the text is a valid header name (RFC 9110: a token). */
export const isHeaderName = (text: string): boolean => /^[!#$%&'*+.^_`|~\w-]+$/.test(text);

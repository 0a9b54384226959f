const mostNames = 10;
const longestName = 40;

/** Part of a request's trace with its ignored names. */
export interface Ignoring {
  /** Headers for every answer to this request. */
  headers: Readonly<Record<string, string>>;
  /** Names in the header `portico-ignored`. */
  ignored?: readonly string[];
}

/** Names unknown parameters and elements in the answer, so that a caller notices typing errors. */
export function nameIgnored(trace: Ignoring, name: string): void {
  const encodedName = encodeURIComponent(name.slice(0, longestName).toWellFormed());
  const names = trace.ignored ?? [];
  if (names.length >= mostNames || names.includes(encodedName)) return;
  trace.ignored = [...names, encodedName];
  trace.headers = { ...trace.headers, 'portico-ignored': trace.ignored.join(', ') };
}

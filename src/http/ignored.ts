const mostNames = 10;
const longestName = 40;

/** What is known of a request that names may be told of. */
export interface Ignoring {
  /** The headers that every answer to this request carries. */
  headers: Readonly<Record<string, string>>;
  /** The names in the header `portico-ignored`. */
  ignored?: readonly string[];
}

/**
 * Names in the answer what the caller sent and this service does not know, so that a caller sees its typing error.
 * Clients send extras, so they are no mistake.
 */
export const nameIgnored = (trace: Ignoring, name: string): void =>
  passOnIgnored(trace, encodeURIComponent(name.slice(0, longestName).toWellFormed()));

/** The same of a name as the header has it. */
export function passOnIgnored(trace: Ignoring, told: string): void {
  const known = trace.ignored ?? [];
  if (known.length >= mostNames || known.includes(told)) return;
  trace.ignored = [...known, told];
  trace.headers = { ...trace.headers, 'portico-ignored': trace.ignored.join(', ') };
}

/** Reasons of an error, the outermost first: Node says "fetch failed", and only its cause says why. */
function reasonsOf(error: unknown): string[] {
  const reasons: string[] = [];
  for (let at = error; at instanceof Error && reasons.length < 4; at = at.cause) {
    const { message, code } = at as Error & { readonly code?: unknown };
    reasons.push(message === '' ? String(code ?? at.name) : message);
  }
  return reasons.length > 0 ? reasons : [String(error)];
}

/** An address without user, password and parameters, which may have secrets. */
function shownAddress(address: string): string {
  if (!URL.canParse(address)) return 'an address';
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}

/** Sentence of a request that nothing answered, with its address and the reason. */
export const fetchFailure = (error: unknown, address: string): string =>
  `Expected an answer of ${shownAddress(address)}: ${[...new Set(reasonsOf(error))].join(': ')}`;

/** A `fetch` whose failures name the address and the reason. One that the caller aborts stays as it is. */
export const fetchWithReasons =
  (inner: typeof fetch): typeof fetch =>
  async (input, init) => {
    try {
      return await inner(input, init);
    } catch (error) {
      if (init?.signal?.aborted || (input instanceof Request && input.signal.aborted)) throw error;
      const address = input instanceof Request ? input.url : String(input);
      throw new TypeError(fetchFailure(error, address), { cause: error });
    }
  };

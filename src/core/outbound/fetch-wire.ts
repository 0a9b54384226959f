import { OutboundError } from './error.ts';
import { isUpload, type Wire, type WireRequest } from './wire.ts';

/** Gives a stream a length that the platform tells as Content-Length. */
export type FixLength = (body: ReadableStream<Uint8Array>, length: number) => ReadableStream<Uint8Array>;

/**
 * Wire for runtimes with only `fetch`. It resolves names itself, so the platform must keep private networks out of its
 * reach.
 */
export const fetchWire = (send: typeof fetch, fixLength: FixLength = (body) => body): Wire => ({
  resolve: undefined,
  async send(_address, request, signal) {
    const { url, method } = request;
    try {
      const init = { method, redirect: 'manual', signal, ...headersAndBody(request, fixLength) } as RequestInit;
      const answer = await send(url, init);
      return { status: answer.status, headers: answer.headers, body: answer.body };
    } catch (error) {
      // A limit, or a body that is not what its length says.
      if (signal.aborted && signal.reason instanceof OutboundError) throw signal.reason;
      throw new OutboundError('connect', `Expected a connection with "${url.hostname}"`, error);
    }
  },
});

function headersAndBody({ headers: given, body }: WireRequest, fixLength: FixLength) {
  const headers = new Headers(given);
  // Otherwise fetch asks for packed answers and unpacks them: then lengths and ranges mean other bytes.
  if (!headers.has('accept-encoding')) headers.set('accept-encoding', 'identity');
  if (!isUpload(body)) return { headers, ...(body === undefined ? {} : { body }) };
  const { length } = body;
  if (length === undefined) return { headers, body: body.open(), duplex: 'half' };
  headers.set('content-length', `${length}`);
  return { headers, body: fixLength(body.open(), length), duplex: 'half' };
}

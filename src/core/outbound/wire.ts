import type { OutboundMethod } from '../../spi/index.ts';
import { CallsUsedUp } from '../lib/errors.ts';

/** A body that the wire reads piece by piece, as fast as the other machine takes it. */
export interface WireUpload {
  /** Bytes in all. Undefined: known only at the end, so the request is sent in chunks. */
  readonly length: number | undefined;
  /** True when `open` gives the same bytes again. Otherwise the wire opens it once, on a connection that is new. */
  readonly repeatable: boolean;
  /** The wire calls it when it has a connection, so that a failed connection costs no bytes of a stream. */
  open(): ReadableStream<Uint8Array>;
}

/** Request for the wire: an address without name and password, and validated headers. */
export interface WireRequest {
  readonly url: URL;
  readonly method: OutboundMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | WireUpload | undefined;
  /** Set if the wire must never resend the request, even if the first connection failed. */
  readonly once?: boolean;
  /** Milliseconds until the wire gives up connecting, with an error of kind `connect`. */
  readonly connectLimit?: number;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** A reader that stops early lets go of the connection. */
  readonly body: AsyncIterable<Uint8Array> | null;
  /** The address that was connected to, where the runtime tells. */
  readonly address?: string | undefined;
}

/** Receiver of a connection that is not HTTP. */
export interface WireTarget {
  readonly host: string;
  readonly port: number;
  /** Whether the connection begins with TLS. */
  readonly secure: boolean;
  /** Milliseconds until the wire gives up connecting, with an error of kind `connect`. */
  readonly connectLimit?: number | undefined;
}

/** A connection of bytes, for one conversation. All of it rejects with an `OutboundError`. */
export interface WireConnection {
  /** The next bytes. Undefined: the other machine has closed the connection. */
  read(): Promise<Uint8Array | undefined>;
  write(bytes: Uint8Array): Promise<void>;
  /** Goes on with TLS. The certificate is verified for the name. */
  secure(): Promise<void>;
  close(): void;
  /** The address that was connected to, where the runtime tells. */
  readonly address?: string | undefined;
}

/** The network, as a platform gives it to the address policy. No other code uses it. */
export interface Wire {
  /** All addresses of a name. Undefined if the runtime cannot resolve: it can only judge numeric addresses. */
  readonly resolve: ((host: string, signal: AbortSignal) => Promise<readonly string[]>) | undefined;
  /**
   * Sends to that very address, without looking the name up again; the certificate is verified for the name all the same.
   * Without an address, to where the name leads. Follows no redirect. Rejects with an `OutboundError` where it can tell why.
   * The signal ends the exchange at any time: also while the body of the answer is read.
   */
  send(address: string | undefined, request: WireRequest, signal: AbortSignal): Promise<WireAnswer>;
  /** Connects to that very address, as `send` does. Undefined where a runtime opens no connections. */
  connect?(address: string | undefined, target: WireTarget, signal: AbortSignal): Promise<WireConnection>;
}

export const isUpload = (body: WireRequest['body']): body is WireUpload =>
  typeof body === 'object' && !(body instanceof Uint8Array);

/** Reason of a failed call. */
export type OutboundErrorKind =
  /** Invalid request: its address, a header, its body. */
  | 'bad-url'
  /** All addresses of the host are blocked. */
  | 'blocked'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'too-large'
  /** Aborted by the caller's signal. */
  | 'aborted'
  /** Something came that is no answer, or not all of it. */
  | 'answer';

/** Error whose sentence names only the host of the address: user names, passwords and queries may be secret. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly kind: OutboundErrorKind;

  constructor(kind: OutboundErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

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
      const connection = `Expected a connection with "${url.hostname}"`;
      throw new OutboundError(
        'connect',
        (error instanceof CallsUsedUp && error.detail.explanation) || connection,
        error,
      );
    }
  },
});

function headersAndBody({ headers: requestHeaders, body }: WireRequest, fixLength: FixLength) {
  const headers = new Headers(requestHeaders);
  // Otherwise fetch asks for packed answers and unpacks them: then lengths and ranges mean other bytes.
  if (!headers.has('accept-encoding')) headers.set('accept-encoding', 'identity');
  if (!isUpload(body)) return { headers, ...(body === undefined ? {} : { body }) };
  const { length } = body;
  if (length === undefined) return { headers, body: body.open(), duplex: 'half' };
  headers.set('content-length', `${length}`);
  return { headers, body: fixLength(body.open(), length), duplex: 'half' };
}

import type { HashAlgorithm } from './storage.ts';

/**
 * Services for a component, passed at its creation. Components get delays, randomness, time and network only from here.
 */
export interface Host {
  /** Name of the object in security.ini. */
  readonly name: string;
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  randomBytes(length: number): Uint8Array<ArrayBuffer>;
  /** Fetch of the runtime. The component must handle redirects and time limits. */
  readonly fetch: typeof fetch;
  /**
   * Calls an address that a caller of the API can set, and collects a small answer. The address policy refuses private
   * addresses that the operator does not list. A failed call rejects with an error that has a `kind`: bad-url, blocked,
   * dns, connect, tls, timeout, too-large, aborted or answer.
   */
  call(call: OutboundCall): Promise<OutboundAnswer>;
  /**
   * Call with streamed bodies, under the same address policy. Nothing is buffered, and backpressure works in both
   * directions. Resolves with the headers of the answer. A cut answer is an error of its body.
   */
  stream(call: OutboundStreamCall): Promise<OutboundStream>;
  /** Runs slow, salted password hashing off the event loop, with limited concurrency. */
  scrypt(password: string, salt: Uint8Array, parameters: ScryptParameters, length: number): Promise<Uint8Array>;
  /** Fast digest under a key of this process. Digests reveal nothing about their input. */
  digest(text: string): string;
  /** Incremental hash, as fast as the platform allows. */
  hasher(algorithm: HashAlgorithm): RunningHash;
  /** False on the edge: requests must not wait for each other, and their work ends with them. */
  readonly sharesWork: boolean;
  log(level: 'debug' | 'info' | 'warn' | 'error', event: string, fields?: Readonly<Record<string, unknown>>): void;
}

export type OutboundMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A request to another server. Redirects are never followed: they are answers like any other. */
export interface OutboundRequest {
  /** User name and password in the address are not sent. */
  readonly url: string;
  readonly method: OutboundMethod;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * True if the server must not get the request twice. Otherwise it is resent over a new connection if an idle
   * connection turns out to be closed. Streams are never sent twice.
   */
  readonly once?: boolean;
  /** True for an address that the operator wrote into security.ini: reached as named. All others pass the address policy. */
  readonly trusted?: boolean;
  readonly signal?: AbortSignal;
}

/** A request whose answer is small, within one time limit. */
export interface OutboundCall extends OutboundRequest {
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Milliseconds for all of it: name, connection, answer. */
  readonly timeout: number;
  /** Limit for the bytes of the answer. */
  readonly mostBytes: number;
  /** Reaction to a longer answer. Default: `refuse`. */
  readonly longer?: 'refuse' | 'cut';
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Connected address, if the runtime knows it. */
  readonly address?: string;
}

/** A request whose bodies may be large. It takes as long as bytes move. */
export interface OutboundStreamCall extends OutboundRequest {
  /** The call cancels a stream that it does not read to its end. */
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  /** Bytes of a stream, where they are known: told as Content-Length. Fewer or more bytes are an error. */
  readonly length?: number;
  /** Milliseconds for name and connection; and again, after the body was sent, for the headers of the answer. */
  readonly answerWithin: number;
  /** Milliseconds without one byte in either direction, also while the reader of the answer or the sender of the body rests. */
  readonly idle: number;
  /** Most bytes of the answer: more are an error of its body. Without it there is no limit. */
  readonly mostBytes?: number;
}

export interface OutboundStream {
  readonly status: number;
  readonly headers: Headers;
  /** Read it to its end, or cancel it: then the connection is let go of. Empty where the answer has no body. */
  readonly body: ReadableStream<Uint8Array>;
  /** The address that was connected to, where the runtime tells. */
  readonly address?: string;
}

export interface ScryptParameters {
  /** Binary logarithm of the number of iterations. */
  readonly cost: number;
  readonly block: number;
  readonly parallel: number;
}

export interface RunningHash {
  update(bytes: Uint8Array): void;
  /** Digest in lower-case hexadecimal. Ends the hash. */
  hex(): string;
}

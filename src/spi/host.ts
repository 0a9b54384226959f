import type { HashAlgorithm } from './storage.ts';

/** What the service lends to a component when it makes it. Waiting, randomness, time and the network come from here. */
export interface Host {
  /** The name of the object in security.ini. */
  readonly name: string;
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  randomBytes(length: number): Uint8Array<ArrayBuffer>;
  /** As the runtime has it. Redirects and time limits are the component's to refuse and to set. */
  readonly fetch: typeof fetch;
  /**
   * Calls an address that a caller of the API can set, and collects a small answer. The address policy refuses private
   * addresses that the operator does not list. A failed call rejects with an error that has a `kind`: bad-url, blocked,
   * dns, connect, tls, timeout, too-large, aborted or answer.
   */
  call(call: OutboundCall): Promise<OutboundAnswer>;
  /**
   * The same for large bodies, under the same address policy: neither direction is collected, and a slow side slows the
   * other one down. Resolves when the headers of the answer are there. A cut answer is an error of its body.
   */
  stream(call: OutboundStreamCall): Promise<OutboundStream>;
  /** Runs slow, salted password hashing off the event loop, a few at a time. */
  scrypt(password: string, salt: Uint8Array, parameters: ScryptParameters, length: number): Promise<Uint8Array>;
  /** A fast digest under a key that only this process knows: what is remembered under it tells nobody what it was made of. */
  digest(text: string): string;
  /** A hash of bytes that come piece by piece, as fast as the platform can. */
  hasher(algorithm: HashAlgorithm): RunningHash;
  /** False on an edge: a request may not wait for what another one has begun, and what it begins ends with it. */
  readonly sharesWork: boolean;
  log(level: 'debug' | 'info' | 'warn' | 'error', event: string, fields?: Readonly<Record<string, unknown>>): void;
}

export type OutboundMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One request to another machine. Redirects are never followed: a redirect is an answer like any other. */
export interface OutboundRequest {
  /** A name and a password in it are not sent. */
  readonly url: string;
  readonly method: OutboundMethod;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * True where the other machine must not see the request twice. Otherwise it is sent again over a new connection when
   * an idle one turns out to be closed. A body that is a stream is never sent twice.
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
  /** Most bytes of the answer that are read. */
  readonly mostBytes: number;
  /** What happens to a longer answer: refused (the default), or cut there. */
  readonly longer?: 'refuse' | 'cut';
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The address that was connected to, where the runtime tells. */
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
  /** 2^cost iterations. */
  readonly cost: number;
  readonly block: number;
  readonly parallel: number;
}

export interface RunningHash {
  update(bytes: Uint8Array): void;
  /** In lower-case hexadecimal. Ends it. */
  hex(): string;
}

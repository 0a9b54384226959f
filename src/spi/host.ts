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
   * For addresses that somebody else than the operator can set, and for whoever wants limits: no private address that is
   * not allowed is reached. A call that comes to nothing rejects with an error that has a `kind`: bad-url, blocked, dns,
   * connect, tls, timeout, too-large, aborted or answer.
   */
  call(call: OutboundCall): Promise<OutboundAnswer>;
  /** Runs slow, salted password hashing off the event loop, a few at a time. */
  scrypt(password: string, salt: Uint8Array, parameters: ScryptParameters, length: number): Promise<Uint8Array>;
  /** A fast digest under a key that only this process knows: what is remembered under it tells nobody what it was made of. */
  digest(text: string): string;
  /** False on an edge: a request may not wait for what another one has begun, and what it begins ends with it. */
  readonly sharesWork: boolean;
  log(level: 'debug' | 'info' | 'warn' | 'error', event: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** One call to another machine. Redirects are never followed. */
export interface OutboundCall {
  /** A name and a password in it are not sent. */
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /**
   * True where the other side must not see it twice. Else it is sent again over a new connection when one that was idle
   * turns out to be closed: then it has hardly been read.
   */
  readonly once?: boolean;
  /** Milliseconds for all of it: name, connection, answer. */
  readonly timeout: number;
  /** Most bytes of the answer that are read. */
  readonly mostBytes: number;
  /** What happens to a longer answer: refused (the default), or cut there. */
  readonly longer?: 'refuse' | 'cut';
  /** True for an address that the operator wrote into security.ini: reached as named. All others pass the address guard. */
  readonly trusted?: boolean;
  readonly signal?: AbortSignal;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The address that was connected to, where the runtime tells. */
  readonly address?: string;
}

export interface ScryptParameters {
  /** 2^cost iterations. */
  readonly cost: number;
  readonly block: number;
  readonly parallel: number;
}

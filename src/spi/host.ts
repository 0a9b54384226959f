/** What the service lends to a component when it makes it. Waiting, randomness, time and the network come from here. */
export interface Host {
  /** The name of the object in security.ini. */
  readonly name: string;
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  randomBytes(length: number): Uint8Array<ArrayBuffer>;
  /** As the runtime has it. Redirects and time limits are the component's to refuse and to set. */
  readonly fetch: typeof fetch;
  /** Runs slow, salted password hashing off the event loop, a few at a time. */
  scrypt(password: string, salt: Uint8Array, parameters: ScryptParameters, length: number): Promise<Uint8Array>;
  log(level: 'debug' | 'info' | 'warn' | 'error', event: string, fields?: Readonly<Record<string, unknown>>): void;
}

export interface ScryptParameters {
  /** 2^cost iterations. */
  readonly cost: number;
  readonly block: number;
  readonly parallel: number;
}

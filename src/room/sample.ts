import type { Random } from '../core/lib/random.ts';
import type { StoredCaller } from '../security/subject.ts';

/** Property that lists what was made, as paths to delete, in this order. */
export const sampleProperty = 'portico.sample';

/** Sample library, with the logins and links by which people come in. */
export interface Sample {
  /** Password that all its users share. */
  readonly password: string;
  readonly user: { readonly userName: string; readonly realName: string; readonly group: string }[];
  /** Paths of the page for guests: one looks, the other sends files. */
  readonly share: string;
  readonly upload: string;
  readonly item: number;
}

/** Whom the sample library is asked of. */
export interface SampleHost {
  readonly random: Random;
  /** Sends a request to the service itself, in the name of an administrator or of that user. */
  ask(path: string, init: RequestInit, as?: StoredCaller): Promise<Response>;
  sleep(milliseconds: number): Promise<void>;
}

export interface SampleRemoval {
  readonly removed: number;
  /** Paths of what others use by now. */
  readonly kept: string[];
}

/** Makes the sample library in a service without items, and removes what it made. */
export interface SampleMaker {
  make(host: SampleHost): Promise<Sample>;
  remove(host: SampleHost): Promise<SampleRemoval>;
}

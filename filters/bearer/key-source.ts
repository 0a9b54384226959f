import type { Maybe } from '../../src/kit/index.ts';
import type { VerificationKey } from './verification-key.ts';

/** The keys that count until there are others. Another set is another object: what the old one verified is verified again. */
export interface KeySet {
  readonly keys: readonly VerificationKey[];
}

export interface KeySource {
  keys(): Maybe<KeySet>;
  /** Newer keys for a token that none of these has signed. Undefined: there are none. */
  othersThan(set: KeySet): Promise<KeySet | undefined> | undefined;
}

export function fixedKeys(keys: readonly VerificationKey[]): KeySource {
  const set = { keys };
  return { keys: () => set, othersThan: () => undefined };
}

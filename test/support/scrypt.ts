import { createHash } from 'node:crypto';
import type { HashParameters, Scrypt } from '../../src/identity/passwords/hash.ts';

/** A stand-in for scrypt that takes no time and remembers what was asked of it. */
export interface FastScrypt {
  readonly compute: Scrypt;
  /** The parameters and the length of each computation so far. */
  readonly calls: (HashParameters & { readonly length: number })[];
  /** From here on computations wait until they are let go. */
  hold(): { release(): void };
}

export function fastScrypt(): FastScrypt {
  const calls: (HashParameters & { readonly length: number })[] = [];
  let held = Promise.resolve();
  return {
    calls,
    async compute(password, salt, parameters, length) {
      calls.push({ ...parameters, length });
      await held;
      const { cost, block, parallel } = parameters;
      const digest = createHash('sha512')
        .update(`${cost},${block},${parallel}:`)
        .update(salt)
        .update(password)
        .digest();
      return Uint8Array.from({ length }, (_, i) => digest[i % digest.length]!);
    },
    hold() {
      let release = () => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return { release: () => release() };
    },
  };
}

import type { Output } from '../tree/output.ts';
import type { Dynamic } from '../xpath/dynamic.ts';

/** Makes output. One that sets a variable answers where those behind it see that. */
export type Instruction = (at: Dynamic, out: Output) => Dynamic | undefined;

export const nothing: Instruction = () => undefined;

/** For instructions that set no variable. */
export const does =
  (work: (at: Dynamic, out: Output) => void): Instruction =>
  (at, out) => {
    work(at, out);
    return undefined;
  };

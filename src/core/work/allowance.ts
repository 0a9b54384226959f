import type { WorkKind } from './kind.ts';

/** Calls of a part of a piece, where its kind tells no number. */
const usual = 12;

export const callsOf = ({ calls = usual }: Pick<WorkKind, 'calls'>): number => calls;

/** Calls to other machines that one invocation on an edge has left. Parts that have begun keep theirs until their end. */
export class Allowance {
  readonly #left: () => number;
  #kept = 0;

  constructor(left: () => number) {
    this.#left = left;
  }

  /** Number of parts with so many calls each that can begin. */
  room(calls: number): number {
    return Math.max(0, Math.floor((this.#left() - this.#kept) / calls));
  }

  keep(calls: number): void {
    this.#kept += calls;
  }

  release(calls: number): void {
    this.#kept -= calls;
  }
}

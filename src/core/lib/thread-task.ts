/** Tasks of one kind that a host carries out on a thread of its own, one after the other. */
export interface ThreadTask<In> {
  /**
   * Module by its path in the sources, without its ending. It exports `run`, which carries out a task, and `isFailure`,
   * which tells errors of a task from others.
   */
  readonly program: string;
  /** Milliseconds for one task. */
  readonly max: number;
  readonly megabytes: number;
  readonly stackMegabytes: number;
  /** Message for a task that exceeds its time. */
  readonly tooSlow: string;
  /** Message for a task that exceeds its memory. */
  readonly tooLarge: string;
  fails(message: string): Error;
  /** Key of the requester: requesters take turns. */
  by(input: In): string | undefined;
}

export type StartThread = <In, Out>(task: ThreadTask<In>) => (input: In) => Promise<Out>;

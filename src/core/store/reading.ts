import type { LimitedReader } from './statement.ts';

/**
 * Related reads with their evaluation. With reader threads, one of them runs it on a snapshot, while the main thread
 * serves other requests. Input and output are plain data.
 */
export interface Reading<In, Out> {
  /** The thread finds it by this among `readings.ts`. */
  readonly name: string;
  /** Whether the input takes so long that a reader thread runs it in any case, where there are reader threads. */
  isLong?(input: In): boolean;
  run(reader: LimitedReader, input: In): Promise<Out>;
}

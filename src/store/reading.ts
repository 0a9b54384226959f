import type { LimitedReader } from './statement.ts';

/**
 * Reads that belong together, and what is made of them. Where a database has reader threads, one of them does it all on a
 * snapshot of its own. Meanwhile the serving thread goes on with other requests. What goes in and comes out is data.
 */
export interface Reading<In, Out> {
  /** The thread finds it by this among `readings.ts`. */
  readonly name: string;
  run(reader: LimitedReader, given: In): Promise<Out>;
}

import type { Clock } from '../core/lib/clock.ts';
import { ServiceError } from '../core/lib/errors.ts';
import { describeError, type Log } from '../core/lib/log.ts';
import type { Maybe } from '../core/lib/maybe.ts';
import type { PipelineRequest } from './arrival.ts';
import type { Closing } from './ini/assemble.ts';
import type { Decision, Pipeline } from './pipeline.ts';

type Decide = (request: PipelineRequest) => Maybe<Decision>;

/** The configuration that decides now. A new one takes over whole, between two requests. */
export class RunningSecurity {
  readonly #clock: Clock;
  readonly #log: Log;
  /** Milliseconds until replaced objects are closed, so that current logins can end. */
  readonly #grace: number;
  #current: { readonly pipeline: Pipeline; readonly closing: readonly Closing[] } | undefined;

  constructor(clock: Clock, log: Log, grace: number) {
    this.#clock = clock;
    this.#log = log;
    this.#grace = grace;
  }

  /** Undefined until a configuration was applied. Until then every request is refused. */
  get pipeline(): Pipeline | undefined {
    return this.#current?.pipeline;
  }

  take(pipeline: Pipeline, closing: readonly Closing[]): void {
    const old = this.#current;
    this.#current = { pipeline, closing };
    if (!old || old.closing.length === 0) return;
    void this.#clock.sleep(this.#grace).then(() => this.end(old.closing));
  }

  async close(): Promise<void> {
    await this.end(this.#current?.closing ?? []);
    this.#current = undefined;
  }

  /** Closes all objects, even if closing one fails. */
  async end(closing: readonly Closing[]): Promise<void> {
    for (const each of closing) {
      try {
        await each.close();
      } catch (error) {
        this.#log.write('warn', 'not-closed', { object: each.name, ...describeError(error) });
      }
    }
  }
}

/**
 * Delays requests before the first configuration until it is applied. Without one they are refused. On the edge each of
 * the first requests makes its own configuration.
 */
export function firstConfigured(
  running: RunningSecurity,
  configure: () => Promise<{ readonly applied: boolean }>,
  sharesWork: boolean,
): Decide {
  let first: Promise<{ readonly applied: boolean }> | undefined;
  const late = async (request: PipelineRequest): Promise<Decision> => {
    if (sharesWork) first ??= configure();
    await (first ?? configure());
    if (running.pipeline) return running.pipeline.decide(request);
    throw new ServiceError('not-configured', { explanation: 'The security configuration cannot be used: see the log' });
  };
  return (request) => running.pipeline?.decide(request) ?? late(request);
}

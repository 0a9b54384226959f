import { type Elapsed, timed } from '../lib/clock.ts';
import type { Random } from '../lib/random.ts';
import { causeIn, newSpanId, type SpanPlace, type TraceParent, traceIdOf } from './trace.ts';

type Attribute = string | number | boolean | undefined;

export interface Span extends SpanPlace, Elapsed {
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client';
  readonly attributes: Readonly<Record<string, Attribute>>;
}

/** Spans that wait for the exporter. */
const max = 2048;

interface SpanParts {
  readonly random: Random;
  /** Share of traces that are recorded. */
  readonly ratio: number;
  fingerprint(text: string): string;
}

/** Collects spans until they are exported. Beyond its bound, new ones are dropped. */
export class Spans {
  readonly #parts: SpanParts;
  #waiting: Span[] = [];
  dropped = 0;

  constructor(parts: SpanParts) {
    this.#parts = parts;
  }

  /** Whether a trace without a parent is recorded. Every instance decides alike. */
  samples(traceId: string): boolean {
    return Number.parseInt(traceId.slice(-13), 16) < this.#parts.ratio * 2 ** 52;
  }

  /** A new place in a trace. */
  place(traceId: string, parentId?: string): SpanPlace {
    return { traceId, spanId: newSpanId(this.#parts.random), parentId };
  }

  /** A new place in the trace of a cause. Undefined: the trace is not recorded. */
  placeFor(cause: string): SpanPlace | undefined {
    const traceId = traceIdOf(cause, this.#parts.fingerprint);
    return this.samples(traceId) ? this.place(traceId) : undefined;
  }

  /** Place of a request, from which all instances derive that of its deliveries. Undefined: the trace is not recorded. */
  placeOfRequest(id: string, parent: TraceParent | undefined): SpanPlace | undefined {
    if (parent && !parent.sampled) return undefined;
    const { random, fingerprint } = this.#parts;
    const { traceId, spanId = newSpanId(random) } = causeIn(id, fingerprint);
    if (parent) return { traceId: parent.traceId, spanId, parentId: parent.spanId };
    return this.samples(traceId) ? { traceId, spanId } : undefined;
  }

  record(span: Span): void {
    if (this.#waiting.length < max) this.#waiting.push(span);
    else this.dropped++;
  }

  /** Records work as a span below another. Undefined as `parent`: the trace is not recorded. */
  async within<T>(parent: SpanPlace | undefined, name: string, now: () => number, work: () => Promise<T>): Promise<T> {
    if (!parent) return work();
    return timed(now, work, (elapsed) =>
      this.record({ ...this.place(parent.traceId, parent.spanId), ...elapsed, name, kind: 'internal', attributes: {} }),
    );
  }

  /** Takes what waits. */
  take(): readonly Span[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}

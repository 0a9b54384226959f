import type { Clock } from '../core/lib/clock.ts';
import type { DatabaseWait } from '../core/store/contract.ts';
import type { Spans } from '../core/telemetry/spans.ts';
import type { SpanPlace, TraceParent } from '../core/telemetry/trace.ts';
import type { Trace } from './call.ts';
import { unmarked } from './opaque.ts';

interface Parts {
  readonly spans: Spans;
  readonly clock: Clock;
}

interface AnsweredRequest {
  readonly method: string;
  readonly status: number;
  readonly trace: Trace;
  readonly to: number;
}

/** Waits for a database that one request records. */
const mostWaits = 100;

/** Spans of requests, of their logins, and of their waits for a database server. Their attributes have the pattern of the path, never the path. */
export class RequestSpans {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Undefined: the trace is not recorded. */
  placeOf(requestId: string, parent: TraceParent | undefined): SpanPlace | undefined {
    const { spans } = this.#parts;
    if (!parent) return spans.placeFor(requestId);
    return parent.sampled ? spans.place(parent.traceId, parent.spanId) : undefined;
  }

  login<T>(parent: SpanPlace, work: () => Promise<T>): Promise<T> {
    const { spans, clock } = this.#parts;
    return spans.within(parent, 'login', clock.now, work);
  }

  /** Records what a request asks of a database server: the class and the number of statements, never their text. */
  waits({ traceId, spanId }: SpanPlace): (wait: DatabaseWait) => void {
    const { spans } = this.#parts;
    let recorded = 0;
    return ({ operation, statements, ...times }) => {
      if (recorded++ >= mostWaits) return;
      spans.record({
        ...spans.place(traceId, spanId),
        ...times,
        name: `database ${operation}`,
        kind: 'client',
        attributes: {
          'db.system.name': 'sqlite',
          'db.operation.name': operation,
          'db.operation.batch.size': statements > 1 ? statements : undefined,
        },
      });
    };
  }

  answered(place: SpanPlace, { method, status, trace, to }: AnsweredRequest): void {
    const route = trace.route === undefined ? undefined : unmarked(trace.route);
    this.#parts.spans.record({
      ...place,
      name: route === undefined ? method : `${method} ${route}`,
      kind: 'server',
      from: trace.came,
      to,
      failed: status >= 500,
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        'error.type': trace.reason,
        'portico.request_id': trace.id,
        'portico.database_calls': trace.calls?.calls,
      },
    });
  }
}

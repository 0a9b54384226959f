import type { Clock } from '../core/lib/clock.ts';
import type { DatabaseWait } from '../core/store/contract.ts';
import type { Spans } from '../core/telemetry/spans.ts';
import type { SpanPlace, TraceParent } from '../core/telemetry/trace.ts';
import { serverOf } from './address.ts';
import type { Trace } from './call.ts';
import { unmarked } from './opaque.ts';

interface Parts {
  readonly spans: Spans;
  readonly clock: Clock;
  /** Notes how long a request took. */
  took(seconds: number, labels: Readonly<Record<string, string | number | undefined>>): void;
}

/** Methods with a name of their own in spans and metrics. */
export const knownMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

interface AnsweredRequest {
  readonly request: Request;
  readonly secure: boolean;
  readonly status: number;
  readonly trace: Trace;
  readonly to: number;
}

/** Waits for a database that one request records. */
const maxWaits = 100;

/**
 * Spans of requests, of their logins, and of their waits for a database server, and the time that requests take. Names
 * and attributes are those of the semantic conventions of OpenTelemetry. None has a query or credentials.
 */
export class RequestSpans {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Undefined: the trace is not recorded. */
  placeOf(requestId: string, parent: TraceParent | undefined): SpanPlace | undefined {
    return this.#parts.spans.placeOfRequest(requestId, parent);
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
      if (recorded++ >= maxWaits) return;
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

  /** Records the time of a request, and its span where the trace is recorded. */
  answered({ request, secure, status, trace, to }: AnsweredRequest): void {
    const { spans, took } = this.#parts;
    const { route: pattern, root = '', path, span } = trace;
    const { method } = request;
    const isKnown = knownMethods.has(method);
    const route = pattern === undefined ? undefined : `${root}${unmarked(pattern)}`;
    const server = serverOf(request, secure);
    const attributes = {
      'http.request.method': isKnown ? method : '_OTHER',
      'url.scheme': server.scheme,
      'http.route': route,
      'http.response.status_code': status,
      'error.type': status >= 500 ? String(status) : undefined,
    };
    took((to - trace.came) / 1000, attributes);
    if (!span) return;
    const words = isKnown ? method : 'HTTP';
    spans.record({
      ...span,
      name: route === undefined ? words : `${words} ${route}`,
      kind: 'server',
      from: trace.came,
      to,
      failed: status >= 500,
      attributes: {
        ...attributes,
        'http.request.method_original': isKnown ? undefined : method.slice(0, 80),
        'url.path': path === undefined ? undefined : `${root}${path}`.slice(0, 1000),
        'server.address': server.address,
        'server.port': server.port,
        'portico.refusal': trace.reason,
        'portico.request_id': trace.id,
        'portico.database_calls': trace.calls?.calls,
      },
    });
  }
}

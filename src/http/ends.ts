import type { Clock } from '../core/lib/clock.ts';
import type { Ends } from '../core/lib/ends.ts';
import type { Log } from '../core/lib/log.ts';
import type { Trace } from './call.ts';
import { unmarked } from './opaque.ts';
import type { Params, Route } from './route.ts';

/** Tells the caller by RFC 9745 and RFC 8594 that the request used a part that ends. `name`: of the declaration. */
export function noteEnd(trace: Trace, name: string, ends: Ends, successor?: string): void {
  const ended = trace.ended ?? [];
  // A parameter may be sent a thousand times.
  if (ended.some((each) => each.name === name)) return;
  trace.ended = [...ended, { name, ends }];
  const links = [`<${trace.root ?? ''}/openapi.json>; rel="deprecation"`];
  if (successor !== undefined) links.push(`<${trace.root ?? ''}${successor}>; rel="successor-version"`);
  trace.headers = {
    ...trace.headers,
    deprecation: `@${Date.parse(ends.since) / 1000}`,
    sunset: new Date(ends.on).toUTCString(),
    link: links.join(', '),
  };
}

export function noteRoute({ method, path, ends }: Route, params: Params, trace: Trace): void {
  if (!ends) return;
  const successor = ends.instead.replace(/:(\w+)(?:\{[^/]*\})?/g, (_, name: string) =>
    encodeURIComponent(params[name]!),
  );
  noteEnd(trace, `${method} ${unmarked(path)}`, ends, successor);
}

const hour = 3_600_000;

/** Writes a line an hour at most for each part that ends and is used. Declarations bound the number of names. */
export function createEndLog(log: Log, clock: Clock): (trace: Trace) => void {
  const written = new Map<string, number>();
  return ({ ended = [], user }) => {
    for (const { name, ends } of ended) {
      const now = clock.now();
      if (now - (written.get(name) ?? Number.NEGATIVE_INFINITY) < hour) continue;
      written.set(name, now);
      log.write('warn', 'deprecated', { name, user, ...ends });
    }
  };
}

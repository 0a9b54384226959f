import { serialOf } from '../../core/lib/serial.ts';
import { addressOf } from '../../http/address.ts';
import { sentBytes } from '../../http/body.ts';
import type { Call } from '../../http/call.ts';
import { documentOrText, preferred } from '../../http/negotiation.ts';
import { lines, located, type Reply } from '../../http/reply.ts';
import type { Route } from '../../http/route.ts';
import type { RoomContext, RouteWrapper } from '../../room/context.ts';
import { keptCaller } from '../../room/kept-caller-sql.ts';
import { subjectOf } from '../../security/caller.ts';
import { scheduledRequestDocument, wholeRequest } from './documents.ts';
import {
  checkNoSecret,
  checkSchedulable,
  header,
  nobodyKnown,
  noun,
  type RequestRow,
  resource,
  timeFrom,
  tooManyRequests,
} from './rules.ts';
import type { SchedulingSettings } from './settings.ts';
import { insertRequest } from './store.ts';

/** Headers about the format of body and answer. Never credentials. */
const keptHeaders = ['content-type', 'accept', 'accept-language', 'if-match', 'if-none-match', 'idempotency-key'];

const noBytes = new Uint8Array(0);

/** Route that stores a request for later. Access and body format are checked before. */
export function keeping(parts: RoomContext<SchedulingSettings>): RouteWrapper {
  const { store, clock, settings, services, render } = parts;

  async function keep(route: Route, call: Call, date: number): Promise<Reply> {
    checkSchedulable(route);
    const subject = subjectOf(call);
    const { caller, login } = keptCaller(subject);
    if (caller === null || !subject.user) throw nobodyKnown();
    const { request, address, secure, sent, method } = call;
    const reads = route.reads !== undefined && sent.form !== 'empty';
    const body = reads ? await sentBytes(request, settings.maxScheduledBytes) : noBytes;
    checkNoSecret(call.parameters, new TextDecoder().decode(body));
    const headers = keptHeaders.flatMap((name) => {
      const value = request.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    const row: RequestRow = {
      id: serialOf(await store.nextId(noun)),
      userId: subject.user.id,
      user: subject.name,
      caller,
      login,
      state: 'WAITING',
      date,
      createdAt: clock.now(),
      executedAt: null,
      method,
      uri: `${addressOf(call)}${queryOf(call)}`,
      headers: JSON.stringify(headers),
      address: address ?? null,
      secure: secure ? 1 : 0,
      depth: services.depthOf(request.headers),
      body: body.byteLength > 0 ? body : null,
      status: null,
      contentType: null,
      response: null,
      leaseUntil: 0,
      fence: 0,
    };
    const id = String(row.id);
    const changes = insertRequest(row, settings.maxScheduled, tooManyRequests(settings.maxScheduled));
    await call.commit({ changes, events: [], touches: [{ kind: 'scheduled-request', id, aspect: 'due' }] });
    // The answer is a scheduled request, whatever the route produces.
    const type = preferred(request.headers.get('accept'), documentOrText) ?? 'application/xml';
    const place = located({ status: 202 }, call, ...resource.slice(1).split('/'), id);
    const reply =
      type === 'text/plain'
        ? lines([[request.headers.get(header)!.trim(), id, place.headers!['location']!]])
        : render(type, scheduledRequestDocument, wholeRequest(row));
    return { ...reply, status: 202, headers: { ...reply.headers, ...place.headers } };
  }

  return {
    around(route) {
      if (route.method === 'OPTIONS') return route;
      return {
        ...route,
        handle(call, params) {
          const text = call.request.headers.get(header);
          if (text === null) return route.handle(call, params);
          const date = timeFrom(text, clock.now());
          return date === undefined ? route.handle(call, params) : keep(route, call, date);
        },
      };
    },
  };
}

/** Matrix parameters are written as those of the query: the service reads them alike. */
function queryOf({ parameters }: Call): string {
  const pairs = [...parameters].flatMap(([name, values]) =>
    values.map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

import type { Wire, WireRequest } from '../../src/core/outbound/wire.ts';
import type { TestClock } from '../support/clock.ts';

/** Delivery that a foreign server has received. Lists keep the order of arrival. */
export interface Seen {
  readonly host: string;
  /** `webhook-id`: receivers tell by it what they have had before. */
  readonly id: string;
  readonly notification: string;
  readonly group: string;
  readonly action: string;
  readonly attempt: number;
  readonly at: number;
}

/** Statuses that a host answers, in their order; then 200. */
export type Script = Readonly<Record<string, readonly number[]>>;

/** Hosts that outlive the process that calls them. */
export function receivers(script: Script, clock: TestClock) {
  const seen: Seen[] = [];
  const left = new Map(Object.entries(script).map(([host, statuses]) => [host, [...statuses]]));
  const wire: Wire = {
    resolve: async () => ['93.184.216.34'],
    async send(_address, request) {
      const { host } = request.url;
      seen.push({ ...readRequest(request), host, at: clock.now() });
      const status = left.get(host)?.shift() ?? 200;
      return { status, headers: new Headers(), body: null };
    },
  };
  return { seen, wire };
}

function readRequest({ headers, body = '' }: WireRequest) {
  const fields = new Map<string, string>(
    JSON.parse(body as string).field.map(({ key, value }: { key: string; value: string }) => [key, value]),
  );
  return {
    id: headers['webhook-id']!,
    notification: headers['portico-notification']!,
    attempt: Number(headers['portico-attempt']),
    group: fields.get('group') ?? '',
    action: fields.get('action') ?? '',
  };
}

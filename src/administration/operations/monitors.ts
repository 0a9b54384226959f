import type { Reply } from '../../http/reply.ts';
import { type Health, unreadyBecause } from './health.ts';

interface Parts {
  health(): Promise<Health>;
  /** The metrics in the text format of Prometheus. */
  metrics(): Promise<Reply>;
}

const json = (status: number, value: object): Reply => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
});

/** Answers of the port for monitors: `/metrics` and `/healthcheck`, in the form of Dropwizard where JSON is asked for. */
export const createMonitor =
  ({ health, metrics }: Parts) =>
  async ({ url, headers }: Pick<Request, 'url' | 'headers'>): Promise<Reply> => {
    const { pathname } = new URL(url);
    if (pathname === '/healthcheck') return healthReply(await health());
    if (pathname !== '/metrics') return json(404, { message: 'Expected /metrics or /healthcheck' });
    const reply = await metrics();
    const asksForJson = /\bapplication\/json\b/.test(headers.get('accept') ?? '');
    return asksForJson ? json(200, metricsDocument(String(reply.body))) : reply;
  };

/** The names that monitors of the original ask for. A failure makes the status 500, as in Dropwizard. */
function healthReply(health: Health): Reply {
  const { ready } = health;
  const store = { healthy: ready, ...(!ready && { message: unreadyBecause(health) }) };
  return json(ready ? 200 : 500, {
    broker: { ...store, ...(ready && { message: 'Queues are in the database' }) },
    database: store,
    deadlocks: { healthy: true, message: 'This answer shows that the process goes on' },
    elasticsearch: { ...store, ...(ready && { message: 'The search index is in the database' }) },
    ldap: { healthy: true, message: 'Each login asks its realms: no connection is open meanwhile' },
  });
}

/** Metrics of Prometheus in the document of Dropwizard. A series is named with its labels. */
function metricsDocument(text: string): object {
  const gauges: Record<string, { value: number }> = {};
  const counters: Record<string, { count: number }> = {};
  const histograms: Record<string, Record<string, number>> = {};
  const types = new Map(
    Array.from(text.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name = '', type = '']) => [name, type] as const),
  );
  for (const [, name = '', labels = '', value = ''] of text.matchAll(/^([a-z]\w*)(\{.*\})? (\S+)$/gim)) {
    const [, base = '', part = ''] = /^(.*)_(bucket|sum|count)$/.exec(name) ?? [];
    if (types.get(base) === 'histogram') {
      // Buckets are left out: Dropwizard has quantiles in their place.
      const series = `${base}${labels}`;
      if (part !== 'bucket') histograms[series] = { ...histograms[series], [part]: Number(value) };
    } else if (types.get(name) === 'counter') counters[`${name}${labels}`] = { count: Number(value) };
    else gauges[`${name}${labels}`] = { value: Number(value) };
  }
  return { version: '4.0.0', gauges, counters, histograms, meters: {}, timers: {} };
}

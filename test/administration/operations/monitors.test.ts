import { expect, it } from 'vitest';
import { createMonitor } from '../../../src/administration/operations/monitors.ts';

const text = `# HELP a Requests
# TYPE a counter
a{method="GET",status="200"} 12
# TYPE b gauge
b 0.5
# TYPE c histogram
c_bucket{le="1"} 2
c_bucket{le="+Inf"} 3
c_sum 4.5
c_count 3
`;
const well = { ready: true, database: 'writable', migrations: 'done', security: 'current' } as const;
const ask = async (path: string, accept: string, health: Parameters<typeof createMonitor>[0]['health']) => {
  const metrics = async () => ({ status: 200, type: 'text/plain', body: text }) as const;
  const { status, body } = await createMonitor({ health, metrics })({
    url: `http://a${path}`,
    headers: new Headers({ accept }),
  });
  return { status, body: String(body) };
};

it('metrics are text, and JSON in the form of Dropwizard for who asks for it', async () => {
  expect((await ask('/metrics', 'text/plain;version=0.0.4', async () => well)).body).toBe(text);
  expect(JSON.parse((await ask('/metrics', 'application/json', async () => well)).body)).toEqual({
    version: '4.0.0',
    gauges: { b: { value: 0.5 } },
    counters: { 'a{method="GET",status="200"}': { count: 12 } },
    histograms: { c: { sum: 4.5, count: 3 } },
    meters: {},
    timers: {},
  });
});

it('the health check has the names that monitors of the original ask for', async () => {
  const { status, body } = await ask('/healthcheck', '*/*', async () => well);
  const document = JSON.parse(body);
  expect([status, Object.keys(document)]).toEqual([200, ['broker', 'database', 'deadlocks', 'elasticsearch', 'ldap']]);
  expect(Object.values(document).every((each) => (each as { healthy: boolean }).healthy)).toBe(true);
});

it('a database that takes no write is unhealthy with the status 500', async () => {
  const ill = { ...well, ready: false, database: 'unavailable' } as const;
  const { status, body } = await ask('/healthcheck', '*/*', async () => ill);
  const message = 'The database is unavailable, migrations are done';
  expect([status, JSON.parse(body)]).toMatchObject([
    500,
    { database: { healthy: false, message }, broker: { healthy: false }, elasticsearch: { healthy: false } },
  ]);
});

it('other paths of the port have nothing', async () => {
  expect((await ask('/API/user', '*/*', async () => well)).status).toBe(404);
});

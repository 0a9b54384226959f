import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveCli } from '../../../support/cli.ts';
import { isLong } from '../../../support/long.ts';
import { basic } from '../../../support/matrix.ts';
import { receiving, told } from '../../../support/receiver.ts';
import { admin } from '../../../support/service.ts';
import { type Sqld, sqldBinary, startPreparedSqld } from '../../../support/sqld.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../../../support/store.ts';

/** Two processes on one libSQL server, which is all that they know of each other. */
describe.skipIf(sqldBinary() === undefined)('two instances on one database', () => {
  let server: Sqld;
  let directory: TemporaryDirectory;
  beforeAll(async () => {
    directory = await temporaryDirectory();
    server = await startPreparedSqld({ PORTICO_ADMIN_PASSWORD: admin[1] });
  });
  afterAll(async () => {
    await server.stop();
    await directory.remove();
  });

  const lease = 3;
  const hands = isLong ? 4 : 2;

  async function instance() {
    const environment = {
      PORTICO_DATABASE: server.url,
      PORTICO_OUTBOUND_ALLOW: '127.0.0.1',
      PORTICO_DELIVERY_LEASE: String(lease),
      // Fewer hands than lanes, so that there is something left for the other one.
      PORTICO_DELIVERY_CONCURRENCY: String(hands),
      PORTICO_LOG_LEVEL: 'warn',
    };
    const { port, child } = await serveCli({ root: directory.path, environment });
    const headers = { authorization: basic(admin), 'content-type': 'application/json', accept: 'text/plain' };
    const call = async (method: string, path: string, body?: object): Promise<string> => {
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
      const text = await response.text();
      expect(response.status, text).toBe(200);
      return text;
    };
    const delivered = async () =>
      Number(
        /portico_deliveries_total\{outcome="delivered",error=""} (\d+)/.exec(await call('GET', '/metrics'))?.[1] ?? 0,
      );
    return { call, delivered, kill: () => void child.kill('SIGKILL') };
  }

  const register = (call: (method: string, path: string, body?: object) => Promise<string>, url: string) =>
    call('POST', '/API/group/notification', {
      action: { http: { url, contentType: 'application/json', retry: 20 } },
      trigger: { group: { create: '' } },
    });
  const forget = async (call: (method: string, path: string) => Promise<string>) => {
    await call('DELETE', '/API/group/notification');
  };

  it('share the work: no delivery is lost, and none is made by two at once', async () => {
    const [one, two] = await Promise.all([instance(), instance()]);
    const receiver = await receiving();
    const lanes = Array.from({ length: hands * 2 }, (_, index) => `${receiver.address}/lane-${index}`);
    for (const url of lanes) await register(one.call, url);
    // Each lane has one call at a time, by any instance.
    const open = new Set<string>();
    const overlaps: string[] = [];
    receiver.always(async ({ target }) => {
      if (open.has(target)) overlaps.push(target);
      open.add(target);
      await new Promise((resolve) => setTimeout(resolve, 15));
      open.delete(target);
      return {};
    });
    const groups = Array.from({ length: hands * 3 }, (_, index) => `shared${index}`);
    await Promise.all(groups.map((name, index) => (index % 2 ? one : two).call('PUT', `/API/group/${name}`)));
    await receiver.until(lanes.length * groups.length);
    const all = receiver.received.map((request) => `${request.target} ${told(request)['group']}`);
    expect(new Set(all).size).toBe(lanes.length * groups.length);
    expect(all).toHaveLength(lanes.length * groups.length);
    expect(overlaps).toEqual([]);
    // The order of the commits, which is the same in each lane.
    const order = (target: string) =>
      all.filter((text) => text.startsWith(`${target} `)).map((text) => text.split(' ')[1]);
    for (const url of lanes) expect(order(new URL(url).pathname)).toEqual(order('/lane-0'));
    // The last ones are written down a moment after they came.
    await expect.poll(async () => (await one.delivered()) + (await two.delivered())).toBe(all.length);
    expect(Math.min(await one.delivered(), await two.delivered())).toBeGreaterThan(0);
    await forget(one.call);
  });

  it('when one is killed in the middle of its calls, the other finishes what it left', async () => {
    const one = await instance();
    const receiver = await receiving();
    receiver.script(...Array.from({ length: 3 }, () => ({ after: new Promise(() => undefined) })));
    for (const lane of ['a', 'b', 'c']) await register(one.call, `${receiver.address}/${lane}`);
    await one.call('PUT', '/API/group/first');
    await receiver.until(3);
    await one.call('PUT', '/API/group/second');
    const two = await instance();
    one.kill();
    await receiver.until(3 + 6);
    // Told again by the same id, because nobody knows whether the first call arrived.
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(6);
    // The last ones are written down a moment after they came.
    await expect.poll(() => two.delivered()).toBe(6);
    await forget(two.call);
  });
});

import { env, exports } from 'cloudflare:workers';
import bundled from 'portico-bundle';
import { describe, expect, it } from 'vitest';
import { scrypt } from '../../src/entry/crypto.ts';
import { edgeService } from '../../src/entry/edge.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { fetchWire } from '../../src/outbound/fetch-wire.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import { describeBearer } from './bearer.ts';
import { adminPassword } from './password.ts';
import { describeService } from './service.ts';

describeService({
  scrypt,
  password: adminPassword,
  async open() {
    const service = edgeService(env);
    return { fetch: (request) => service.fetch(request), close: () => service.close() };
  },
});

describeBearer();

describe('the module that is deployed', () => {
  it('answers many requests at once, none waiting for a promise of another', async () => {
    const headers = { authorization: `Basic ${btoa(`admin:${adminPassword}`)}` };
    const ask = (path: string, method = 'GET') =>
      exports.default.fetch(`http://portico.test${path}`, { method, headers });
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, () => ask('/API/whoami')),
      ...Array.from({ length: 4 }, (_, index) => ask(`/group/at-once-${index}`, 'PUT')),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual(Array(12).fill(200));
  });
});

describe('a call to another machine', () => {
  const [address, settings] = [
    `${env['PORTICO_DATABASE']}/health`,
    { method: 'GET', timeout: 10_000, mostBytes: 100 } as const,
  ];
  const ask = (allow: readonly string[], url: string) =>
    createOutbound({ wire: fetchWire(fetch), allow, clock: systemClock })({ ...settings, url }).then(
      ({ status }) => status,
      (error) => error.kind,
    );

  it('goes to public addresses, and to others where the list says so', async () => {
    expect(await ask(['127.0.0.1'], address)).toBe(200);
    for (const url of [address, 'http://localhost/', 'http://[::1]/', 'http://169.254.169.254/']) {
      expect(await ask([], url)).toBe('blocked');
    }
  });
});

describe('the module that portico bundle writes', () => {
  it('S6 lets in whom the realm of its plugin knows, and the users of the service', async () => {
    const whoami = async (user: string, password: string) => {
      const headers = { authorization: `Basic ${btoa(`${user}:${password}`)}` };
      const answer = await bundled.fetch(new Request('http://portico.test/API/whoami', { headers }), env);
      return [answer.status, await answer.text()];
    };
    expect(await whoami('eve', 'welcome to the party')).toEqual([200, 'eve']);
    expect(await whoami('eve', 'welcome')).toEqual([401, '']);
    expect(await whoami('admin', adminPassword)).toEqual([200, 'admin']);
  });
});

import { env, exports } from 'cloudflare:workers';
import bundled from 'portico-bundle';
import { describe, expect, it } from 'vitest';
import { scrypt } from '../../src/entry/crypto.ts';
import { edgeService } from '../../src/entry/edge.ts';
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

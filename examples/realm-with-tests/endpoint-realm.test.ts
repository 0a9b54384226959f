import { type Backend, checkModule, secretText, testHost } from 'portico/testing';
import { describe, expect, it } from 'vitest';
import * as module from './endpoint-realm.ts';

/** The realm, and one login of alice through it. */
function world(backend: Backend) {
  const host = testHost({ backend });
  const properties = { url: 'https://people.example.com/login', timeout: 2_000 };
  const realm = module.default.realms['example.EndpointRealm'].create(properties, host);
  const login = () =>
    realm.authenticate(
      { kind: 'password', user: 'alice', password: secretText('a long pass phrase') },
      {
        users: {
          verifyPassword: () => ({ verified: false, reason: 'unknown-user' }),
          verifyToken: () => ({ verified: false, reason: 'unknown-token' }),
        },
        signal: new AbortController().signal,
      },
    );
  return { host, login };
}

describe('the endpoint realm', () => {
  it('keeps the promises of the contract', async () => {
    const results = await checkModule(module);
    expect(results.filter(({ passed }) => !passed)).toEqual([]);
  });

  it('asks the endpoint once, with a post that follows no redirect', async () => {
    const { host, login } = world(() => Response.json({ name: 'alice' }));
    expect(await login()).toEqual({ answer: 'account', account: { name: 'alice' } });
    expect(host.requests.map(({ method, url, redirect }) => [method, url, redirect])).toEqual([
      ['POST', 'https://people.example.com/login', 'manual'],
    ]);
  });

  it('gives up when its time is up, and not before', async () => {
    const { host, login } = world(() => new Promise(() => undefined));
    const answer = Promise.resolve(login()).then(String, (error: Error) => error.message);
    await host.clock.advance(1_999);
    expect(await Promise.race([answer, 'waiting'])).toBe('waiting');
    await host.clock.advance(1);
    expect(await answer).toBe('Expected an answer within 2000 ms: none');
  });

  it('believes no name but the one that it asked for', async () => {
    await expect(world(() => Response.json({ name: 'admin' })).login()).rejects.toThrow('another one');
  });
});

import { describe, expect, it } from 'vitest';
import { testHost } from '../../../src/kit/testing/index.ts';

describe('a call over the host of a test', () => {
  const sent = {
    url: 'https://people.example/a',
    method: 'POST',
    body: 'hello',
    timeout: 1_000,
    mostBytes: 5,
  } as const;

  it('is answered by the backend, and can be read by the test', async () => {
    const host = testHost({ backend: async (request) => new Response(`to ${await request.text()}`, { status: 418 }) });
    expect(await host.call({ ...sent, mostBytes: 100 })).toMatchObject({ status: 418, text: 'to hello' });
    expect(host.requests.map(({ method, url }) => [method, url])).toEqual([['POST', 'https://people.example/a']]);
  });

  it('has the limits and the address policy of the service', async () => {
    const host = testHost({ backend: () => new Response('too much') });
    await expect(host.call(sent)).rejects.toMatchObject({ kind: 'too-large' });
    await expect(host.call({ ...sent, url: 'http://127.0.0.1/' })).rejects.toMatchObject({ kind: 'blocked' });
    await expect(testHost().call(sent)).rejects.toMatchObject({ kind: 'connect' });
    const slow = testHost({ backend: () => new Promise(() => undefined) });
    const ended = expect(slow.call(sent)).rejects.toMatchObject({ kind: 'timeout' });
    await slow.clock.advance(1_000);
    await ended;
  });

  it('hands redirects back', async () => {
    const host = testHost({ backend: () => new Response(null, { status: 302, headers: { location: '/b' } }) });
    expect(await host.call(sent)).toMatchObject({ status: 302, text: '' });
  });

  it('lets a call fail that fails on an edge alone, which has no redirect "error"', async () => {
    const host = testHost({ backend: () => new Response('hello') });
    await expect(host.fetch('https://people.example.com/', { redirect: 'error' })).rejects.toThrow(
      `Expected redirect: 'manual', because workerd has no "error"`,
    );
    expect((await host.fetch('https://people.example.com/', { redirect: 'manual' })).status).toBe(200);
  });
});

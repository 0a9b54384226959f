import { execFile } from 'node:child_process';
import { createServer as createPlainServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { promisify } from 'node:util';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { hostWire } from '../../src/entry/wire.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import { selfSigned } from '../realms/ldap/certificate.ts';

async function listen(server: Server | ReturnType<typeof createSecureServer>): Promise<number> {
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A name that no resolver knows, so that only the address that was checked can lead there. */
const names: Readonly<Record<string, readonly string[]>> = {
  'mam.internal': ['127.0.0.1'],
  'other.internal': ['127.0.0.1'],
};
const certificate = selfSigned('mam.internal');
const outboundWith = (allow: readonly string[]) => {
  const wire = { ...hostWire({ ca: certificate.cert }), resolve: async (host: string) => names[host] ?? [] };
  const call = createOutbound({ wire, allow, clock: systemClock });
  return (url: string) =>
    call({ url, method: 'POST', body: 'hello', timeout: 10_000, mostBytes: 100 }).then(
      ({ status, text, address }) => `${status} ${text} at ${address}`,
      (error) => error.kind,
    );
};

describe('a call to another machine', () => {
  it('connects to the address that was checked, and tells the name', async () => {
    const port = await listen(createPlainServer((request, response) => response.end(request.headers.host)));
    const url = `http://mam.internal:${port}/`;
    for (const _again of [1, 2]) {
      expect(await outboundWith(['127.0.0.1'])(url)).toBe(`200 mam.internal:${port} at 127.0.0.1`);
    }
    expect(await outboundWith([])(url)).toBe('blocked');
  });

  it('verifies the certificate for the name', async () => {
    const port = await listen(createSecureServer(certificate, (_request, response) => response.end('secret')));
    const call = outboundWith(['127.0.0.1']);
    expect(await call(`https://mam.internal:${port}/`)).toBe('200 secret at 127.0.0.1');
    expect(await call(`https://other.internal:${port}/`)).toBe('tls');
  });

  it('does not go by a proxy of the environment', async () => {
    const port = await listen(createPlainServer((_request, response) => response.end('direct')));
    const words: Readonly<Record<string, readonly string[]>> = {
      node: ['--import', 'tsx'],
      bun: ['--no-install'],
      deno: ['run', '--no-prompt', '--allow-read', '--allow-net', '--allow-env', '--allow-sys'],
    };
    const command = [
      ...words[inject('runtime').replace(/\d+$/, '')]!,
      'test/runtime/call.ts',
      `http://127.0.0.1:${port}/`,
    ];
    const proxy = 'http://127.0.0.1:9';
    const env = { ...process.env, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, http_proxy: proxy, ALL_PROXY: proxy };
    const { stdout } = await promisify(execFile)(process.execPath, command, { env });
    expect(stdout.trim()).toBe('direct');
  });
});

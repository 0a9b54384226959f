import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createService } from '../../src/composition/service.ts';
import { readSettings } from '../../src/composition/settings.ts';
import { scrypt } from '../../src/entry/crypto.ts';
import { hostPlatform } from '../../src/entry/host.ts';
import { startServer } from '../../src/entry/start-server.ts';
import { type Sqld, sqldBinary, startPreparedSqld } from '../support/sqld.ts';
import { adminPassword } from './password.ts';
import { describeService } from './service.ts';

describe.skipIf(sqldBinary() === undefined)('a remote database', () => {
  let server: Sqld;
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'portico-remote-'));
    server = await startPreparedSqld({ PORTICO_ADMIN_PASSWORD: adminPassword });
  });
  afterAll(async () => {
    await server.stop();
    await rm(root, { recursive: true, force: true });
  });
  const settings = () =>
    readSettings({
      PORTICO_ROOT: root,
      PORTICO_DATABASE: server.url,
      PORTICO_PORT: '0',
      PORTICO_SECRET_KEY: 'A'.repeat(43),
      PORTICO_LOG_LEVEL: 'error',
    });

  describeService({
    scrypt,
    password: adminPassword,
    async open() {
      const service = createService(settings(), await hostPlatform(settings(), console.log));
      await service.start();
      return { fetch: (request) => service.fetch(request), close: () => service.close() };
    },
  });

  it('holds what an import makes, and its job ends', async () => {
    const media = join(root, 'media');
    await mkdir(media);
    const running = await startServer(settings(), () => {});
    const ask = async (method: string, path: string, body?: string | Uint8Array<ArrayBuffer>, type?: string) => {
      const headers = {
        authorization: `Basic ${btoa(`admin:${adminPassword}`)}`,
        accept: 'application/json',
        ...(type !== undefined && { 'content-type': type }),
      };
      const answer = await fetch(`${running.address}/API${path}`, { method, headers, ...(body && { body }) });
      const text = await answer.text();
      expect(answer.status, text).toBe(200);
      return JSON.parse(text);
    };
    try {
      const method = [{ uri: `${pathToFileURL(media).href}/`, read: true, write: true, browse: true }];
      await ask('POST', '/storage', JSON.stringify({ type: 'LOCAL', method }), 'application/json');
      const bytes = new Uint8Array(1_000_000).fill(65);
      const { jobId } = await ask('POST', '/import/raw?filename=a.bin', bytes, 'application/octet-stream');
      await expect
        .poll(async () => (await ask('GET', `/job/${jobId}`)).status, { timeout: 30_000, interval: 100 })
        .toBe('FINISHED');
    } finally {
      await running.stop();
    }
  });
});

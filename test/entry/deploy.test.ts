import { type ChildProcess, spawn } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tryCli } from '../support/cli.ts';
import { denoProgram } from '../support/programs.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { type Sqld, sqldBinary, startPreparedSqld } from '../support/sqld.ts';
import { temporaryDirectory } from '../support/store.ts';

/** Fewer than all, which the platform gives: no file, no program, no native code. */
const permissions = ['--no-prompt', '--no-config', '--allow-net', '--allow-env'];
const password = 'the password of admin';

interface Deployed {
  readonly address: string;
  said(): string;
  readonly child: ChildProcess;
}

async function deploy(module: string, flags: readonly string[], environment: Readonly<Record<string, string>>) {
  const child = spawn(denoProgram(), ['run', ...permissions, ...flags, module], {
    env: { PATH: process.env['PATH'] ?? '', NO_COLOR: '1', DENO_SERVE_ADDRESS: 'tcp:127.0.0.1:0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const address = await new Promise<string>((resolve, reject) => {
    const hear = (bytes: Buffer) => {
      said += bytes;
      const found = /^Listening on (http:\S+?)\/?(?: |$)/m.exec(said);
      if (found) resolve(found[1]!);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', () => reject(new Error(said)));
  });
  return { address, said: () => said, child } satisfies Deployed;
}

describe.skipIf(sqldBinary() === undefined)('a bundle on Deno Deploy', () => {
  let database: Sqld;
  let receiver: Receiver;
  let module: string;
  let environment: Readonly<Record<string, string>>;
  let deployed: Deployed;
  const ends: (() => unknown)[] = [];

  beforeAll(async () => {
    const directory = await temporaryDirectory();
    ends.push(directory.remove);
    const root = join(directory.path, 'root');
    await cp('examples/worker', root, { recursive: true });
    module = join(directory.path, 'portico.mjs');
    const bundled = await tryCli(['bundle', module, '--minify', '--for', 'deno'], { root });
    expect([bundled.code, bundled.err]).toEqual([0, '']);
    const PORTICO_SECRET_KEY = Buffer.alloc(32, 7).toString('base64');
    database = await startPreparedSqld({ PORTICO_ADMIN_PASSWORD: password, PORTICO_SECRET_KEY });
    ends.unshift(() => database.stop());
    receiver = await openReceiver();
    ends.unshift(() => receiver.close());
    const { hostname } = new URL(receiver.address);
    environment = { PORTICO_DATABASE: database.url, PORTICO_OUTBOUND_ALLOW: hostname, PORTICO_SECRET_KEY };
    deployed = await deploy(module, ['--unstable-cron'], environment);
    ends.unshift(() => deployed.child.kill('SIGKILL'));
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });

  const ask = (request: string, body?: string, authorization = `Basic ${btoa(`admin:${password}`)}`) => {
    const [method, path] = request.split(' ') as [string, string];
    const type = body?.startsWith('{') ? 'application/json' : 'text/plain';
    return fetch(deployed.address + path, {
      method,
      headers: { authorization, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body }),
    });
  };

  it('lets in users of the database and of its realm, and nobody else', async () => {
    const whoami = async (caller: string) => {
      const answer = await ask('GET /API/whoami', undefined, `Basic ${btoa(caller)}`);
      return answer.ok ? answer.text() : answer.status;
    };
    expect(await whoami(`admin:${password}`)).toBe('admin');
    expect(await whoami('eve:welcome to the party')).toBe('eve');
    expect(await whoami('eve:welcome')).toBe(401);
  });

  it('takes the target as it came, and no address from a header', async () => {
    const target = '/API/whoami/%2e%2e/version';
    const status = await new Promise((resolve, reject) => {
      const { hostname, port } = new URL(deployed.address);
      get({ hostname, port, path: target }, (answer) => resolve(answer.resume().statusCode)).on('error', reject);
    });
    expect(status).toBe(400);
    await fetch(`${deployed.address}/API/whoami`, { headers: { 'cf-connecting-ip': '203.0.113.9' } });
    expect(deployed.said()).toContain('"from":"127.0.0.1"');
    expect(deployed.said()).not.toContain('203.0.113.9');
  });

  it('delivers a notification behind the answer of the change', async () => {
    const action = { http: { url: `${receiver.address}/in`, contentType: 'application/json' } };
    const notification = JSON.stringify({ action, trigger: { group: { create: '' } } });
    expect((await ask('POST /API/group/notification', notification)).ok).toBe(true);
    expect((await ask('PUT /API/group/editors')).ok).toBe(true);
    await receiver.until(1);
    expect(receiver.received[0]!.body).toContain('editors');
  });

  it('runs scripts', async () => {
    const answer = await ask('POST /API/javascript/test', '6 * 7');
    expect([answer.status, await answer.text()]).toEqual([200, '42']);
  });

  it('does not call the metadata service of the platform', async () => {
    const action = { http: { url: 'http://169.254.169.254/latest', contentType: 'application/json' } };
    const notification = JSON.stringify({ action, trigger: { group: { delete: '' } } });
    const answer = await ask('POST /API/group/notification', notification);
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('169.254.169.254')]);
  });

  it('says that later work waits where there is no timer', async () => {
    const { said, child } = await deploy(module, [], environment);
    child.kill('SIGKILL');
    expect(said()).toContain('Expected Deno.cron (--unstable-cron)');
    expect(deployed.said()).not.toContain('Deno.cron');
  });

  it('loads without settings, as when the platform looks for its timers', async () => {
    const { address, child } = await deploy(module, ['--unstable-cron'], {});
    const { status } = await fetch(`${address}/health/live`);
    child.kill('SIGKILL');
    expect(status).toBeGreaterThanOrEqual(500);
  });
});

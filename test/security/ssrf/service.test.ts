import { describe, expect, it } from 'vitest';
import type { SecurityInput } from '../../../src/security/ini/security-parts.ts';
import type { Plugin } from '../../../src/spi/index.ts';
import { openWorld } from '../../support/matrix.ts';
import { admin } from '../../support/service.ts';
import { metadata, receiver } from './network.ts';

describe('the service', () => {
  /** Calls what it is given as a password: somebody else's address, as notifications have them. */
  const plugin: Plugin = {
    name: 'caller',
    version: '1.0.0',
    contract: 1,
    realms: {
      'test.CallingRealm': {
        says: 'Calls an address that a caller sets.',
        create: (_given, host) => ({
          supports: ({ kind }) => kind === 'password',
          async authenticate(credentials) {
            if (credentials.kind !== 'password') return { answer: 'not-mine' };
            const url = credentials.password.reveal();
            const { text } = await host.call({ url, method: 'GET', timeout: 5_000, mostBytes: 100 });
            return { answer: 'account', account: { name: text } };
          },
        }),
      },
    },
  };
  const security: SecurityInput = {
    text: `[main]
serviceRealm = com.service.security.auth.DefaultServiceRealm
tokenAuth = com.service.security.auth.TokenAuthenticationFilter
calling = test.CallingRealm
securityManager.realms = $serviceRealm, $calling
[urls]
/** = noSessionCreation, tokenAuth[permissive], authcBasic
`,
    file: 'security.ini',
    plugins: [plugin],
  };

  it('lends its components the address policy, with the list of the setting, and counts what came of it', async () => {
    const { address, script } = await receiver();
    script({ body: 'reached' });
    const world = await openWorld('fetch', { security, settings: { outboundAllow: ['127.0.0.1'] } });
    world.expectErrors('realm-failed');
    const login = (url: string) => world.send({ as: ['x', url], request: 'GET /API/whoami' });
    expect((await login(address)).body).toBe('reached');
    for (const url of ['http://127.0.0.2/', `http://${metadata}/`]) expect((await login(url)).status).toBe(503);
    const counted = world.service.metrics.render().match(/^portico_outbound_calls_total.*$/gm);
    expect(counted).toEqual([
      'portico_outbound_calls_total{outcome="answered"} 1',
      'portico_outbound_calls_total{outcome="blocked"} 2',
    ]);
  });

  it('opens nothing without the setting', async () => {
    const { address, received } = await receiver();
    const world = await openWorld('fetch', { security });
    world.expectErrors('realm-failed');
    expect((await world.send({ as: ['x', address], request: 'GET /API/whoami' })).status).toBe(503);
    expect(received).toEqual([]);
  });
});

describe('a notification at a metadata service', () => {
  it.each([
    ['http://169.254.169.254/latest/meta-data', '169.254.169.254'],
    ['http://user:secret@0xa9fea9fe/', '169.254.169.254'],
    ['http://[::ffff:a9fe:a9fe]/', '::ffff:a9fe:a9fe'],
  ])('is refused when it is saved, because no setting lets anybody call it: %s', async (url, shown) => {
    const world = await openWorld('fetch', { settings: { outboundAllow: ['0.0.0.0/0', '::/0'] } });
    const answer = await world.send({
      as: admin,
      request: 'POST /API/group/notification',
      headers: { accept: 'application/json' },
      body: { action: { http: { url } }, trigger: { group: { create: '' } } },
    });
    expect([answer.status, JSON.parse(answer.body).invalidInput]).toMatchObject([
      400,
      {
        context: '/NotificationDocument/action/http/url',
        explanation: `Expected an address of no metadata service: "${shown}" (cloud metadata)`,
      },
    ]);
    expect(answer.body).not.toContain('secret');
  });
});

describe('a notification at an address that no call reaches', () => {
  const save = async (url: string, outboundAllow: readonly string[]) => {
    const world = await openWorld('fetch', { settings: { outboundAllow } });
    return world.send({
      as: admin,
      request: 'POST /API/group/notification',
      headers: { accept: 'application/json' },
      body: { action: { http: { url } }, trigger: { group: { create: '' } } },
    });
  };

  it.each([
    ['http://10.1.2.3/in', '"10.1.2.3" (private)'],
    ['http://0xc0a80001/', '"192.168.0.1" (private)'],
    ['https://[fd00::7]:8443/', '"fd00::7" (private)'],
    ['http://169.254.1.1/', '"169.254.1.1" (link-local)'],
  ])('is refused when it is saved, naming the setting: %s', async (url, found) => {
    const answer = await save(url, ['10.9.0.0/16']);
    expect([answer.status, JSON.parse(answer.body).invalidInput]).toMatchObject([
      400,
      {
        context: '/NotificationDocument/action/http/url',
        explanation: `Expected an address that PORTICO_OUTBOUND_ALLOW lists: ${found}`,
      },
    ]);
  });

  it.each([
    ['http://10.9.2.3/in', 'the list has it'],
    ['http://93.184.216.34/', 'it is public'],
    ['http://hooks.internal/', 'only its name tells'],
    ['http://127.0.0.1:9/', 'the list may get it later'],
  ])('is saved otherwise: %s, as %s', async (url) => {
    expect((await save(url, ['10.9.0.0/16'])).status).toBe(200);
  });

  it('at this machine is saved, and its health names the setting, but not the address', async () => {
    const world = await openWorld('fetch', { settings: { outboundAllow: ['127.0.0.2'] } });
    const blockedOf = async (url: string) => {
      const headers = { accept: 'application/json' };
      const body = { action: { http: { url } }, trigger: { group: { create: '' } } };
      const saved = await world.send({ as: admin, request: 'POST /API/group/notification', headers, body });
      const id = /VX-\d+/.exec(saved.body)![0];
      const health = await world.send({ as: admin, request: `GET /API/group/notification/${id}/health`, headers });
      return JSON.parse(health.body).blocked;
    };
    expect(await blockedOf('http://127.0.0.1:9/')).toBe('Expected an address that PORTICO_OUTBOUND_ALLOW lists');
    expect(await blockedOf('http://127.0.0.2:9/')).toBeUndefined();
  });
});

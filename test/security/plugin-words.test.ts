import { describe, expect, it } from 'vitest';
import type { Plugin, RealmAnswer, Verdict } from '../../src/spi/index.ts';
import { basic, openWorld } from '../support/matrix.ts';

/** Password that realms and filters may quote in messages. Logs must not show it: more people read them. */
const canary = 'SEKRIT-canary-7';
const credentials = ['dora', canary] as const;

async function beside(parts: { authenticate?: () => RealmAnswer; check?: () => Verdict }) {
  const plugin: Plugin = {
    name: 'words',
    version: '1',
    contract: 1,
    realms: {
      'test.Realm': {
        says: 'A realm.',
        create: () => ({
          supports: () => true,
          authenticate: async () => parts.authenticate?.() ?? { answer: 'not-mine' },
        }),
      },
    },
    filters: {
      'test.Filter': { says: 'A filter.', create: () => ({ check: () => parts.check?.() ?? { verdict: 'pass' } }) },
    },
  };
  const text = `[main]
serviceRealm = com.service.security.auth.DefaultServiceRealm
tokenAuth = com.service.security.auth.TokenAuthenticationFilter
other = test.Realm
gate = test.Filter
securityManager.realms = $serviceRealm, $other
[urls]
/** = noSessionCreation, gate, tokenAuth[permissive], authcBasic
`;
  const world = await openWorld('socket', { security: { text, file: 'security.ini', plugins: [plugin] } });
  world.expectErrors('realm-failed');
  world.expectErrors('request-failed');
  const answer = await world.send({ as: credentials, request: 'GET /API/whoami' });
  return { answer, log: world.printed.join('\n'), line: world.lines.findLast(({ event }) => event === 'request')! };
}

const quoting = [canary, basic(credentials), encodeURIComponent(canary), basic(credentials).slice(6)];

describe('the log', () => {
  it.each(quoting)('has nothing of "%s" that a realm throws', async (text) => {
    const { answer, log } = await beside({
      authenticate: () => {
        throw new Error(`GET https://people/?pw=${text} failed`, { cause: text });
      },
    });
    expect(answer.status).toBe(503);
    expect(log).toContain('[redacted]');
    for (const each of quoting) expect(log).not.toContain(each);
  });

  it.each(quoting)('has nothing of "%s" that a filter throws', async (text) => {
    const { answer, log } = await beside({
      check: () => {
        throw new Error(`no ${text}`);
      },
    });
    expect(answer.status).toBe(500);
    expect(log).toContain('[redacted]');
    for (const each of quoting) expect(log).not.toContain(each);
  });

  it('has a word for each refusal, whatever a realm or a filter says', async () => {
    const realm = await beside({ authenticate: () => ({ answer: 'refused', reason: `no ${canary}` }) });
    expect([realm.answer.status, realm.line['reason']]).toEqual([401, 'refused']);
    const response = { status: 418, headers: {} };
    const filter = await beside({ check: () => ({ verdict: 'refuse', reason: `no ${canary}`, response }) });
    expect([filter.answer.status, filter.line['reason']]).toEqual([418, 'refused']);
  });
});

describe('an answer', () => {
  it.each([
    ['a header of two lines', { 'x-a': 'b\r\nSet-Cookie: z=1' }],
    ['a name of two lines', { 'x-a\r\nb': 'c' }],
    ['a header by which nginx sends a file', { 'X-Accel-Redirect': '/etc/passwd' }],
    ['a header by which Apache sends a file', { 'x-sendfile': '/etc/passwd' }],
  ])('is given, and is 500, where a filter makes %s', async (_, headers) => {
    for (const verdict of [
      { verdict: 'refuse', reason: 'no', response: { status: 418, headers } },
      { verdict: 'pass', headers },
    ] as const) {
      const { answer } = await beside({ check: () => verdict as Verdict });
      expect(answer.status).toBe(500);
      for (const name of ['set-cookie', 'x-accel-redirect', 'x-sendfile']) expect(answer.headers.get(name)).toBeNull();
    }
  });

  it('is 401 where a realm knows somebody whose name has two lines', async () => {
    const { answer } = await beside({ authenticate: () => ({ answer: 'account', account: { name: 'x\r\nY: 1' } }) });
    expect(answer.status).toBe(401);
  });
});

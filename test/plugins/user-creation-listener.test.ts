import { describe, expect, it } from 'vitest';
import { listenerComponents } from '../../plugins/index.ts';
import type { Credentials, ListenerHost, ServiceUserInfoProvider, UserInfo } from '../../src/spi/index.ts';
import { make, secret, withPassword } from '../realms/support.ts';

const account = { name: 'alice', attributes: { realName: 'Alice' } };
const copying: ServiceUserInfoProvider = { userInfo: ({ name }) => ({ userName: name, realName: 'Alice' }) };
const component = listenerComponents['com.service.security.auth.UserCreationListener']!;

async function loggedIn(
  more: Record<string, unknown> = {},
  {
    credentials = withPassword('alice', 'x'),
    realms = ['corporate'],
    outcome = 'ready',
  }: { credentials?: Credentials; realms?: string[]; outcome?: 'ready' | 'disabled' } = {},
) {
  const written: [UserInfo, { readonly enable: boolean }][] = [];
  const host: ListenerHost = {
    signal: new AbortController().signal,
    users: {
      async createOrUpdate(info, options) {
        written.push([info, options]);
        return outcome;
      },
    },
  };
  const listener = await make(component, { infoProvider: copying, ...more });
  await listener.onSuccess?.(account, { credentials, realms }, host);
  return written;
}

describe('after a login through a custom realm', () => {
  it('the service user is created or updated', async () => {
    expect(await loggedIn()).toEqual([[{ userName: 'alice', realName: 'Alice' }, { enable: false }]]);
  });

  it('is enabled again where the file says so', async () => {
    expect(await loggedIn({ enableUserOnLogin: true })).toMatchObject([[{}, { enable: true }]]);
  });

  it('a disabled user makes the login fail', async () => {
    await expect(loggedIn({}, { outcome: 'disabled' })).rejects.toThrow('disabled');
  });

  it('a provider that throws makes the login fail', async () => {
    const infoProvider = { userInfo: () => Promise.reject(new Error('provider is down')) };
    await expect(loggedIn({ infoProvider })).rejects.toThrow('provider is down');
  });

  it('a provider that knows nothing leaves the login as it is', async () => {
    expect(await loggedIn({ infoProvider: { userInfo: () => undefined } })).toEqual([]);
  });
});

describe('nobody is made', () => {
  it.each([
    ['by a bearer token', { credentials: { kind: 'bearer', token: secret('x') } as const }],
    ['by a token of the service', { credentials: { kind: 'token', token: secret('x') } as const }],
    ['by the realm of the service', { realms: ['serviceRealm'] }],
  ])('%s', async (_what, login) => {
    expect(await loggedIn({}, login)).toEqual([]);
  });

  it('but by another realm beside that one', async () => {
    expect(await loggedIn({}, { realms: ['serviceRealm', 'corporate'] })).toHaveLength(1);
  });

  it('whatever that one is called in the file', async () => {
    expect(await loggedIn({ serviceRealms: ['own'] }, { realms: ['own'] })).toEqual([]);
  });
});

it('is declared under both names, with a provider as a must', () => {
  expect(listenerComponents['portico.UserCreationListener']).toBe(component);
  expect(component.properties?.['infoProvider']).toMatchObject({
    required: true,
    type: { reference: 'userInfoProviders' },
  });
  expect(component.properties?.['enableUserOnLogin']).toMatchObject({ type: 'boolean', fallback: false });
});

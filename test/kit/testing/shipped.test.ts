import { scryptSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { filterComponents } from '../../../filters/index.ts';
import {
  actionComponents,
  listenerComponents,
  matcherComponents,
  userInfoProviderComponents,
} from '../../../plugins/index.ts';
import { realmComponents } from '../../../realms/index.ts';
import { scrypt } from '../../../src/entry/crypto.ts';
import { checkModule, checkPlugin, type PluginExamples } from '../../../src/kit/testing/index.ts';
import { shipped } from '../../security/ini/shipped.ts';
import { explained } from './failing.ts';

const alice = { user: 'alice', password: 'Sesame-open-77' };

const salt = Buffer.from('0123456789abcdef');
const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
const digest = scryptSync(alice.password, salt, 32, { N: 2 ** 10, r: 8, p: 1 });
const storedHash = `$scrypt$ln=10,r=8,p=1$${unpadded(salt)}$${unpadded(digest)}`;

/** Answers as the endpoint of an HTTP realm does. */
async function endpoint(request: Request): Promise<Response> {
  const { user, password } = await request.json();
  if (user !== alice.user || password !== alice.password) return new Response(null, { status: 401 });
  return Response.json({ name: user, realName: 'Alice', groups: ['editors'] });
}

const pick = <T>(table: Readonly<Record<string, T>>, ...names: string[]): Record<string, T> =>
  Object.fromEntries(names.map((name) => [name, table[name]!]));

async function failuresOf(parts: Partial<typeof shipped>, examples: PluginExamples): Promise<string[]> {
  const plugin = { name: 'shipped', version: '1', contract: 1, ...parts } as typeof shipped;
  return explained(await checkModule({ default: plugin, examples }, { scrypt }));
}

describe('what ships keeps the promises of the contract', () => {
  it('as a plugin', async () => {
    expect(explained(await checkPlugin(shipped))).toEqual([]);
  });

  it('the realm of the service', async () => {
    const realms = pick(realmComponents, 'portico.ServiceRealm');
    const serviceUsers = { alice: alice.password };
    expect(await failuresOf({ realms }, [{ component: 'portico.ServiceRealm', knows: alice, serviceUsers }])).toEqual(
      [],
    );
  });

  it('the static realm, with plain passwords and with hashes', async () => {
    const realms = pick(realmComponents, 'portico.StaticRealm');
    const matchers = pick(matcherComponents, 'portico.PasswordMatcher');
    const component = 'portico.StaticRealm';
    const properties = { users: `alice:${alice.password}, bob:other` };
    expect(await failuresOf({ realms }, [{ component, properties, knows: alice }])).toEqual([]);
    const hashed = {
      component,
      main: ['matcher = portico.PasswordMatcher'],
      properties: { users: `alice:"\\${storedHash}"`, credentialsMatcher: '$matcher' },
      knows: alice,
    };
    const known = { component: 'portico.PasswordMatcher', knows: alice, stored: storedHash };
    const failures = await failuresOf({ realms, matchers }, [hashed, known]);
    expect(failures).toEqual([]);
  });

  it('the HTTP realm', async () => {
    const realms = pick(realmComponents, 'portico.HttpRealm');
    const properties = { url: 'https://people.example/login' };
    expect(
      await failuresOf({ realms }, [{ component: 'portico.HttpRealm', properties, knows: alice, backend: endpoint }]),
    ).toEqual([]);
  });

  it('the matchers', async () => {
    const matchers = pick(matcherComponents, 'portico.PlainMatcher', 'portico.HashedMatcher');
    const stored = [...new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(alice.password)))]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('');
    const examples = [
      { component: 'portico.PlainMatcher', knows: alice, stored: alice.password },
      { component: 'portico.HashedMatcher', properties: { hashAlgorithmName: 'SHA-256' }, knows: alice, stored },
    ];
    expect(await failuresOf({ matchers }, examples)).toEqual([]);
  });

  it('the user-info providers and the listener', async () => {
    const listeners = pick(listenerComponents, 'portico.UserCreationListener');
    const userInfoProviders = pick(
      userInfoProviderComponents,
      'portico.AttributeUserInfoProvider',
      'portico.LdapUserInfoProvider',
    );
    const main = ['provider = portico.AttributeUserInfoProvider'];
    const properties = { infoProvider: '$provider' };
    expect(
      await failuresOf({ listeners, userInfoProviders }, [
        { component: 'portico.UserCreationListener', main, properties },
      ]),
    ).toEqual([]);
  });

  it('the filters', async () => {
    const names = Object.keys(filterComponents).filter((name) => name.startsWith('portico.'));
    const free = ['portico.RolesFilter', 'portico.PermissionsFilter', 'portico.RestFilter'];
    const examples = free.map((component) => ({ component, freeWords: true }));
    expect(await failuresOf({ filters: pick(filterComponents, ...names) }, examples)).toEqual([]);
  });

  it('the action for queues and topics', async () => {
    const texts = { endpoint: 'https://sqs.eu-west-1.amazonaws.com', queue: '1/q', accessKey: 'AK' };
    const elements = [
      { kind: 'sqs', texts },
      { kind: 'sns', texts: { topic: 'arn:aws:sns:eu-west-1:1:t', accessKey: 'AK' } },
    ] as const;
    const backend = () => new Response('<ok/>');
    expect(
      await failuresOf({ actions: actionComponents }, [{ component: 'portico.QueueAction', elements, backend }]),
    ).toEqual([]);
  });
});

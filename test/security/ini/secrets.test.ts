import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/core/lib/errors.ts';
import { Secret } from '../../../src/core/lib/secret.ts';
import type { SecretSource } from '../../../src/security/ini/objects/secrets.ts';
import type { Plugin } from '../../../src/spi/index.ts';
import { ini, make, read } from './try.ts';

const canary = 'cAnArY-secret-4b1d';

const sourceOf = (texts: Readonly<Record<string, string>>): SecretSource => ({
  open: async (alias, key) => texts[`${alias}/${key}`],
  names: async () => Object.keys(texts).flatMap((name) => [name.replace(/\/password$/, ''), name]),
});
const source = sourceOf({
  'archive/password': canary,
  'archive/private_key': '-----BEGIN\nkey',
  'seconds/password': '90',
  'page/password': 'https://people.example.com/',
});

/** A filter `test.X` that keeps its properties. The object `x` stands in line 4. */
function keeping(fails?: (properties: Record<string, unknown>) => Error) {
  const made: Record<string, unknown>[] = [];
  const properties = {
    secret: { type: 'secret', says: 'A secret.' },
    text: {
      type: 'string',
      says: 'A text.',
      check: (text: string) => (text === 'no' ? `Expected yes: "${text}"` : undefined),
    },
    list: { type: 'list', says: 'Texts.' },
    map: { type: 'map', says: 'Texts by key.' },
    url: { type: 'url', says: 'An address.' },
    wait: { type: 'duration', says: 'A time.' },
    much: { type: 'integer', says: 'A number.' },
    flag: { type: 'boolean', says: 'A switch.' },
    inner: { type: { nested: { text: { type: 'string', says: 'A text.' } } }, says: 'More.' },
  };
  const create = (properties: Record<string, unknown>) => {
    made.push(properties);
    if (fails) throw fails(properties);
    return { check: () => ({ verdict: 'pass' as const }) };
  };
  const component = { says: 'For tests.', properties, create };
  return {
    made,
    plugin: { name: 'test', version: '1', contract: 1, filters: { 'test.X': component } } as unknown as Plugin,
  };
}
const findingsOf = async (plugin: Plugin, lines: readonly string[], secrets?: SecretSource) =>
  (await make(ini(['x = test.X', ...lines]), [plugin], 50, secrets)).findings.map(
    ({ line, code, message, nearest }) => `${line} ${code}: ${message}${nearest === undefined ? '' : ` -> ${nearest}`}`,
  );

describe('a value that names a secret', () => {
  it('is the text of the secret, for each type that has a text', async () => {
    const { plugin, made } = keeping();
    const lines = [
      'x.secret = secret:archive',
      'x.text = secret:archive/private_key',
      'x.list = a, secret:archive',
      'x.map = a:b, c:secret:archive',
      'x.map[d] = secret:seconds',
      'x.url = secret:page',
      'x.wait = secret:seconds',
      'x.much = secret:seconds',
      'x.inner.text = secret:archive',
    ];
    expect(await findingsOf(plugin, lines, source)).toEqual([]);
    expect((made[0]!['secret'] as Secret).reveal()).toBe(canary);
    expect(made[0]).toMatchObject({
      text: '-----BEGIN\nkey',
      list: ['a', canary],
      map: new Map([
        ['a', 'b'],
        ['c', canary],
        ['d', '90'],
      ]),
      url: 'https://people.example.com/',
      wait: 90_000,
      much: 90,
      inner: { text: canary },
    });
  });

  it('is a password of [users]', async () => {
    const text = ini([], undefined, '[users]\nann = secret:archive, reader\nbob = "open, sesame"');
    const { parts, findings } = await make(text, [], 50, source);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    const { realm } = parts!.realms.find(({ name }) => name === 'iniRealm')!;
    const login = (user: string, password: string) =>
      realm.authenticate({ kind: 'password', user, password: new Secret(password) }, {} as never);
    expect(await login('ann', canary)).toMatchObject({ answer: 'account', account: { roles: ['reader'] } });
    expect(await login('ann', 'secret:archive')).toMatchObject({ answer: 'refused' });
    expect(await login('bob', 'open, sesame')).toMatchObject({ answer: 'account' });
  });

  it('stops the configuration where there is no such secret: at its line, with the nearest alias', async () => {
    const { plugin, made } = keeping();
    expect(
      await findingsOf(
        plugin,
        ['x.text = secret:archiv', 'x.url = secret:archive/pasword', 'x.list = secret:zzzzzz'],
        source,
      ),
    ).toEqual([
      '5 secret: Expected a secret with a password for x.text: PUT /secret/archiv/password -> archive',
      '6 secret: Expected a secret with a pasword for x.url: PUT /secret/archive/pasword -> archive/password',
      '7 secret: Expected a secret with a password for x.list: PUT /secret/zzzzzz/password',
    ]);
    const text = ini([], undefined, '[users]\nann = secret:nothing, reader');
    const { parts, findings } = await make(text, [], 50, source);
    expect([parts, findings.find(({ code }) => code === 'secret')]).toMatchObject([
      undefined,
      { line: 7, message: 'Expected a secret with a password for the user "ann": PUT /secret/nothing/password' },
    ]);
    expect(made).toEqual([]);
  });

  it('does not take its text from an empty secret', async () => {
    const { plugin } = keeping();
    const [finding] = await findingsOf(plugin, ['x.text = secret:none'], sourceOf({ 'none/password': '' }));
    expect(finding).toMatch(/^5 secret: Expected a secret with a password for x\.text/);
  });

  it('lets a database that is away be no fault of the file', async () => {
    const { plugin } = keeping();
    const away: SecretSource = { ...source, open: () => Promise.reject(new ServiceError('store-unavailable')) };
    await expect(findingsOf(plugin, ['x.text = secret:archive'], away)).rejects.toThrow(ServiceError);
    const damaged: SecretSource = { ...source, open: () => Promise.reject(new Error('Cannot open a stored secret')) };
    expect(await findingsOf(plugin, ['x.text = secret:archive'], damaged)).toEqual([
      '5 secret: Expected a secret that opens for x.text: Cannot open a stored secret',
    ]);
  });

  it('a component prints the secret that it was given, in whatever it says', async () => {
    const { plugin } = keeping(({ text, list }) => new Error(`cannot use ${text ?? list}`));
    for (const line of ['x.text = secret:archive', 'x.list = a, secret:archive']) {
      const findings = await findingsOf(plugin, [line], source);
      expect(findings).toHaveLength(1);
      expect(findings[0]).toContain('[redacted]');
      expect(findings[0]).not.toContain(canary);
    }
    const checks = await findingsOf(keeping().plugin, ['x.text = secret:word'], sourceOf({ 'word/password': 'no' }));
    expect(checks).toEqual([
      '5 secret: Expected another secret for x.text: Expected a value that the component can use: the component refuses this secret',
    ]);
    const types = await findingsOf(keeping().plugin, ['x.much = secret:archive'], source);
    expect(types).toEqual(['5 secret: Expected another secret for x.much: it has no value of that type']);
  });

  it('stays a name where the file is only checked, and makes nothing that needs the text', async () => {
    const { plugin, made } = keeping();
    expect(await findingsOf(plugin, ['x.text = secret:archive', 'x.secret = secret:archive'])).toEqual([]);
    expect(made[0]).toMatchObject({ text: 'secret:archive' });
    expect(await findingsOf(plugin, ['x.url = secret:page'])).toEqual([]);
    expect(made).toHaveLength(1);
  });

  it('is refused where the service itself reads the value before it has secrets', () => {
    const { findings } = read(ini(['filterChainResolver.globalFilters = secret:archive']));
    expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([{ line: 4, code: 'secret' }]);
    const flags = read(ini(['x = test.X', 'x.flag = secret:archive']), [keeping().plugin]);
    expect(flags.findings).toMatchObject([{ line: 5, message: 'Expected "true" or "false": "secret:archive"' }]);
  });
});

it('a check names the texts that a secret could keep out of the file, and only those', () => {
  const lines = [
    'x = test.X',
    `x.secret = ${canary}`,
    'x.text = harmless',
    `x.map = apiKey:${canary}, publicKey:abc, accessKey:abc`,
    `x.map[Token] = ${canary}`,
    'y = test.X',
    'y.secret = secret:archive',
    'y.map = apiKey:secret:archive',
  ];
  const { plugin } = keeping();
  const { findings, blueprint } = read(ini(lines), [plugin], { hints: true });
  expect(blueprint).toBeDefined();
  expect(findings.map(({ line, severity, code, message }) => [line, severity, code, message.slice(0, 45)])).toEqual([
    [5, 'warning', 'plain-secret', 'Expected the name of a secret in x.secret, su'],
    [8, 'warning', 'plain-secret', 'Expected the name of a secret in x.map[apiKey'],
    [8, 'warning', 'plain-secret', 'Expected the name of a secret in x.map[Token]'],
  ]);
  expect(JSON.stringify(findings)).not.toContain(canary);
  expect(read(ini(lines), [plugin]).findings).toEqual([]);
});

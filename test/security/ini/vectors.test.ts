import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/core/lib/secret.ts';
import { assemble } from '../../../src/security/ini/assemble.ts';
import { readDefinition, splitDefinition, splitWords } from '../../../src/security/ini/chains/definition.ts';
import { Findings } from '../../../src/security/ini/findings.ts';
import { isContinued, splitKeyValue } from '../../../src/security/ini/scan.ts';
import { readIni } from '../../../src/security/ini/sections.ts';
import { splitQuoted } from '../../../src/security/ini/split.ts';
import type { Realm } from '../../../src/spi/index.ts';
import { differences } from './differences.ts';
import { errorsOf, hostFor, read } from './try.ts';
import { type Bean, beans, made } from './vectors-beans.ts';
import { files, idOf, listed, sameAsOriginal, type Vector, vectorsOf } from './vectors-data.ts';

const part = (text: string) => read(text, [beans], { whole: false });

/** Replaces the form login, which this service lacks: any other filter does for these cases. */
const withoutForms = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll(/\bauthc\b(?!\.)/g, 'authcBasic'));

async function build(text: string) {
  const { blueprint, findings } = part(text);
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  const { parts, findings: more } = await assemble(blueprint!, (name) => hostFor(name));
  expect(more).toEqual([]);
  return { blueprint: blueprint!, parts: parts! };
}

const chainOf = (text: string, pattern: string): string[] | undefined =>
  part(text)
    .blueprint?.chains.find((chain) => chain.pattern === pattern)
    ?.steps.map(({ filter }) => filter.name);

describe('texts', () => {
  const run: Record<string, (input: Vector['input']) => unknown> = {
    splitKeyValue: ({ line }) => {
      const { key, value } = splitKeyValue(line);
      return key === '' || value === '' ? { error: 'IllegalArgumentException' } : [key, value];
    },
    isContinued: ({ line }) => isContinued(line),
    load: ({ ini }) => {
      const findings = new Findings('');
      const sections = [...readIni(ini, '', findings).sections].map(([name, { entries }]) => [
        name,
        Object.fromEntries(entries.map(({ key, value }) => [key, value])),
      ]);
      expect(findings.failed).toBe(false);
      return { sections: Object.fromEntries(sections) };
    },
    split: ({ line, delimiter, quoteOpen, quoteClose, retainQuotes }) => {
      const quotes = { delimiter, begin: quoteOpen, end: quoteClose, keep: retainQuotes };
      return splitQuoted(line, quotes).tokens.map(({ text }) => text);
    },
  };
  it.each(sameAsOriginal('ini'))('%s', (_id, { input, expected }) => {
    expect(run[input.op]!(input)).toEqual(expected);
  });
});

describe('chains', () => {
  const run: Record<string, (input: Vector['input'], expected: Vector['expected']) => unknown> = {
    toNameConfigPair: ({ token }, [, config]) => {
      const { steps } = readDefinition(token);
      // We split what is in the brackets at once.
      expect(steps[0]!.words).toEqual(config === null ? undefined : splitWords(config));
      return [steps[0]!.name, config];
    },
    splitChainDefinition: ({ definition }) => splitDefinition(definition).map(({ text }) => text),
    chains: () => ({ hasChains: part('').blueprint!.chains.length > 0 }),
    createChain: ({ definition }) => ({
      chain: chainOf(`[main]\nfilterChainResolver.globalFilters = null\n[urls]\n/test = ${definition}`, '/test'),
    }),
    chainOf: ({ globalFilters, chains, name }) => {
      const urls = Object.entries(chains).map(([key, value]) => `/${key} = ${value}`);
      const main = `filterChainResolver.globalFilters = ${globalFilters.join()}`;
      return chainOf(['[main]', main, '[urls]', ...urls].join('\n'), name) ?? null;
    },
    addToChain: async ({ config }) => {
      const { blueprint } = part(`[main]\nx = FilterStub\n[urls]\n/** = x[${config}]`);
      const { findings } = await assemble(blueprint!, (name) => hostFor(name));
      return findings.some(({ code }) => code === 'no-brackets') ? { error: 'ConfigurationException' } : {};
    },
  };
  it.each(sameAsOriginal('chains'))('%s', async (_id, vector) => {
    const { input, expected } = withoutForms(vector);
    expect(await run[input.op]!(input, expected)).toEqual(expected);
  });
});

const login = (realm: Realm, user: string, password: string) =>
  realm.authenticate(
    { kind: 'password', user, password: new Secret(password) },
    {
      users: {
        verifyPassword: () => ({ verified: false, reason: 'unknown-user' }),
        verifyToken: () => ({ verified: false, reason: 'unknown-token' }),
      },
      signal: AbortSignal.timeout(5000),
    },
  );

async function account(text: string, user: string, password: string) {
  const { parts } = await build(text);
  const answer = await login(parts.realms[0]!.realm, user, password);
  return answer.answer === 'account' ? answer.account : undefined;
}

const given = (text: string, name: 'users' | 'roles') =>
  part(text).blueprint!.realms[0]!.given.get(name) as ReadonlyMap<string, readonly string[]>;

describe('users and roles', () => {
  /** Questions of the original to a realm, and to an account that has logged in. */
  const asked: Record<string, (text: string, ask: Vector['input']['ask']) => Promise<unknown>> = {
    roleExists: async (text, { roleExists }) => given(text, 'roles').has(roleExists),
    accountExists: async (text, { accountExists }) => given(text, 'users').has(accountExists),
    hasRole: async (text, ask) => (await account(text, ask.user, `${ask.user}_password`))!.roles!.includes(ask.hasRole),
    hasAllRoles: (text, ask) => has(text, ask.user, 'roles', ask.hasAllRoles),
    checkRoles: (text, ask) => noError(has(text, ask.user, 'roles', ask.checkRoles)),
    checkPermission: (text, ask) => noError(has(text, ask.user, 'permissions', [ask.checkPermission])),
    checkPermissions: (text, ask) => noError(has(text, ask.user, 'permissions', ask.checkPermissions)),
    isPermitted: (text, ask) => has(text, ask.user, 'permissions', [ask.isPermitted]),
    isPermittedAll: (text, ask) => has(text, ask.user, 'permissions', ask.isPermittedAll),
  };
  const noError = async (answer: Promise<boolean>) => ((await answer) ? 'no error' : 'an error');
  async function has(text: string, user: string, what: 'roles' | 'permissions', names: readonly string[]) {
    const found = (await account(text, user, `${user}_password`))![what]!;
    return names.every((name) => found.includes(name));
  }

  const run: Record<string, (input: Vector['input']) => unknown> = {
    textRealm: ({ roleDefinitions, userDefinitions, ask }) => {
      const question = Object.keys(ask).find((key) => key !== 'user')!;
      return asked[question]!(`[users]\n${userDefinitions}\n[roles]\n${roleDefinitions}`, ask);
    },
    iniRealm: ({ ini }) => (errorsOfPart(ini ?? '').length === 0 ? 'no error' : 'an error'),
    'iniRealm-init': async ({ ini, login: pair, roleAsked }) => {
      const roles = given(ini, 'roles');
      if (!pair) return { roleExists: Object.fromEntries([...roles.keys()].map((name) => [name, true])) };
      const found = await account(ini, pair[0], pair[1]);
      return { roleExists: roles.has(roleAsked), login: !!found, hasRole: found?.roles?.includes(roleAsked) };
    },
  };
  it.each(sameAsOriginal('accounts'))('%s', async (_id, { input, expected }) => {
    expect(await run[input.op]!(input)).toEqual(expected);
  });
});

const errorsOfPart = (text: string): string[] =>
  part(text)
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ code }) => code);

describe('objects', () => {
  const codes: Record<string, string> = {
    ConfigurationException: 'reference',
    UnresolveableReferenceException: 'dangling-reference',
  };

  /** The statements of the case, after objects that it takes as given. */
  function textOf({ lines, given: before }: Vector['input']): string {
    const statements = (lines as (string | [string, string, unknown])[]).map((line) =>
      typeof line === 'string' ? line : `${line[1]} = ${line[2] === '<object>' ? '$other' : line[2]}`,
    );
    const text = ['other = SimpleBean', ...Object.keys(before ?? {}).map((path) => `${path} = $other`), ...statements];
    const owners = new Set(text.map((line) => /^(\w+)\./.exec(line)?.[1]).filter((name) => name !== undefined));
    const defined = new Set(text.map((line) => /^(\w+) = /.exec(line)?.[1]));
    const missing = [...owners].filter((name) => !defined.has(name)).map((name) => `${name} = CompositeBean`);
    return ['[main]', ...missing, ...text].join('\n');
  }

  async function objectsOf(text: string): Promise<ReadonlyMap<string, Bean>> {
    const { blueprint } = part(text);
    const found = new Map<string, Bean>();
    // Each object is what its users were given, so one more user of all of them shows them.
    const names = blueprint!.objects.filter(({ entry }) => entry.plugin === 'beans').map(({ name }) => name);
    const { blueprint: watched } = part(
      `${text}\nall = CompositeBean\nall.simpleBeanList = ${names.map((name) => `$${name}`).join()}`,
    );
    let all: Bean | undefined;
    const watch = watched!.objects.find(({ name }) => name === 'all')!;
    const component = {
      ...watch.entry.component!,
      create: async (given: never, host: never) => {
        all = (await watch.entry.component!.create(given, host)) as Bean;
        return all;
      },
    };
    const objects = watched!.objects.map((plan) =>
      plan === watch ? { ...plan, entry: { ...plan.entry, component } } : plan,
    );
    const { findings } = await assemble({ ...watched!, objects }, (name) => hostFor(name));
    expect(findings).toEqual([]);
    const list = all!.properties['simpleBeanList'] as readonly Bean[];
    for (const [index, name] of names.entries()) found.set(name, list[index]!);
    return found;
  }

  function lookUp(objects: ReadonlyMap<string, Bean>, path: string): unknown {
    const [name, ...rest] = path.split('.');
    const inner = (value: unknown, key: string): unknown => {
      if (value === undefined) return undefined;
      if (key === 'size') return (value as readonly unknown[]).length;
      return (value as Bean).properties[key];
    };
    return rest.reduce(inner, objects.get(name!) as unknown);
  }

  const plain = (value: unknown): unknown => (value instanceof Map ? Object.fromEntries(value) : (value ?? null));
  const isBean = (value: unknown): boolean => typeof value === 'object' && value !== null && 'matches' in value;

  it.each(sameAsOriginal('objects'))('%s', async (_id, { input, expected }) => {
    const text = textOf(input);
    if (expected.error) {
      expect(errorsOfPart(text)).toEqual([codes[expected.error]]);
      return;
    }
    made.length = 0;
    const objects = await objectsOf(text);
    for (const [path, value] of Object.entries(expected)) {
      const [owner, last] = [path.split('.')[0]!, path.split('.').at(-1)!];
      const found = lookUp(objects, objects.has(owner) ? path : `bean.${path}`);
      if (last === 'initialized' || last === 'initCount') {
        expect(made.filter((name) => name === owner)).toHaveLength(1);
      } else if (value === '<object>') expect(isBean(found)).toBe(true);
      else if (typeof value === 'string' && value.startsWith('the same object as ')) {
        expect(found).toBe(objects.get(value.slice('the same object as '.length)));
      } else if (path !== 'type') expect(plain(found)).toEqual(value);
    }
  });
});

describe('whole files', () => {
  const visible = (ini: string): string => (ini.includes('[urls]') ? ini : `${ini}\n[urls]\n/index.html = anon`);
  /** By the key of what is expected. */
  const seen: Record<string, (ini: string) => unknown> = {
    securityManager: (ini) => (errorsOfPart(ini).length === 0 ? 'DefaultSecurityManager' : 'none'),
    realms: (ini) => part(ini).blueprint!.realms.map(({ entry }) => entry.className.split('.').at(-1)),
    accountExists: (ini) => [...given(ini, 'users').keys()][0],
    globalFilters: (ini) => chainOf(visible(ini), '/index.html')!.slice(0, -1),
    'chain /index.html': (ini) => chainOf(ini, '/index.html'),
    'login admin/secret': async (ini) => (await account(ini, 'admin', 'secret')) !== undefined,
    principal: async (ini) => (await account(ini, 'admin', 'secret'))!.name,
  };
  it.each(sameAsOriginal('files'))('%s', async (_id, vector) => {
    const { input, expected } = withoutForms(vector);
    const ini = input.ini ?? '';
    if (expected === 'no error') {
      expect(errorsOfPart(ini)).toEqual([]);
      return;
    }
    for (const [key, value] of Object.entries(expected)) expect(await seen[key]!(ini), key).toEqual(value);
  });
});

describe('the table of differences', () => {
  it('lists only cases that exist, each once', () => {
    const all = files.flatMap((file) => vectorsOf(file).map(idOf));
    const vectors = differences.flatMap(({ vectors: ids = [] }) => ids);
    expect(vectors.filter((id) => !all.includes(id))).toEqual([]);
    expect(vectors).toHaveLength(listed.size);
  });

  it('leaves most cases to the original', () => {
    const counts = files.map((file) => [vectorsOf(file).length, sameAsOriginal(file).length] as const);
    const [all, same] = counts.reduce(([a, b], [c, d]) => [a + c, b + d] as const);
    expect(same).toBeGreaterThan(all * 0.6);
  });

  it('says what, how and why in each row', () => {
    expect(new Set(differences.map(({ id }) => id)).size).toBe(differences.length);
    for (const { original, portico, why } of differences) {
      for (const sentence of [original, portico, why]) expect(sentence).toMatch(/^[A-Z`$[].*\.$/s);
    }
  });
});

it('has the whole configuration in one place, so a part alone lacks the service realm and the token filter', () => {
  expect(errorsOf('[urls]\n/** = anon')).toEqual(['1:1 service-realm', '1:1 token-filter']);
});

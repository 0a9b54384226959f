import { describe, expect, it } from 'vitest';
import { EarlierPatterns, patternSegments } from '../../../src/security/ini/chains/cover.ts';
import { readDefinition } from '../../../src/security/ini/chains/definition.ts';
import { canonicalPattern } from '../../../src/security/path.ts';
import { compilePatterns } from '../../../src/security/patterns.ts';
import type { Plugin } from '../../../src/spi/index.ts';
import { dice } from '../../support/random.ts';
import { costSince, cpuTime } from '../../support/turns.ts';
import { errorsOf, ini, make, read } from './try.ts';

const steps = (text: string) => readDefinition(text).steps.map(({ name, words }) => (words ? [name, ...words] : name));

describe('chain definitions', () => {
  it.each([
    ['anon', ['anon']],
    ['a, b[c], d[e, f]', ['a', ['b', 'c'], ['d', 'e', 'f']]],
    ['roles [a]', [['roles', 'a']]],
    ['a[]', ['a']],
    ['a[ ]', ['a']],
    ['a[b] , c', [['a', 'b'], 'c']],
    ['roles["a,b"]', [['roles', 'a', 'b']]],
    ['perms["a:b,c"]', [['perms', 'a:b', 'c']]],
    ['perms["a:b,c", "d"]', [['perms', 'a:b,c', 'd']]],
    ["roles['a,b']", [['roles', "'a", "b'"]]],
  ])('reads %s', (text, expected) => {
    expect([steps(text), readDefinition(text).misread]).toEqual([expected, []]);
  });

  it.each([
    ['roles[a', 'Expected "]": "roles[a" ends without it'],
    ['roles[a]x', 'Expected a comma or the end after "]": "x"'],
    ['roles[a] x', 'Expected a comma or the end after "]": "x"'],
    ['roles[a]]', 'Expected a comma or the end after "]": "]"'],
    ['roles[[a]]', 'Expected "]" before the next "[": "roles[[a]]"'],
    ['roles]a', 'Expected "[" before "]": "roles]a"'],
    ['[a]', 'Expected the name of a filter before "[": "[a]"'],
    ['a,, b', 'Expected a filter: nothing between two commas'],
    ['a,', 'Expected a filter: nothing between two commas'],
    ['roles["a]', 'Expected a closing quote in the brackets: ""a"'],
    ['roles[a,]', 'Expected a word between commas in the brackets: "a,"'],
    ['perms["a",""]', 'Expected a word between commas in the brackets: ""a","""'],
  ])('refuses %s', (text, message) => {
    expect(readDefinition(text).misread.map((one) => one.message)).toContain(message);
  });
});

const codes = (urls: string[], main: string[] = []) =>
  read(ini(main, urls), [], { canonicalPattern }).findings.map(
    ({ severity, line, column, code }) => `${line}:${column} ${severity} ${code}`,
  );
const catchAll = '/** = tokenAuth[permissive], authcBasic';

describe('[urls]', () => {
  it('puts the global filters first', async () => {
    const names = async (...main: string[]) =>
      (await make(ini(main, [catchAll]))).parts!.chains[0]!.steps.map(({ name }) => name);
    expect(await names()).toEqual(['invalidRequest', 'tokenAuth', 'authcBasic']);
    expect(await names('filterChainResolver.globalFilters = null')).toEqual(['tokenAuth', 'authcBasic']);
    expect(await names('filterChainResolver.globalFilters = ssl, ip', 'ip.authorizedIps = 10.0.0.0/8')).toEqual([
      'ssl',
      'ip',
      'tokenAuth',
      'authcBasic',
    ]);
    expect(codes([catchAll], ['filterChainResolver.globalFilters = $ssl'])[0]).toBe('4:37 error reference-to-text');
    expect(codes([catchAll], ['filterChainResolver.globalFilters = ssll'])).toEqual(['4:1 error unknown-filter']);
  });

  it('keeps both brackets of a filter that stands twice', async () => {
    const { parts } = await make(ini([], ['/a = tokenAuth[permissive], roles[a], roles[b, c]', catchAll]));
    expect(parts!.chains[0]!.steps.slice(2).map(({ options }) => options)).toEqual([['a'], ['b', 'c']]);
  });

  it.each([
    ['a filter that nobody has', '/a = authcBasc', '5:6 error unknown-filter'],
    ['a filter in other case', '/a = AuthcBasic', '5:6 error unknown-filter'],
    ['an object that is no filter', '/a = tokenAuth, serviceRealm', '5:17 error wrong-kind'],
    ['a bracket that stays open', '/a = tokenAuth, roles[a', '5:17 error chain'],
    ['an empty place', '/a = tokenAuth, , anon', '5:17 error chain'],
    ['a pattern without a slash', 'a/** = anon', '5:1 error pattern'],
    ['the same pattern in another spelling', '/API/x = anon\n/x = deny', '6:1 error repeated-key'],
  ])('refuses %s', (_what, line, error) => {
    const told = codes([...line.split('\n'), catchAll], ['deny = com.service.security.auth.DenyFilter']);
    // The line above makes the first rule line 6.
    expect(told).toEqual([error.replace(/^\d+/, (number) => String(Number(number) + 1))]);
  });

  it('names the filter that was meant', () => {
    expect(read(ini([], ['/** = tokenAuth, authcBasc'])).findings[0]!.nearest).toBe('authcBasic');
  });

  it('has what is in the brackets read by the filter, at start', async () => {
    const told = async (line: string) =>
      (await make(ini([], [line]))).findings.map(({ line: at, column, code }) => `${at}:${column} ${code}`);
    expect(await told('/** = tokenAuth, authcBasic, port[abc]')).toEqual(['5:30 brackets']);
    expect(await told('/** = tokenAuth, authcBasic, anon[x]')).toEqual(['5:30 no-brackets']);
    expect(await told('/** = tokenAuth, authcBasic, anon[]')).toEqual([]);
  });

  it('leaves out a filter that is switched off, and says so', async () => {
    const plugin: Plugin = {
      name: 'test',
      version: '1',
      contract: 1,
      filters: { 'test.X': { says: 'For tests.', create: () => ({ check: () => ({ verdict: 'pass' }) }) } },
    };
    const chain = '/** = tokenAuth, x';
    const { parts, findings } = await make(ini(['x = test.X', 'x.enabled = no'], [chain]), [plugin]);
    expect(parts!.chains[0]!.steps.map(({ name }) => name)).toEqual(['invalidRequest', 'tokenAuth']);
    expect(findings.map(({ severity, line, code }) => `${line} ${severity} ${code}`)).toEqual(['5 warning filter-off']);
    const on = await make(ini(['x = test.X', 'x.enabled = yes'], [chain]), [plugin]);
    expect([on.parts!.chains[0]!.steps.length, on.findings]).toEqual([3, []]);
    expect(errorsOf(ini(['x = test.X', 'x.enabled = nope'], [chain]), [plugin])).toEqual(['5:13 value']);
  });

  it('warns of rules that nothing reaches', () => {
    expect(codes(['/a/** = anon', '/a/b = anon', catchAll, '/c = anon'])).toEqual([
      '6:1 warning dead-rule',
      '8:1 warning dead-rule',
    ]);
    expect(codes(['/A = anon', '/a = anon', catchAll])).toEqual([]);
    expect(codes(['/A = anon', '/a = anon', catchAll], ['filterChainResolver.caseInsensitive = true'])).toEqual([
      '7:1 error repeated-key',
    ]);
  });

  it('warns where a path may meet no line', () => {
    expect(codes(['/a/** = tokenAuth'])).toEqual(['4:1 warning no-catch-all']);
    expect(codes(['/** = tokenAuth, authcBasic'])).toEqual([]);
    expect(codes([])).toEqual(['1:1 warning no-catch-all', '1:1 warning token-filter-unreached']);
  });

  it('hands patterns to the function that makes them comparable, and tells what it throws', () => {
    const { blueprint } = read(ini([], ['/API/x/** = anon', catchAll]), [], { canonicalPattern });
    expect(blueprint!.chains.map(({ pattern }) => pattern)).toEqual(['/x/**', '/**']);
    const refused = read(ini([], [catchAll]), [], {
      canonicalPattern: () => {
        throw new Error('it is odd');
      },
    });
    expect(refused.findings.map(({ message }) => message)).toContain(
      'Expected a pattern that a path can match: it is odd',
    );
  });
});

describe('which pattern covers which', () => {
  const covers = (wide: string, narrow: string): boolean => {
    const earlier = new EarlierPatterns<true>();
    earlier.add(patternSegments(wide), true);
    return earlier.covering(patternSegments(narrow)) === true;
  };

  it.each([
    ['/**', '/a', true],
    ['/**', '/', true],
    ['/a/**', '/a', true],
    ['/a/**', '/a/b/**', true],
    ['/a/*', '/a/b', true],
    ['/a/*', '/a/b/c', false],
    ['/a/*', '/a/**', false],
    ['/a*', '/ab?', true],
    ['/a?', '/a*', false],
    ['/**/x', '/a/b/x', true],
    ['/**/x', '/a/x/b', false],
    ['/a/**/b', '/a/**/c/b', true],
    ['/ab', '/a', false],
    ['/**/**', '/**', true],
    ['/*/**', '/**', false],
  ])('%s covers %s: %s', (wide, narrow, expected) => {
    expect(covers(wide, narrow)).toBe(expected);
  });

  it('never says so of patterns that a path tells apart', () => {
    const roll = dice(7);
    const pieces = ['a', 'b', 'ab', '*', '**', '?', 'a*', '?b'];
    const pattern = () => `/${Array.from({ length: 1 + roll(3) }, () => pieces[roll(pieces.length)]).join('/')}`;
    const paths = Array.from(
      { length: 300 },
      () => `/${Array.from({ length: roll(4) }, () => ['a', 'b', 'ab', 'cb', 'abc'][roll(5)]).join('/')}`,
    );
    let covered = 0;
    for (let i = 0; i < 3000; i++) {
      const [wide, narrow] = [pattern(), pattern()];
      if (!covers(wide, narrow)) continue;
      covered++;
      const [all, some] = [compilePatterns([wide]), compilePatterns([narrow])];
      for (const path of paths)
        if (some.first(path) === 0) expect([wide, narrow, path, all.first(path)]).toEqual([wide, narrow, path, 0]);
    }
    expect(covered).toBeGreaterThan(100);
  });
});

it('looks at thousands of rules without comparing each with each', () => {
  const rules = Array.from({ length: 2000 }, (_, index) => `/area/*/part-${index}*/x-*-${index}/** = tokenAuth`);
  const start = cpuTime();
  expect(codes([...rules, catchAll])).toEqual([]);
  expect(costSince(start)).toBeLessThan(3000);
});

it('bounds how long a pattern is', () => {
  expect(codes([`/${'a/'.repeat(100_000)} = tokenAuth`, catchAll])).toEqual(['5:1 error pattern']);
});

it('reads the rule of the description', () => {
  expect(
    errorsOf(
      ini(
        ['oauth2Auth = com.service.security.auth.BearerAuthenticationFilter'],
        ['/** = noSessionCreation, tokenAuth[permissive], oauth2Auth[permissive], authcBasic'],
      ),
    ),
  ).toEqual([]);
});

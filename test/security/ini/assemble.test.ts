import { describe, expect, it } from 'vitest';
import { openPathLines } from '../../../src/security/ini/objects/blocked-paths.ts';
import { registryOf } from '../../../src/security/ini/registry.ts';
import { readSecurityIni, referencedClasses } from '../../../src/security/ini/security-ini.ts';
import type { Host, Plugin } from '../../../src/spi/index.ts';
import { shipped, shippedRegistry } from './shipped.ts';
import { ini, make, read } from './try.ts';

const pass = { check: () => ({ verdict: 'pass' as const }) };

/** A plugin whose filter `test.X` is made by this; the object `x` stands in line 4. */
function making(
  create: (properties: Record<string, unknown>, host: Host) => unknown,
  kind: 'filters' | 'realms' | 'listeners' = 'filters',
): Plugin {
  const component = { says: 'For tests.', properties: { secret: { type: 'secret', says: 'A secret.' } }, create };
  return { name: 'test', version: '1', contract: 1, [kind]: { 'test.X': component } } as unknown as Plugin;
}
const told = async (plugin: Plugin, ...lines: string[]) =>
  (await make(ini(['x = test.X', ...lines]), [plugin], 50)).findings.map(
    ({ line, code, message }) => `${line} ${code}: ${message}`,
  );

describe('components', () => {
  it('get a host under the name of their object', async () => {
    const names: string[] = [];
    await make(ini(['x = test.X']), [
      making((_properties, host) => {
        names.push(host.name);
        return pass;
      }),
    ]);
    expect(names).toEqual(['x']);
  });

  it('are awaited', async () => {
    const { parts, findings } = await make(ini(['x = test.X'], ['/** = tokenAuth, x']), [making(async () => pass)]);
    expect([findings, parts!.chains[0]!.steps.at(-1)!.filter]).toEqual([[], pass]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no room\n  at secret place');
      },
      '4 not-made: Expected x (test.X) to be made: no room',
    ],
    [
      'throws a sentence of ours',
      () => {
        throw new Error('Expected a room: none.');
      },
      '4 not-made: Expected a room: none',
    ],
    [
      'throws nothing',
      () => {
        throw undefined;
      },
      '4 not-made: Expected x (test.X) to be made: it threw without saying why',
    ],
    ['rejects', () => Promise.reject(new Error('no')), '4 not-made: Expected x (test.X) to be made: no'],
    ['hangs', () => new Promise(() => {}), '4 not-made: Expected x (test.X) to be made: it took longer than 50 ms'],
    ['returns nothing', () => undefined, '4 junk: Expected a filter from test.X: undefined'],
    ['returns null', () => null, '4 junk: Expected a filter from test.X: null'],
    ['returns a text', () => 'filter', '4 junk: Expected a filter from test.X: string'],
    [
      'returns another kind',
      () => ({ supports: () => true }),
      '4 junk: Expected a filter from test.X: something without the method check',
    ],
    [
      'has options that are no method',
      () => ({ ...pass, options: [] }),
      '4 junk: Expected a filter from test.X: something whose options is no method',
    ],
    [
      'has a getter that throws',
      () => ({
        get check() {
          throw new Error('got you');
        },
      }),
      '4 not-made: Expected x (test.X) to be made: got you',
    ],
  ])('one that %s is a finding at its line', async (_what, create, finding) => {
    expect(await told(making(create))).toEqual([finding]);
  });

  it('of other kinds are looked at, too', async () => {
    expect(await told(making(() => ({ supports: 1, authenticate() {} }), 'realms'))).toEqual([
      expect.stringContaining('4 passwords-told'),
      '4 junk: Expected a realm from test.X: something without the method supports',
    ]);
    expect(await told(making(() => ({}), 'listeners'))).toEqual([
      '4 junk: Expected an authentication listener from test.X: something without a method onSuccess or onFailure',
    ]);
    expect(await told(making(() => ({ onSuccess() {} }), 'listeners'))).toEqual([]);
  });

  it('cannot put a secret into a finding', async () => {
    const quoting = making(({ secret }) => {
      throw new Error(`bad password ${(secret as { reveal(): string }).reveal()}!`);
    });
    expect(await told(quoting, 'x.secret = hunter2')).toEqual([
      '4 not-made: Expected x (test.X) to be made: bad password [redacted]!',
    ]);
    expect((await told(quoting, 'x.secret = e')).join()).not.toContain('bad password');
  });

  it('cannot show how a secret begins by putting it where a long message is cut', async () => {
    const quoting = making(({ secret }) => {
      throw new Error(`${'x'.repeat(295)}${(secret as { reveal(): string }).reveal()}`);
    });
    expect((await told(quoting, 'x.secret = hunter2')).join()).not.toContain('xh');
  });

  it('whose brackets throw are a finding at the brackets', async () => {
    const odd = making(() => ({
      ...pass,
      options: ([word]: string[]) => {
        throw new Error(`${word} is odd`);
      },
    }));
    const { findings } = await make(ini(['x = test.X'], ['/** = tokenAuth, x[a, b]']), [odd]);
    expect(findings.map(({ line, column, message }) => [line, column, message])).toEqual([
      [6, 18, 'Expected brackets that x can use: a is odd'],
    ]);
  });

  it('that want to be closed are handed over, last made first, also when another fails', async () => {
    const closed: string[] = [];
    const closer = making((_properties, host) => ({
      ...pass,
      close: () => {
        closed.push(host.name);
      },
    }));
    const { closing, parts } = await make(ini(['x = test.X', 'y = test.X']), [closer]);
    for (const each of closing) await each.close();
    expect([closed, parts === undefined]).toEqual([['y', 'x'], false]);
    const failing = await make(ini(['x = test.X', 'h = portico.HttpRealm', 'h.url = http://example.com']), [closer]);
    expect([failing.parts, failing.closing.map(({ name }) => name)]).toEqual([undefined, ['x']]);
  });

  it('are not made at all when the file has an error', async () => {
    let made = 0;
    await make(ini(['x = test.X', 'x.nosuch = 1']), [
      making(() => {
        made++;
        return pass;
      }),
    ]);
    expect(made).toBe(0);
  });

  it('that nobody declared or named are not made, but for actions and storage schemes that need nothing', () => {
    expect(read(ini()).blueprint!.objects.map(({ name }) => name)).toEqual([
      'serviceRealm',
      'tokenAuth',
      'invalidRequest',
      'authcBasic',
      'portico.QueueAction',
      'portico.WebStorage',
      'portico.BucketStorage',
    ]);
  });
});

describe('class names', () => {
  const other: Plugin = {
    name: 'other',
    version: '1',
    contract: 1,
    filters: { 'test.X': { says: 'Other.', create: () => pass } },
  };

  it('stay with the first plugin that brings them', () => {
    const { registry, findings } = registryOf([making(() => pass), other]);
    expect(findings.map(({ file, code, message }) => [file, code, message])).toEqual([
      ['other', 'name-taken', 'Expected a class name that is free: "test.X" is taken by test'],
    ]);
    expect(registry.find('test.X')!.plugin).toBe('test');
  });

  it('cannot be taken from the service', () => {
    const bold: Plugin = {
      ...other,
      filters: { 'com.service.security.auth.TokenAuthenticationFilter': { says: 'Mine.', create: () => pass } },
    };
    expect(shippedRegistry([bold]).findings.map(({ code }) => code)).toEqual(['name-taken']);
    expect(
      registryOf([
        { ...other, filters: { 'org.apache.shiro.authc.pam.AllSuccessfulStrategy': other.filters!['test.X']! } },
      ]).findings,
    ).toHaveLength(1);
  });

  it('have no blanks', () => {
    const odd: Plugin = { ...other, filters: { 'a b': other.filters!['test.X']! } };
    expect(registryOf([odd]).findings.map(({ code }) => code)).toEqual(['class-name']);
  });

  it('can be files and packages, which the loader fetches before', () => {
    const text = ini(['r = file:./my-realm.ts#Name', 'f.class = their-package', ...openPathLines]);
    expect(
      referencedClasses(text).map(({ className, position: { line, column } }) => [className, line, column]),
    ).toEqual([
      ['com.service.security.auth.DefaultServiceRealm', 2, 16],
      ['com.service.security.auth.TokenAuthenticationFilter', 3, 13],
      ['file:./my-realm.ts#Name', 4, 5],
      ['their-package', 5, 11],
    ]);
    const loaded = [
      { text: 'file:./my-realm.ts#Name', plugin: making(() => pass), component: 'test.X' },
      { text: 'their-package', plugin: other },
    ];
    const { registry } = registryOf([shipped], { loaded });
    expect(readSecurityIni(text, 'security.ini', registry).findings).toEqual([]);
  });

  it('that could not be fetched say why, at their line', () => {
    const text = ini([
      'r = file:./my-realm.ts',
      'f = their-package',
      'g = many',
      'h = file:./x.ts#Y',
      ...openPathLines,
    ]);
    const two: Plugin = { ...other, filters: { A: other.filters!['test.X']!, B: other.filters!['test.X']! } };
    const { registry } = registryOf([shipped], {
      failed: new Map([['file:./my-realm.ts', 'there is no such file']]),
      loaded: [
        { text: 'many', plugin: two },
        { text: 'file:./x.ts#Y', plugin: two, component: 'Y' },
      ],
    });
    expect(
      readSecurityIni(text, 'security.ini', registry).findings.map(({ line, column, message }) => [
        line,
        column,
        message,
      ]),
    ).toEqual([
      [4, 5, 'Expected a component in "file:./my-realm.ts", for the object "r": there is no such file'],
      [
        5,
        5,
        'Expected a class name that the service or a plugin brings, for the object "f": something that is no class name',
      ],
      [
        6,
        5,
        'Expected a component in "many", for the object "g": it brings 2 components, so the reference ends with "#" and one of their names: A, B',
      ],
      [
        7,
        5,
        'Expected a component in "file:./x.ts#Y", for the object "h": it brings no component named "Y", only: A, B',
      ],
    ]);
  });
});

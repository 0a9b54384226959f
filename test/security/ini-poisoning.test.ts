import { afterEach, describe, expect, it } from 'vitest';
import { defaultIni } from '../../src/security/ini/default-ini.ts';
import { errorsOf, ini, make, read } from './ini/try.ts';

const prototypes = [Object, Array, Function, Map, String, Promise].map((made) => made.prototype as object);
const snapshot = () =>
  prototypes.map((prototype) =>
    JSON.stringify(
      Object.entries(Object.getOwnPropertyDescriptors(prototype)).map(([key, { value }]) => [key, typeof value]),
    ),
  );
const before = snapshot();

afterEach(() => expect(snapshot()).toEqual(before));

const names = ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf', '__defineGetter__'];

describe('names that every object inherits', () => {
  it.each(names)('%s as an object, a property, a class, a reference', (name) => {
    expect(errorsOf(ini([`${name}.x = 1`]))).toEqual(['4:1 undefined-object']);
    expect(errorsOf(ini([`${name}.prototype.x = 1`]))).toEqual(['4:1 undefined-object']);
    expect(errorsOf(ini([`tokenAuth.${name} = 1`]))).toEqual(['4:1 unknown-property']);
    expect(errorsOf(ini([`tokenAuth.${name}.x = 1`]))).toEqual(['4:1 unknown-property']);
    expect(errorsOf(ini([`tokenAuth.applicationName.${name} = 1`]))).toEqual(['4:1 nested-nothing']);
    expect(errorsOf(ini([`ssl.hsts.${name} = 1`]))).toEqual(['4:1 unknown-property']);
    expect(errorsOf(ini([`securityManager.${name}.x = 1`]))).toEqual(['4:1 unknown-property']);
    expect(errorsOf(ini([`shiro.${name} = 1`]))).toEqual(['4:1 unknown-property']);
    expect(errorsOf(ini([`x = ${name}`]))).toEqual(['4:5 unknown-class']);
    expect(errorsOf(ini([`securityManager.realms = $${name}`]))).toContain('4:26 dangling-reference');
    expect(
      errorsOf(ini(['securityManager.realms = $serviceRealm', `filterChainResolver.globalFilters = ${name}`])),
    ).toEqual(['5:1 unknown-filter']);
    expect(errorsOf(ini([], [`/** = tokenAuth, ${name}`]))).toEqual(['5:18 unknown-filter']);
    expect(errorsOf(`${ini()}\n[${name}]\na = b`)).toEqual(['7:1 unknown-section']);
  });

  it.each(names)('%s as an object that is defined, a user, a role, a map entry', async (name) => {
    const text = ini(
      [
        `${name} = com.service.security.auth.DenyFilter`,
        's = portico.StaticRealm',
        `s.users[${name}] = pw`,
        'p = portico.AttributeUserInfoProvider',
        `p.metadata = ${name}:x`,
      ],
      [`/${name} = ${name}`, '/** = tokenAuth[permissive], authcBasic'],
      `[users]\n${name} = pw, ${name}\n[roles]\n${name} = a:b`,
    );
    const { parts, findings } = await make(text);
    expect(findings).toEqual([]);
    expect(parts!.chains[0]!.steps.at(-1)!.name).toBe(name);
    const { blueprint } = read(text);
    expect([...(blueprint!.realms[0]!.given.get('users') as Map<string, unknown>).keys()]).toEqual([name]);
    expect(Object.getPrototypeOf(blueprint)).toBe(Object.prototype);
  });

  it('leaves the built-in file as it is', async () => {
    expect((await make(defaultIni)).findings).toEqual([]);
  });
});

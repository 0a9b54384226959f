import { describe, expect, it } from 'vitest';
import { defaultFilters, filterComponents } from '../../filters/index.ts';
import type { Verdict } from '../../src/spi/index.ts';
import { filterDifferences } from './differences.ts';
import { ask, filterHost, make } from './support.ts';

const names = Object.keys(filterComponents);
const service = 'com.service.security.auth';
const web = 'org.apache.shiro.web.filter';

describe('class names', () => {
  it('class names of the description, of the original and of our own are known', () => {
    expect(names.filter((name) => name.startsWith(`${service}.`)).sort()).toEqual([
      `${service}.BearerAuthenticationFilter`,
      `${service}.DenyFilter`,
      `${service}.TokenAuthenticationFilter`,
    ]);
    expect(filterComponents[`${web}.authc.BasicHttpAuthenticationFilter`]).toBe(
      filterComponents['portico.BasicFilter'],
    );
    expect(new Set(Object.values(filterComponents)).size).toBe(
      names.filter((name) => name.startsWith('portico.')).length,
    );
  });

  it('of the objects that exist without being declared', () => {
    expect(Object.keys(defaultFilters).sort()).toEqual(
      'anon authcBasic authcBearer deny invalidRequest ip logout methods noSessionCreation perms port rateLimit rest roles sessionAuth ssl user'.split(
        ' ',
      ),
    );
    for (const name of Object.values(defaultFilters)) expect(names).toContain(name);
  });
});

describe.each(names.filter((name) => name.startsWith('portico.')))('%s', (name) => {
  const component = filterComponents[name]!;

  it('says what it is and what its properties are', () => {
    for (const { says } of [component, ...Object.values(component.properties ?? {})]) {
      expect(says).toMatch(/^[A-Z`].*\.$/);
    }
  });

  it('can be made of nothing, and answers without a body and with a reason that has a stable form', async () => {
    const verdict = await ask(await make(component), undefined, { headers: { host: 'portico.test' }, port: 1 });
    if (verdict.verdict !== 'refuse') return;
    expect(verdict.reason).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
    expect(Object.keys(verdict.response).sort()).toEqual(['headers', 'status']);
  });

  it.skipIf(name === 'portico.TokenFilter')('lets everything pass when it is switched off, and says so', async () => {
    const host = filterHost('it');
    const filter = await make(component, { enabled: false }, host);
    const passed: Verdict = { verdict: 'pass' };
    expect(await ask(filter, undefined, { rawPath: '/a;b', headers: { authorization: 'Basic !' } })).toEqual(passed);
    expect(filter.authenticates ?? false).toBe(false);
    if (!['portico.AnonymousFilter', 'portico.NoSessionCreationFilter'].includes(name)) {
      expect(host.lines).toEqual([['warn', 'filter-off']]);
      expect(Boolean(filter.options)).toBe(Boolean((await make(component)).options));
    }
  });
});

it('each difference from the original says what, instead of what, and why', () => {
  for (const { filter, original, portico, why } of filterDifferences) {
    for (const name of filter.split(', '))
      expect([...Object.keys(defaultFilters), 'tokenAuth', 'oauth2Auth']).toContain(name);
    for (const text of [original, portico, why]) expect(text).toMatch(/\.$/);
  }
});

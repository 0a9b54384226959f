import { describe, expect, it } from 'vitest';
import type { Component, Filter, Plugin, PropertyTable } from '../../../src/spi/index.ts';
import { errorsOf, ini, make, messagesOf, read } from './try.ts';

const properties: PropertyTable = {
  text: { type: 'string', says: 'A text.' },
  secret: {
    type: 'secret',
    says: 'A secret.',
    check: (value) => (value.reveal() === 'hunter2' ? 'Expected another secret than hunter2' : undefined),
  },
  flag: { type: 'boolean', says: 'A flag.' },
  count: { type: 'integer', says: 'A number.', check: (value) => (value > 9 ? 'it is above 9' : undefined) },
  wait: { type: 'duration', says: 'A duration.' },
  address: { type: 'url', says: 'A URL.' },
  names: { type: 'list', says: 'Names.' },
  labels: { type: 'map', says: 'Labels.' },
  more: { type: 'map', says: 'Labels.', fallback: { a: 'b' } },
  colour: { type: { choice: ['red', 'green'] }, says: 'A colour.' },
  realm: { type: { reference: 'realms' }, says: 'A realm.' },
  others: { type: { references: 'filters' }, says: 'Filters.' },
  inner: {
    type: {
      nested: { size: { type: 'integer', says: 'A size.', fallback: 4 }, note: { type: 'string', says: 'A note.' } },
    },
    says: 'Nested.',
  },
  // As a component of somebody else might be called; neither reaches a prototype.
  ['constructor' as string]: { type: 'string', says: 'A trap.' },
};

let given: Record<string, unknown> = {};
const probe: Component<Filter> = {
  says: 'For tests.',
  properties,
  create(values) {
    given = values;
    return { check: () => ({ verdict: 'pass' }) };
  },
};
const needy: Component<Filter> = {
  ...probe,
  properties: { token: { type: 'string', says: 'Needed.', required: true } },
};
const plugin: Plugin = {
  name: 'probe',
  version: '1',
  contract: 1,
  filters: { 'test.Probe': probe, 'test.Needy': needy },
};

/** The lines follow `x = test.Probe` of line 4, so the first of them is line 5. */
const file = (...lines: string[]) => ini(['x = test.Probe', ...lines]);
const errors = (...lines: string[]) => errorsOf(file(...lines), [plugin]);
const messages = (...lines: string[]) => messagesOf(file(...lines), [plugin]);
async function value(line: string, property: string): Promise<unknown> {
  const { findings } = await make(file(line), [plugin]);
  expect(findings).toEqual([]);
  return given[property];
}

describe('values', () => {
  it.each([
    ['text = a # b', 'text', 'a # b'],
    ['text = "abc"', 'text', '"abc"'],
    ['text = ""', 'text', ''],
    ['text = "null"', 'text', 'null'],
    ['text = """"', 'text', '""'],
    ['text = \\$500', 'text', '$500'],
    ['text = null', 'text', undefined],
    ['text = a $x', 'text', 'a $x'],
    ['flag = Yes', 'flag', true],
    ['flag = 1', 'flag', true],
    ['flag = OFF', 'flag', false],
    ['count = -007', 'count', -7],
    ['wait = 90', 'wait', 90_000],
    ['wait = 5m', 'wait', 300_000],
    ['wait = 12h', 'wait', 43_200_000],
    ['wait = 1d', 'wait', 86_400_000],
    ['address = https://example.com/a', 'address', 'https://example.com/a'],
    ['names = a, "b, c", \\$d', 'names', ['a', 'b, c', '$d']],
    ['names = null', 'names', []],
    ['names = null, ""', 'names', ['null', '']],
    [
      'labels = a:b, "c:d" : "e, f", g:',
      'labels',
      new Map([
        ['a', 'b'],
        ['c:d', 'e, f'],
        ['g', ''],
      ]),
    ],
    ['labels[java.naming.x] = plain, "ssl"', 'labels', new Map([['java.naming.x', 'plain, "ssl"']])],
    ['labels[__proto__] = x', 'labels', new Map([['__proto__', 'x']])],
    [
      'more[c] = d',
      'more',
      new Map([
        ['a', 'b'],
        ['c', 'd'],
      ]),
    ],
    ['colour = green', 'colour', 'green'],
    ['inner.note = n', 'inner', { note: 'n', size: 4 }],
    ['constructor = c', 'constructor', 'c'],
  ])('%s', async (line, property, expected) => {
    expect(await value(`x.${line}`, property)).toEqual(expected);
  });

  it('gives secrets masked, and references as objects', async () => {
    const { parts, findings } = await make(
      file('x.secret = s3cret', 'x.realm = $serviceRealm', 'x.others = $tokenAuth, $tokenAuth'),
      [plugin],
    );
    expect(findings).toEqual([]);
    const secret = given['secret'] as { reveal(): string };
    expect([String(secret), JSON.stringify(secret), secret.reveal()]).toEqual(['[redacted]', '"[redacted]"', 's3cret']);
    expect(given['realm']).toBe(parts!.realms[0]!.realm);
    expect((given['others'] as Filter[])[0]).toBe(parts!.chains[0]!.steps[1]!.filter);
  });

  it.each([
    ['flag = ture', 'Expected "true" or "false": "ture"'],
    ['flag = null', 'Expected a value: null'],
    ['flag = "true"', 'Expected "true" or "false": ""true""'],
    ['count = 0x10', 'Expected a whole number: "0x10"'],
    ['count = 1,000', 'Expected a whole number: "1,000"'],
    ['count = 3.7', 'Expected a whole number: "3.7"'],
    ['count = 99999999999999999999', 'Expected a whole number: "99999999999999999999"'],
    ['count = 10', 'Expected a value that the component can use: it is above 9'],
    ['wait = 5 weeks', 'Expected a duration such as 90, 90s, 5m, 12h or 1d: "5 weeks"'],
    ['wait = -1', 'Expected a duration such as 90, 90s, 5m, 12h or 1d: "-1"'],
    ['address = example', 'Expected a URL with its scheme: "example"'],
    ['address = //me:hunter2@example', 'Expected a URL with its scheme: something else'],
    ['names = a, "b', 'Expected a closing quote: the line ends'],
    ['names = ""', 'Expected a value that is not empty: ""'],
    ['labels = a', 'Expected key:value, with commas between pairs: a pair without its colon'],
    ['labels = a:b, c:d:e', 'Expected key:value, with commas between pairs: more than one colon after "c"'],
    ['labels = a:b,', 'Expected key:value, with commas between pairs: a pair without its colon'],
    ['labels = a:b, a:c', 'Expected each key once: "a" twice'],
    ['names[0] = a', 'Expected brackets on a map only: "names" is none (a list is written whole, with commas)'],
    ['colour = gren', 'Expected one of red, green: "gren"'],
    ['secret = ""', 'Expected a value that is not empty: ""'],
    [
      'secret = $hunter2',
      'Expected a text and no reference (a dollar sign in front is written \\$): one that begins with a dollar sign',
    ],
    ['secret = hunter2', 'Expected a value that the component can use: the component refuses this secret'],
    [
      'text = $serviceRealm',
      'Expected a text and no reference (a dollar sign in front is written \\$): "$serviceRealm"',
    ],
    ['realm = serviceRealm', 'Expected a reference to a realm, which begins with a dollar sign: "serviceRealm"'],
    [
      'realm = $tokenAuth',
      'Expected a reference to a realm: "$tokenAuth" is a filter (com.service.security.auth.TokenAuthenticationFilter)',
    ],
    ['realm = $serviceRelm', 'Expected a reference to a realm that is defined above: "$serviceRelm"'],
    ['realm = $\u007bos.name}', 'Expected a reference to a realm that is defined above: "$\u007bos.name}"'],
    [
      'others = $tokenAuth,',
      'Expected a reference to a filter, which begins with a dollar sign: nothing between two commas',
    ],
    ['inner = 5', 'Expected a property of this one, with a dot: a value'],
    ['inner.size = big', 'Expected a whole number: "big"'],
    ['realm.x = 1', 'Expected an object in "realm" whose properties can be set: none so far'],
    ['text..x = 1', 'Expected object.property or object.map[key]: "x.text..x"'],
  ])('%s is refused', (line, message) => {
    expect(messages(`x.${line}`)).toEqual([message]);
  });

  it.each([
    ['flag = ture', 'true'],
    ['colour = gren', 'green'],
    ['realm = $serviceRelm', '$serviceRealm'],
    ['realm = serviceRealm', '$serviceRealm'],
    ['coulour = red', 'colour'],
    ['flag = t', undefined],
  ])('%s: did you mean', (line, nearest) => {
    expect(read(file(`x.${line}`), [plugin]).findings[0]!.nearest).toBe(nearest);
  });

  it('says where in a value it is', () => {
    expect(errors('x.others = $tokenAuth, $nobody')).toEqual(['5:24 dangling-reference']);
    expect(errors('x.labels = a:b, \\', '   c')).toEqual(['6:4 map']);
  });
});

describe('statements', () => {
  it.each([
    ['an unknown class', 'y = com.example.Nope', '5:5 unknown-class'],
    ['a reference as a class', 'y = $x', '5:5 unknown-class'],
    ['an unknown property', 'x.nosuch = 1', '5:1 unknown-property'],
    ['an unknown property set to null', 'x.nosuch = null', '5:1 unknown-property'],
    ['an unknown property set to ""', 'x.nosuch = ""', '5:1 unknown-property'],
    ['a property of the prototype', 'x.toString = 1', '5:1 unknown-property'],
    ['an inner property that is unknown', 'x.inner.nosuch = 1', '5:1 unknown-property'],
    ['an object that is not there', 'nobody.text = 1', '5:1 undefined-object'],
    ['a property that nobody has', 'shiro.nosuch = 1', '5:1 unknown-property'],
    ['a name that cannot be used', 'a,b = test.Probe', '5:1 object-name'],
    ['an empty property', 'x. = 1', '5:1 object-name'],
    ['iniRealm without users', 'iniRealm.users = a:b', '5:1 undefined-object'],
    ['another security manager', 'securityManager = test.Probe', '5:1 implicit-object'],
    ['another chain resolver', 'filterChainResolver = test.Probe', '5:1 implicit-object'],
    ['access by default', 'filterChainResolver.allowAccessByDefault = true', '5:44 value'],
    ['a misspelt option of a default filter', 'invalidRequest.blockSemikolon = true', '5:1 unknown-property'],
  ])('%s', (_what, line, error) => {
    expect(errors(line)).toEqual([error]);
  });

  it('names the class that was meant', () => {
    const nearestOf = (line: string) => read(file(line), [plugin]).findings[0]!.nearest;
    expect(nearestOf('y = com.service.security.auth.DenyFiltr')).toBe('com.service.security.auth.DenyFilter');
    expect(nearestOf('y = DefaultServiceRealm')).toBe('com.service.security.auth.DefaultServiceRealm');
    expect(nearestOf('y = org.shiro.IniRealm')).toBe('org.apache.shiro.realm.text.IniRealm');
  });

  it('says that an object is defined further down', () => {
    expect(messages('x.realm = $late', 'late = com.service.security.auth.DefaultServiceRealm')[0]).toBe(
      'Expected a reference to a realm that is defined above: "$late" is defined further down, in line 6',
    );
  });

  it('does not follow one mistake with others', () => {
    expect(
      errors('y = com.example.Nope', 'y.a = 1', 'x.realm = $y', 'securityManager.realms = $serviceRealm, $y'),
    ).toEqual(['5:5 unknown-class']);
  });

  it('wants what a component needs, at its line', () => {
    expect(errors('y = test.Needy')).toEqual(['5:1 missing-property']);
    expect(errors('y = test.Needy', 'y.token = null')).toEqual(['5:1 missing-property']);
    expect(errors('y = test.Needy', 'y.token = t')).toEqual([]);
  });

  it('shows no value where a line may have been meant otherwise', () => {
    for (const line of [
      'password = hunter2',
      'x.nosuch = hunter2',
      'nobody.password = hunter2',
      'x.labels = hunter2',
      'shiro.nosuch = hunter2',
    ]) {
      expect(messages(line).join()).not.toContain('hunter2');
    }
  });
});

describe('order', () => {
  it('makes x.class = … again, and statements apply to the newest', async () => {
    const { blueprint } = read(file('x.count = 1', 'x.class = test.Probe', 'x.flag = on'), [plugin]);
    const [plan, ...others] = blueprint!.objects.filter(({ name }) => name === 'x');
    expect(others).toEqual([]);
    expect([...plan!.values.keys()]).toEqual(['flag']);
  });

  it('keeps the first of two objects of a name where somebody refers to it', () => {
    const text = file('y = test.Probe', 'y.others = $x', 'x.class = test.Probe');
    expect(read(text, [plugin]).blueprint!.objects.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['serviceRealm', 'tokenAuth', 'x', 'x', 'y']),
    );
  });

  it('replaces a default filter', async () => {
    const { parts } = await make(ini(['authcBasic = test.Probe', 'authcBasic.text = mine']), [plugin]);
    expect(given['text']).toBe('mine');
    expect(parts!.chains[0]!.steps.at(-1)!.name).toBe('authcBasic');
  });

  it('sets shiro.property on all that have it and are there', () => {
    const { blueprint } = read(file('shiro.text = a', 'late = test.Probe', 'shiro.applicationName = b'), [plugin]);
    const set = blueprint!.objects.flatMap(({ name, values }) => [...values.keys()].map((key) => `${name}.${key}`));
    expect(set).toEqual(expect.arrayContaining(['x.text', 'tokenAuth.applicationName', 'authcBasic.applicationName']));
    expect(set).not.toContain('late.text');
  });

  it('makes objects after those that they refer to, and refuses circles', () => {
    const { blueprint } = read(file('y = test.Probe', 'x.others = $y'), [plugin]);
    const names = blueprint!.objects.map(({ name }) => name);
    expect(names.indexOf('y')).toBeLessThan(names.indexOf('x'));
    expect(errors('y = test.Probe', 'x.others = $y', 'y.others = $x')).toEqual(['4:1 reference-circle']);
  });

  it('bears a long row of references', () => {
    const lines = Array.from({ length: 3000 }, (_, index) => `f${index} = test.Probe`);
    const links = Array.from({ length: 2999 }, (_, index) => `f${index}.others = $f${index + 1}`);
    expect(errors(...lines, ...links)[0]).toMatch(/reference-depth$/);
  });
});

describe('[filters]', () => {
  it('is the older place for filters, read after [main]', () => {
    const { blueprint, findings } = read(
      ini([], ['/** = tokenAuth[permissive], mine'], '[filters]\nmine = test.Probe\nmine.text = a'),
      [plugin],
    );
    expect(findings).toEqual([]);
    expect(blueprint!.chains[0]!.steps.at(-1)!.filter.values.get('text')!.value).toBe('a');
  });

  it('does not let statements before the first header go unread', () => {
    expect(errorsOf(`invalidRequest.blockSemicolon = true\n${ini()}`)).toEqual(['1:1 before-section']);
  });
});

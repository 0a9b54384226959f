import { describe, expect, it } from 'vitest';
import { escapeDn, escapeFilter, fill, isPlainName, nameOfDn } from '../../../realms/ldap.ts';

describe('a value', () => {
  it.each([
    ['alice', 'alice', 'alice'],
    ['zoë', 'zoë', 'zoë'],
    ['*)(uid=*', '\\2a\\29\\28uid=\\2a', '*)(uid\\=*'],
    ['a\\2a', 'a\\5c2a', 'a\\\\2a'],
    ['a\0b', 'a\\00b', 'a\\00b'],
    ['x,ou=y', 'x,ou=y', 'x\\,ou\\=y'],
    ['x+uid=y', 'x+uid=y', 'x\\+uid\\=y'],
    ['"x";<y>', '"x";<y>', '\\"x\\"\\;\\<y\\>'],
    ['#x', '#x', '\\#x'],
    ['x#', 'x#', 'x#'],
    [' x ', ' x ', '\\ x\\ '],
  ])('%j in a filter is %j, in a name %j', (value, inFilter, inName) => {
    expect([escapeFilter(value), escapeDn(value)]).toEqual([inFilter, inName]);
  });

  it('that looks like a placeholder stays a value', () => {
    expect(fill('(|(a={0})(b={1})(c={2}))', '{1}', 'x')).toBe('(|(a={1})(b=x)(c={2}))');
  });
});

it.each([
  ['CN=Editors,OU=Groups', 'Editors'],
  ['cn=Editors\\, all,ou=x', 'Editors, all'],
  ['cn=Zo\\c3\\ab,ou=x', 'Zoë'],
  ['cn=a+ou=b,ou=x', 'a'],
  ['cn=', ''],
  ['no name', undefined],
])('the name of %j is %j', (dn, name) => {
  expect(nameOfDn(dn)).toBe(name);
});

it.each(['', ' a', 'a ', 'a  b', 'a\tb', 'a\nb', '\u0000'])('%j is no name to ask for', (name) => {
  expect(isPlainName(name)).toBe(false);
});

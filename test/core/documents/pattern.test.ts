import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../../src/core/documents/pattern.ts';
import { refusal } from '../../support/thrown.ts';

const place = '/NotificationDocument/trigger/job/filter/jobdata/value-regex';
const explanationOf = (pattern: string) => refusal(() => compilePattern(pattern, place)).detail.explanation;

describe('a regular expression', () => {
  it.each([
    ['desk-.*', 'desk-7', true],
    ['desk-.*', 'my desk-7', false],
    ['desk', 'desk-7', false],
    ['a|bc', 'bc', true],
    ['a|bc', 'ac', false],
    ['^a+$', 'aaa', true],
    ['(a+)+$', 'aaa', true],
    ['', '', true],
    ['', 'a', false],
    ['\\d{3}', '123', true],
    ['\\QVX-1.mov\\E', 'VX-1.mov', true],
    ['\\p{Lu}.*', 'Über', true],
    ['.', '😀', true],
    ['(?<name>x)\\b', 'x', true],
    ['a\\[&&', 'a[&&', true],
  ])('%j and %j: %j', (pattern, text, expected) => {
    const matches = compilePattern(pattern, place);
    expect(matches(text)).toBe(expected);
    expect(matches(text), 'asked again').toBe(expected);
  });

  it.each([
    ['(a)\\1', 'back-references'],
    ['(?<n>a)\\k<n>', 'back-references'],
    ['(?P<n>a)(?P=n)', 'back-references'],
    ['a(?=b)', 'look-around'],
    ['a(?!b)', 'look-around'],
    ['(?<=a)b', 'look-around'],
    ['(?<!a)b', 'look-around'],
    ['(?>a)b', 'atomic groups'],
    ['a++', 'possessive repetition'],
    ['a?+', 'possessive repetition'],
    ['a*+', 'possessive repetition'],
    ['a{2}+', 'possessive repetition'],
    ['[a-z&&[^b]]+', 'intersections of character classes'],
  ])('%s is refused for its %s', (pattern, what) => {
    expect(explanationOf(pattern)).toContain(`Expected a regular expression without ${what}, as RE2 reads them: "`);
  });

  it.each(['(', '[', 'a**', '\\h', '\\u0041', '\\Z', '(?#x)', '(?(1)a|b)', 'x{5,2}', '(?P<a>x)(?P<a>y)', '\\p{Foo}'])(
    '%s is refused with what RE2 has against it',
    (pattern) => {
      expect(explanationOf(pattern)).toMatch(/^Expected a regular expression, as RE2 reads them \(.+\): "/);
    },
  );

  it('is refused when it is too long or its program too large', () => {
    expect(explanationOf('a'.repeat(501))).toContain('at most 500 characters');
    expect(explanationOf('a'.repeat(400))).toContain('at most 300 steps');
    expect(explanationOf('a{301}')).toContain('at most 300 steps');
    expect(explanationOf('((a{9}){9}){9}')).toContain('at most 300 steps');
    expect(() => compilePattern('[a-f0-9]{40}', place)).not.toThrow();
  });
});

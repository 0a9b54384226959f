import { describe, expect, it } from 'vitest';
import { escaped, input, rows } from './expressions.ts';
import { applied, failure, root } from './sheets.ts';

const told = (expression: string, version?: string): string =>
  applied(root(`<o><xsl:value-of select="${escaped(expression)}"/></o>`, version), input).replace(
    /^<o>(.*)<\/o>$/s,
    '$1',
  );

describe('an expression', () => {
  it.each(rows)('%s', (expression, value) => {
    expect(told(expression)).toBe(value);
  });

  it('of version 1.0 takes the first of several values, and compares with numbers', () => {
    expect(told('//b', '1.0')).toBe('x');
    expect(told('concat(//b, "!")', '1.0')).toBe('x!');
    expect(told('"10" < "9"', '1.0')).toBe('false');
    expect(told('//b/@n + 1', '1.0')).toBe('2');
    expect(told('//nothing + 1', '1.0')).toBe('NaN');
  });

  it.each([
    ['concat(//b, "x")', 'Expected one value for concat(): found 2, in <xsl:value-of> (line 2)'],
    ['//b[', 'Expected an expression in "//b[": found its end, in select of <xsl:value-of> (line 2)'],
    ['$nobody', 'Expected a variable that is known here: found "$nobody", in select of <xsl:value-of> (line 2)'],
    ['nobody()', 'Expected a function that is known here: found "nobody()", in select of <xsl:value-of> (line 2)'],
    ['contains("a")', 'Expected 2 to 3 values in a call of contains(): found 1, in select of <xsl:value-of> (line 2)'],
    ['xs:date("2026-02-30")', 'Expected a value of the type xs:date: found "2026-02-30", in <xsl:value-of> (line 2)'],
    ['replace("a", "(", "b")', 'Expected a regular expression'],
    ['replace("a", "a", "$x")', 'Expected "$" with a digit'],
    ['"a" + xs:date("2026-01-01")', 'Expected numbers, dates or durations that fit together'],
    ['q:a', 'Expected a namespace for the prefix "q"'],
    ['1 idiv 0', 'Expected another divisor than 0 for idiv'],
    ['xs:dayTimeDuration("P1D") div 0', 'Expected another divisor than 0 for a duration'],
    ['xs:dayTimeDuration("P1D") div xs:dayTimeDuration("PT0S")', 'Expected another divisor than a duration of 0'],
    ['xs:yearMonthDuration("P0M") div xs:yearMonthDuration("P1Y") div 0', 'made'],
    ['xs:dayTimeDuration("P1D") * 1e300', 'Expected a duration that is finite'],
    ['xs:date("2026-01-01") + xs:yearMonthDuration("P900000Y")', 'Expected a date within 270,000 years of 1970'],
    ['codepoints-to-string(55296)', 'Expected the number of a character: found 55296'],
    ['codepoints-to-string((72, 65534))', 'Expected the number of a character: found 65534'],
  ])('%s fails with the place', (expression, says) => {
    expect(failure(root(`<xsl:value-of select="${escaped(expression)}"/>`), input)).toContain(says);
  });
});

/** Escapes the text for an attribute value. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Input document of the expressions. */
export const input = '<a n="3"><b n="1">x</b><b n="2">y</b><c d="2026-01-31">z</c></a>';

/** Expressions with what they are worth. */
export const rows: readonly (readonly [string, string])[] = [
  ['1 + 2 * 3 - 4 div 2', '5'],
  ['10 idiv 4, -7 mod 3, 10 div 4', '2 -1 2.5'],
  ['0.1 + 0.2, 1000000 * 1000000, 1 div 0, number("x")', '0.3 1000000000000 INF NaN'],
  ['//b[2], //b[last()]/@n, (//b)[1]', 'y 2 x'],
  ['//b[@n = 2] | //c, //b except //b[1], //b intersect //b[1]', 'y z y x'],
  ['//c/preceding-sibling::b[1], //b[1]/following::*, name(//c/..)', 'y y z a'],
  ['count(//*[self::b or self::c]), count(//@*), count(//b/ancestor::*)', '3 4 1'],
  ['for $x in 1 to 3, $y in (1, 2) return $x * $y', '1 2 2 4 3 6'],
  ['some $x in //b satisfies $x = "y", every $x in //b satisfies $x = "y"', 'true false'],
  ['if (//c) then "yes" else "no"', 'yes'],
  ['1 = (1, 2), 1 != (1, 2), "a" lt "b", //b[1] is //b[1], //b[1] << //c', 'true true true true true'],
  ['substring("12345", 2, 3), substring("12345", 0), substring("12345", 1.5, 2.6)', '234 12345 234'],
  ['substring-before("a=b", "="), substring-after("a=b", "="), translate("bar", "abc", "AB")', 'a b BAr'],
  ['string-join(//b, "-"), concat("a", 1, true()), normalize-space("  a  b ")', 'x-y a1true a b'],
  ['upper-case("ä"), lower-case("Ä"), string-length("😀a"), contains("abc", "bc")', 'Ä ä 2 true'],
  ['starts-with("abc", "ab"), ends-with("abc", "bc"), compare("a", "b")', 'true true -1'],
  ['tokenize("a, b,c", ",\\s*"), replace("2026-11", "(\\d+)-(\\d+)", "$2/$1")', 'a b c 11/2026'],
  ['matches("Harbour", "^har", "i"), matches("a.b", ".", "q"), matches("x1", "^\\i\\c*$")', 'true true true'],
  ['codepoints-to-string((72, 105)), string-to-codepoints("Hi"), encode-for-uri("a b/ä")', 'Hi 72 105 a%20b%2F%C3%A4'],
  ['sum(//b/@n), avg((1, 2, 3)), max(//b/@n), min((3, 1, 2)), sum(())', '3 2 2 1 0'],
  ['round(2.5), round(-2.5), round-half-to-even(2.5), floor(-1.5), ceiling(1.2), abs(-1)', '3 -2 2 -2 2 1'],
  [
    'round-half-to-even(1.5, 1000000000), round-half-to-even(1.5, -1000000000), round-half-to-even(-1.25, 1)',
    '1.5 0 -1.2',
  ],
  ['xs:dayTimeDuration("PT6H") div 4, xs:dayTimeDuration("PT6H") div xs:dayTimeDuration("PT2H")', 'PT1H30M 3'],
  [
    '"P9999999999999999999D" castable as xs:duration, string-to-codepoints(codepoints-to-string((9, 128512)))',
    'false 9 128512',
  ],
  [
    'format-number(1234567.891, "#,##0.00"), format-number(0.5, "0%"), format-number(-5, "0;(0)")',
    '1,234,567.89 50% (5)',
  ],
  ['format-number(3, "000"), format-number(0.125, "#.##"), format-number(12, "#,##0")', '003 .12 12'],
  ['distinct-values((1, 2, 1)), index-of((5, 6, 5), 5), reverse(1 to 3)', '1 2 1 3 3 2 1'],
  ['subsequence((1, 2, 3, 4), 2, 2), insert-before((1, 3), 2, 2), remove((1, 2, 3), 2)', '2 3 1 2 3 1 3'],
  ['empty(()), exists(//b), deep-equal(//b[1], //b[1]), deep-equal(//b[1], //b[2])', 'true true true false'],
  ['xs:date("2026-01-31") + xs:yearMonthDuration("P1M")', '2026-02-28'],
  ['xs:dateTime("2026-01-31T23:00:00Z") + xs:dayTimeDuration("PT2H30M")', '2026-02-01T01:30:00Z'],
  ['xs:date("2026-03-01") - xs:date("2026-02-01"), days-from-duration(xs:dayTimeDuration("P2DT3H"))', 'P28D 2'],
  [
    '//c/@d < xs:date("2026-02-01"), year-from-date(//c/@d), xs:date("2026-01-01") eq xs:date("2026-01-01Z")',
    'true 2026 true',
  ],
  [
    'adjust-dateTime-to-timezone(xs:dateTime("2026-01-01T12:00:00+02:00"), xs:dayTimeDuration("PT0H"))',
    '2026-01-01T10:00:00Z',
  ],
  ['current-dateTime(), current-date()', '2026-11-22T09:08:07Z 2026-11-22Z'],
  [
    'format-dateTime(current-dateTime(), "[D1] [MNn] [Y], [FNn], [h]:[m] [P] [Z]")',
    '22 November 2026, Sunday, 9:08 am +00:00',
  ],
  ['format-date(//c/@d, "[Y01]/[M01]/[D01] [MN,3-3] week [W]")', '26/01/31 JAN week 5'],
  ['format-time(xs:time("09:08:07.5"), "[H01]:[m01]:[s01].[f001]")', '09:08:07.500'],
  [
    '"5" cast as xs:integer + 1, "x" castable as xs:date, 1 instance of xs:integer, //b instance of element()+',
    '6 false true true',
  ],
  ['xs:boolean("1"), xs:string(1.50), xs:integer("12"), not(xs:boolean("false"))', 'true 1.5 12 true'],
  ['system-property("xsl:version"), function-available("matches"), element-available("xsl:sort")', '2.0 true false'],
  ["document('')/*/@version, local-name(//c), generate-id(//b[1]) = generate-id((//b)[1])", '2.0 c true'],
  ['//b[position() < last()], //b[not(. = "x")], //*[@n][1]/@n', 'x y 3 1'],
];

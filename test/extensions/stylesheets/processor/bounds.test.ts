import { describe, expect, it } from 'vitest';
import { shareOfRows } from '../../../support/long.ts';
import { cpuTime } from '../../../support/turns.ts';
import { applied, body, failure, root } from './sheets.ts';

const many = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, at) => make(at)).join('');
const elements = (count: number, attributes = ''): string => `<a${attributes}>${'<b/>'.repeat(count)}</a>`;
const prefixes = (count: number): string => many(count, (at) => ` xmlns:n${at}="urn:${at}"`);

const slow = 'StylesheetFails: Expected a stylesheet that is done within a second';
const large = 'StylesheetFails: Expected a stylesheet that makes at most 25165824 characters of text and nodes';

/** Work that grew with the square of what it is given, or that nobody counted. */
type Load = readonly [what: string, stylesheet: string, input: string, result: string | RegExp];
const loads: readonly Load[] = [
  [
    'numbers of 30,000 elements throughout a document',
    root('<xsl:for-each select="//b"><xsl:number level="any"/></xsl:for-each>'),
    elements(30_000),
    slow,
  ],
  [
    'numbers of 30,000 elements among their siblings',
    root('<xsl:for-each select="//b"><xsl:number/></xsl:for-each>'),
    elements(30_000),
    slow,
  ],
  [
    'numbers of 2,000 elements throughout a document',
    root(
      '<xsl:for-each select="//b"><xsl:if test="position() = last()"><xsl:number level="any"/></xsl:if></xsl:for-each>',
    ),
    elements(2_000),
    'made 2000',
  ],
  [
    'an element with 60,000 attributes',
    root('<o><xsl:for-each select="1 to 60000"><xsl:attribute name="a{.}"/></xsl:for-each></o>'),
    '<a/>',
    /^made <o a1="" a2="" a3=""/,
  ],
  [
    'an element with 60,000 attributes, each of a namespace of its own',
    root('<o><xsl:for-each select="1 to 60000"><xsl:attribute name="p:a" namespace="urn:{.}"/></xsl:for-each></o>'),
    '<a/>',
    slow,
  ],
  [
    '10,000 names of elements without blanks',
    body(
      `<xsl:strip-space elements="${many(10_000, (at) => `x${at} `)}"/><xsl:template match="/"><xsl:value-of select="count(//text())"/></xsl:template>`,
    ),
    `<a>${many(60_000, (at) => `<x${at}> </x${at}>`)}</a>`,
    'made 50000',
  ],
  [
    'a template with 15,000 variables',
    root(
      `${many(15_000, (at) => `<xsl:variable name="v${at}" select="${at === 0 ? 1 : `$v${at - 1}`}"/>`)}<xsl:value-of select="$v14999"/>`,
    ),
    '<a/>',
    'made 1',
  ],
  [
    'the first one of 15,000 variables again and again',
    root(
      `${many(15_000, (at) => `<xsl:variable name="v${at}" select="1"/>`)}<xsl:for-each select="1 to 60000"><xsl:value-of select="$v0"/></xsl:for-each>`,
    ),
    '<a/>',
    slow,
  ],
  [
    'copies of 60,000 elements with 250 prefixes each',
    root('<xsl:variable name="v"><xsl:copy-of select="//b"/></xsl:variable><xsl:value-of select="count($v/b)"/>'),
    elements(60_000, prefixes(250)),
    'made 60000',
  ],
  [
    'copies of 60,000 elements with 250 prefixes each, and one of their own',
    root(
      '<xsl:variable name="v"><xsl:for-each select="//b"><xsl:copy><xsl:namespace name="own">urn:own</xsl:namespace></xsl:copy></xsl:for-each></xsl:variable><o/>',
    ),
    elements(60_000, prefixes(250)),
    large,
  ],
  [
    'an element with a million prefixes',
    root('<o><xsl:for-each select="1 to 1000000"><xsl:namespace name="n{.}">urn:n</xsl:namespace></xsl:for-each></o>'),
    '<a/>',
    large,
  ],
  [
    '60,000 elements that each declare one prefix below 10,000 others',
    root(
      '<o><xsl:for-each select="1 to 10000"><xsl:namespace name="n{.}">urn:n</xsl:namespace></xsl:for-each><xsl:for-each select="1 to 60000"><xsl:element name="b" namespace="urn:{.}"/></xsl:for-each></o>',
    ),
    '<a/>',
    slow,
  ],
  [
    'references in a text that grows fivefold',
    body(
      '<xsl:variable name="r" select="string(/)"/><xsl:template match="/"><o><xsl:for-each select="1 to 200"><xsl:value-of select="$r"/></xsl:for-each></o></xsl:template>',
    ),
    `<a>${'&amp;'.repeat(100_000)}</a>`,
    large,
  ],
  [
    'a result of more than the longest',
    body(
      '<xsl:output method="text"/><xsl:variable name="r" select="string(/)"/><xsl:template match="/"><xsl:for-each select="1 to 200"><xsl:value-of select="$r"/></xsl:for-each></xsl:template>',
    ),
    `<a>${'x'.repeat(100_000)}</a>`,
    'StylesheetFails: Expected a result of at most 16777216 characters',
  ],
  [
    'comments of a long text again and again',
    root(
      '<xsl:variable name="r" select="string(/)"/><xsl:variable name="v"><xsl:for-each select="1 to 1000"><xsl:comment select="$r"/></xsl:for-each></xsl:variable><o/>',
    ),
    `<a>${'-'.repeat(1_000_000)}</a>`,
    large,
  ],
  [
    'a list of long texts side by side',
    root(
      '<xsl:variable name="r" select="string(/)"/><xsl:value-of select="string-length(string(.)), (for $x in 1 to 100 return $r)"/>',
    ),
    `<a>${'x'.repeat(1_000_000)}</a>`,
    large,
  ],
  [
    '150,000 elements of a stylesheet below 250 prefixes',
    root(`<o${prefixes(250)}>${'<b/>'.repeat(150_000)}</o>`),
    '<a/>',
    'made <o xmlns:n0="urn:0"',
  ],
  [
    'attribute sets that double forty times',
    body(
      `${many(40, (at) => `<xsl:attribute-set name="s${at}" use-attribute-sets="s${at + 1} s${at + 1}"/>`)}<xsl:attribute-set name="s40"/>` +
        '<xsl:template match="/"><o xsl:use-attribute-sets="s0"/></xsl:template>',
    ),
    '<a/>',
    slow,
  ],
];

describe('a stylesheet with much to do', () => {
  it.each(shareOfRows(3, loads))('%s', (_what, stylesheet, input, result) => {
    const began = cpuTime();
    const found = failure(stylesheet, input);
    const took = cpuTime() - began;
    if (typeof result === 'string') expect(found.slice(0, result.length)).toBe(result);
    else expect(found).toMatch(result);
    expect(took).toBeLessThan(12_000);
  });

  it('writes a long text with all of its references, and cuts no character in two', () => {
    const text = `x${'😀'.repeat(40_000)}${'&amp;'.repeat(70_000)}`;
    expect(applied(root('<o><xsl:value-of select="/"/></o>'), `<a>${text}</a>`)).toBe(`<o>${text}</o>`);
  });

  it('writes a long section of CDATA that nothing ends within', () => {
    const given = body(
      '<xsl:output cdata-section-elements="o"/><xsl:template match="/"><o><xsl:value-of select="/"/></o></xsl:template>',
    );
    const text = ']]>'.repeat(50_000);
    for (const before of ['', 'x', 'xx']) {
      const made = applied(given, `<a>${before}${text.replaceAll('>', '&gt;')}</a>`);
      const read = made.slice('<o>'.length, -'</o>'.length).split('<![CDATA[');
      expect(read.map((each) => each.replace(/\]\]>$/, '')).join('')).toBe(before + text);
      expect(read.slice(1).every((each) => each.indexOf(']]>') === each.length - 3)).toBe(true);
    }
  });
});

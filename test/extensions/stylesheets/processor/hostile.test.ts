import { describe, expect, it } from 'vitest';
import { shareOfRows } from '../../../support/long.ts';
import { cpuTime } from '../../../support/turns.ts';
import { body, failure, root, sheet } from './sheets.ts';

const value = (expression: string): string => root(`<xsl:value-of select="${expression}"/>`);
const many = `<a>${'<b>12345678</b>'.repeat(20_000)}</a>`;

/** By count, or by the stack of a thread that has less. */
const endless =
  /^StylesheetFails: Expected (?:at most 1000 calls of templates and functions within each other|fewer levels)/;

/** Attacks, and how the sentence begins that refuses each. */
type Attack = readonly [attack: string, stylesheet: string, says: string | RegExp, input?: string];
const attacks: readonly Attack[] = [
  ['reads a file with document()', value("document('file:///etc/passwd')"), 'Expected no call of document()'],
  ['reads a file with document() of a variable', value('document(string(/a))'), 'Expected no call of document()'],
  ['reads a file with doc()', value("doc('/etc/passwd')"), 'Expected no call of doc()'],
  ['reads a file with unparsed-text()', value("unparsed-text('/etc/passwd')"), 'Expected no call of unparsed-text()'],
  ['reads a folder with collection()', value("collection('file:///etc')"), 'Expected no call of collection()'],
  [
    'includes an address',
    sheet('<xsl:include href="http://169.254.169.254/"/>'),
    'Expected a stylesheet that is whole',
  ],
  ['imports an address', sheet('<xsl:import href="file:///etc/passwd"/>'), 'Expected a stylesheet that is whole'],
  [
    'writes a file with result-document',
    root('<xsl:result-document href="file:///tmp/x"><a/></xsl:result-document>'),
    'Expected a stylesheet that reads its input and writes its result alone',
  ],
  [
    'grows entities in its XML',
    `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>${value("'&b;'")}`,
    'Expected a stylesheet that can be read: Expected no document type declaration',
  ],
  [
    'reads a file by an entity of its input',
    value('.'),
    'Expected a document that can be read: Expected no document type declaration',
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
  ],
  [
    'calls itself for ever',
    root('<xsl:call-template name="t"/>').replace(
      '</xsl:stylesheet>',
      '<xsl:template name="t"><xsl:call-template name="t"/></xsl:template></xsl:stylesheet>',
    ),
    endless,
  ],
  [
    'has a function that calls itself for ever',
    body(
      '<xsl:function name="f:f"><xsl:param name="x"/><xsl:sequence select="f:f($x) + 1"/></xsl:function><xsl:template match="/"><xsl:value-of select="f:f(1)"/></xsl:template>',
    ),
    endless,
  ],
  [
    'has a variable that needs itself',
    body('<xsl:variable name="x" select="$y"/><xsl:variable name="y" select="$x"/><xsl:template match="/"/>'),
    'Expected a variable that does not need itself',
  ],
  [
    'has an attribute set that uses itself',
    body(
      '<xsl:attribute-set name="s"><e xsl:use-attribute-sets="s"/></xsl:attribute-set><xsl:template match="/"><a xsl:use-attribute-sets="s"/></xsl:template>',
    ),
    endless,
  ],
  ['counts to a billion', value('count(1 to 1000000000)'), 'Expected a stylesheet that is done within a second'],
  [
    'counts in loops within loops',
    value('count(for $a in 1 to 9999, $b in 1 to 9999 return $a)'),
    'Expected a stylesheet that is done within a second',
  ],
  [
    'makes a billion nodes',
    root('<xsl:for-each select="1 to 99999"><xsl:for-each select="1 to 99999"><a/></xsl:for-each></xsl:for-each>'),
    'Expected a stylesheet that',
  ],
  [
    'doubles a text until memory is full',
    body(
      '<xsl:function name="f:f"><xsl:param name="x"/><xsl:param name="n"/><xsl:sequence select="if ($n = 0) then $x else f:f(concat($x, $x), $n - 1)"/></xsl:function>' +
        '<xsl:template match="/"><xsl:value-of select="string-length(f:f(\'12345678\', 40))"/></xsl:template>',
    ),
    'Expected a stylesheet that makes at most',
  ],
  [
    'copies its input again and again',
    root('<xsl:for-each select="1 to 1000"><xsl:copy-of select="$all"/></xsl:for-each>').replace(
      '<xsl:template',
      '<xsl:variable name="all" select="/a"/><xsl:template',
    ),
    'Expected a stylesheet that makes at most',
    many,
  ],
  [
    'reads a long text again and again',
    value('count(for $top in /a, $x in 1 to 100000 return string($top))'),
    'Expected a stylesheet that is done within a second',
    many,
  ],
  [
    'compares all with all',
    value('count(//b[. &lt; //b])'),
    'Expected a stylesheet that is done within a second',
    many,
  ],
  [
    'looks back from each node',
    value('count(//b/preceding::b)'),
    'Expected a stylesheet that is done within a second',
    many,
  ],
  [
    'searches a long text for a long one',
    value(
      "contains(string-join(for $x in 1 to 40000 return 'aaaaaaaaaa', ''), concat(string-join(for $x in 1 to 20000 return 'aaaaaaaaaa', ''), 'b'))",
    ),
    'Expected a stylesheet that is done within a second',
  ],
  [
    'has a regular expression that needs for ever elsewhere',
    value("matches(string-join(for $x in 1 to 50000 return 'aaaaaaaaaa', ''), '^(a|a|aa)+(a|aa)*(a+)+(a+)+$', 's')"),
    'made',
  ],
  [
    'has a regular expression that is large for each character',
    value("matches(string-join(for $x in 1 to 50000 return 'aaaaaaaaaa', ''), '(a{1,30}){1,12}b')"),
    'made',
  ],
  [
    'has a regular expression whose every match looks at all that follows',
    value("count(tokenize(string-join(for $x in 1 to 20000 return 'aaaaaaaaaa', ''), 'a.*b|a'))"),
    'Expected a stylesheet that is done within a second',
  ],
  [
    'has a regular expression that looks back',
    value("matches('aa', '(a)\\1')"),
    'Expected a regular expression without back-references',
  ],
  ['has an expression of ten thousand parentheses', value(`${'('.repeat(10_000)}1${')'.repeat(10_000)}`), 'Expected'],
  ['has an expression of ten thousand signs', value(`${'-'.repeat(10_000)}1`), 'Expected'],
  ['has an expression of ten thousand sums', value(`${'1+'.repeat(10_000)}1`), 'Expected'],
  [
    'has ten thousand elements within each other',
    sheet('<a>'.repeat(10_000)),
    'Expected a stylesheet that can be read',
  ],
  [
    'makes elements within elements for ever',
    body(
      '<xsl:template name="t"><a><xsl:call-template name="t"/></a></xsl:template><xsl:template match="/"><xsl:call-template name="t"/></xsl:template>',
    ),
    endless,
  ],
  [
    'formats a number with a million digits',
    value("format-number(1, string-join(for $x in 1 to 100000 return '0', ''))"),
    'Expected a picture of a number',
  ],
  ['pads a date by a billion', value("format-date(current-date(), '[Y,999999999]')"), 'made'],
];

/** Attacks that are stopped by a budget, after as much work as it allows. */
const isCostly = ([, , says]: Attack): boolean =>
  typeof says === 'string' && / is done within | makes at most /.test(says);
const swift = attacks.filter((attack) => !isCostly(attack));
const costly = attacks.filter(isCostly);

describe('a hostile stylesheet', () => {
  for (const [attack, stylesheet, says, input] of [...swift, ...shareOfRows(3, costly)]) {
    it(attack, () => {
      const began = cpuTime();
      const found = failure(stylesheet, input);
      const took = cpuTime() - began;
      if (typeof says !== 'string') expect(found).toMatch(says);
      else expect(found.slice(0, `StylesheetFails: ${says}`.length)).toContain(says);
      // More than a busy machine needs for the whole budget.
      expect(took).toBeLessThan(6_000);
    });
  }
});

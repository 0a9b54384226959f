import { describe, expect, it } from 'vitest';
import { applied, body, failure, sheet } from './sheets.ts';

const list = '<list><i k="b" g="x">2</i><i k="a" g="y">10</i><i k="c" g="x">1</i></list>';

/** Stylesheets with their input and result, by the behaviour that they show. */
const rows: readonly (readonly [name: string, sheet: string, input: string, result: string])[] = [
  [
    'templates match by name, and those built in go on below',
    body('<xsl:template match="i">[<xsl:value-of select="."/>]</xsl:template>'),
    list,
    '[2][10][1]',
  ],
  [
    'the template of the higher priority wins, then the last one',
    body(
      '<xsl:template match="*">w<xsl:apply-templates/></xsl:template><xsl:template match="i">n</xsl:template>' +
        '<xsl:template match="i[@k=\'a\']">p</xsl:template><xsl:template match="i" priority="2">h</xsl:template>' +
        '<xsl:template match="i[. = 1]" priority="2">l</xsl:template>',
    ),
    list,
    'whhl',
  ],
  [
    'a predicate of a pattern counts among the siblings that fit',
    body('<xsl:template match="list/i[2]">second</xsl:template><xsl:template match="i">.</xsl:template>'),
    list,
    '.second.',
  ],
  [
    'modes are apart, and parameters go along',
    body(
      '<xsl:template match="/"><xsl:apply-templates select="//i" mode="m"><xsl:with-param name="p" select="7"/></xsl:apply-templates></xsl:template>' +
        '<xsl:template match="i">no</xsl:template><xsl:template match="i" mode="m"><xsl:param name="p"/><xsl:param name="q" select="8"/>' +
        '<xsl:value-of select="$p + $q + position()"/>,</xsl:template>',
    ),
    list,
    '16,17,18,',
  ],
  [
    'items are sorted by number, by text and downwards',
    body(
      '<xsl:template match="/"><xsl:for-each select="//i"><xsl:sort select="." data-type="number"/><xsl:value-of select="."/> </xsl:for-each>' +
        '<xsl:for-each select="//i"><xsl:sort select="@g" order="descending"/><xsl:sort select="@k"/><xsl:value-of select="@k"/></xsl:for-each></xsl:template>',
    ),
    list,
    '1210abc',
  ],
  [
    'choose takes the first branch that holds',
    body(
      '<xsl:template match="i"><xsl:choose><xsl:when test="@k = \'a\'">A</xsl:when><xsl:when test=". &gt; 1">B</xsl:when><xsl:otherwise>C</xsl:otherwise></xsl:choose></xsl:template>',
    ),
    list,
    'BAC',
  ],
  [
    'a named template calls itself, as version 1.0 makes lists of texts',
    body(
      '<xsl:template match="/"><xsl:call-template name="split"><xsl:with-param name="text" select="\'a;b;c\'"/></xsl:call-template></xsl:template>' +
        '<xsl:template name="split"><xsl:param name="text"/><xsl:choose><xsl:when test="contains($text, \';\')"><v><xsl:value-of select="substring-before($text, \';\')"/></v>' +
        '<xsl:call-template name="split"><xsl:with-param name="text" select="substring-after($text, \';\')"/></xsl:call-template></xsl:when>' +
        '<xsl:otherwise><v><xsl:value-of select="$text"/></v></xsl:otherwise></xsl:choose></xsl:template>',
      '1.0',
    ),
    list,
    '<v>a</v><v>b</v><v>c</v>',
  ],
  [
    'elements and attributes have names that are computed',
    body(
      '<xsl:template match="i"><xsl:element name="e{@k}"><xsl:attribute name="{@g}">v<xsl:value-of select="."/></xsl:attribute><xsl:text> </xsl:text></xsl:element></xsl:template>',
    ),
    '<i k="1" g="z">5</i>',
    '<e1 z="v5"> </e1>',
  ],
  [
    'texts of attributes have expressions, and doubled braces are one',
    body('<xsl:template match="i"><e a="{{{@k}}} {. + 1}"/></xsl:template>'),
    '<i k="1">5</i>',
    '<e a="{1} 6"/>',
  ],
  [
    'copy and copy-of change one part of a tree and keep the rest',
    body(
      '<xsl:template match="@*|node()"><xsl:copy><xsl:apply-templates select="@*|node()"/></xsl:copy></xsl:template><xsl:template match="@g"/>' +
        '<xsl:template match="i[@k=\'a\']"><xsl:copy-of select="../i[1]"/></xsl:template>',
    ),
    list,
    '<list><i k="b">2</i><i k="b" g="x">2</i><i k="c">1</i></list>',
  ],
  [
    'a variable holds a tree, which version 1.0 reads by node-set()',
    body(
      '<xsl:template match="/"><xsl:variable name="t"><a>1</a><a>2</a></xsl:variable><xsl:value-of select="count(x:node-set($t)/a)"/>' +
        '<xsl:copy-of select="$t"/><xsl:value-of select="$t"/></xsl:template>',
      '1.0',
    ),
    list,
    '2<a>1</a><a>2</a>12',
  ],
  [
    'keys find nodes, and current() is the node of the instruction',
    body(
      '<xsl:key name="by" match="i" use="@g"/><xsl:template match="/"><xsl:for-each select="//i[generate-id() = generate-id(key(\'by\', @g)[1])]">' +
        '<g n="{@g}"><xsl:value-of select="count(//i[@g = current()/@g])"/></g></xsl:for-each></xsl:template>',
      '1.0',
    ),
    list,
    '<g n="x">2</g><g n="y">1</g>',
  ],
  [
    'groups by a value, sorted',
    body(
      '<xsl:template match="/"><xsl:for-each-group select="//i" group-by="@g"><xsl:sort select="current-grouping-key()" order="descending"/>' +
        '<g n="{current-grouping-key()}"><xsl:value-of select="current-group()/@k" separator=","/></g></xsl:for-each-group></xsl:template>',
    ),
    list,
    '<g n="y">a</g><g n="x">b,c</g>',
  ],
  [
    'groups of neighbours, and from a node that begins one',
    body(
      '<xsl:template match="/"><xsl:for-each-group select="//*[not(*)]" group-adjacent="name()"><g><xsl:value-of select="current-group()"/></g></xsl:for-each-group>' +
        '<xsl:for-each-group select="/r/*" group-starting-with="h"><s><xsl:value-of select="current-group()" separator="/"/></s></xsl:for-each-group></xsl:template>',
    ),
    '<r><h>1</h><p>2</p><p>3</p><h>4</h></r>',
    '<g>1</g><g>2 3</g><g>4</g><s>1/2/3</s><s>4</s>',
  ],
  [
    'functions of the stylesheet take values and call themselves',
    body(
      '<xsl:function name="f:fact" as="xs:integer"><xsl:param name="n" as="xs:integer"/><xsl:sequence select="if ($n le 1) then 1 else $n * f:fact($n - 1)"/></xsl:function>' +
        '<xsl:template match="i"><xsl:value-of select="f:fact(.)"/>;</xsl:template>',
    ),
    '<l><i>5</i><i>3</i></l>',
    '120;6;',
  ],
  [
    'analyze-string goes two ways',
    body(
      '<xsl:template match="i"><xsl:analyze-string select="." regex="(\\d+)-(\\d+)"><xsl:matching-substring><m a="{regex-group(1)}" b="{regex-group(2)}"/></xsl:matching-substring>' +
        '<xsl:non-matching-substring>[<xsl:value-of select="."/>]</xsl:non-matching-substring></xsl:analyze-string></xsl:template>',
    ),
    '<i>a 1-2 b 3-4</i>',
    '[a ]<m a="1" b="2"/>[ b ]<m a="3" b="4"/>',
  ],
  [
    'next-match goes on with the template behind, and tunnels reach through',
    body(
      '<xsl:template match="/"><xsl:apply-templates select="//i"><xsl:with-param name="t" select="\'T\'" tunnel="yes"/></xsl:apply-templates></xsl:template>' +
        '<xsl:template match="i" priority="2">(<xsl:next-match/>)</xsl:template><xsl:template match="i"><xsl:param name="t" tunnel="yes"/><xsl:value-of select="$t, ."/></xsl:template>',
    ),
    '<i>1</i>',
    '(T 1)',
  ],
  [
    'numbers count at one level, at several and throughout',
    body(
      '<xsl:template match="p"><n><xsl:number/>/<xsl:number level="multiple" count="s|p" format="1.a"/>/<xsl:number level="any" format="I"/></n></xsl:template>',
    ),
    '<s><s><p/><p/></s><s><p/></s></s>',
    '<n>1/1.a.a/I</n><n>2/1.a.b/II</n><n>1/1.b.a/III</n>',
  ],
  [
    'white space of the input stays or goes by name',
    body(
      '<xsl:strip-space elements="*"/><xsl:preserve-space elements="k"/><xsl:template match="/">[<xsl:value-of select="."/>]</xsl:template>',
    ),
    '<a> <b> </b><k> </k>x </a>',
    '[ x ]',
  ],
  [
    'attribute sets, comments, instructions and numbers with a format of their own',
    body(
      '<xsl:attribute-set name="s"><xsl:attribute name="a">1</xsl:attribute></xsl:attribute-set><xsl:decimal-format name="de" decimal-separator="," grouping-separator="."/>' +
        '<xsl:template match="/"><e xsl:use-attribute-sets="s" b="2"><xsl:comment>c</xsl:comment><xsl:processing-instruction name="p">q</xsl:processing-instruction>' +
        "<xsl:value-of select=\"format-number(1234.5, '#.##0,00', 'de')\"/></e></xsl:template>",
    ),
    '<a/>',
    '<e a="1" b="2"><!--c--><?p q?>1.234,50</e>',
  ],
  [
    'a stylesheet may be one element of the result',
    '<out xsl:version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:value-of select="/a/b"/></out>',
    '<a><b>1</b></a>',
    '<?xml version="1.0" encoding="UTF-8"?><out>1</out>',
  ],
  [
    'namespaces of the result are declared where they are needed, and no others',
    body(
      '<xsl:template match="/"><p:a xmlns:p="urn:p"><p:b vs:c="1"/><xsl:element name="q" namespace="urn:q"><xsl:element name="q"/></xsl:element></p:a></xsl:template>',
    ),
    '<a/>',
    '<p:a xmlns:p="urn:p"><p:b xmlns:vs="http://xml.vidispine.com/schema/vidispine" vs:c="1"/><q xmlns="urn:q"><q xmlns=""/></q></p:a>',
  ],
  [
    'what another element declares is shared, and what an element declares itself wins',
    body(
      '<xsl:template match="/"><o><xsl:for-each select="//b"><xsl:copy><xsl:namespace name="p">urn:new</xsl:namespace></xsl:copy><xsl:copy-of select="."/></xsl:for-each></o></xsl:template>',
    ),
    '<a xmlns:p="urn:p" xmlns:q="urn:q"><b/><b xmlns:q="urn:r"><q:c/></b></a>',
    '<o><b xmlns:p="urn:new" xmlns:q="urn:q"/><b xmlns:p="urn:p" xmlns:q="urn:q"/>' +
      '<b xmlns:p="urn:new" xmlns:q="urn:r"/><b xmlns:p="urn:p" xmlns:q="urn:r"><q:c/></b></o>',
  ],
  [
    'the namespace of xml has its prefix, also where another one is asked for',
    body(
      '<xsl:template match="/"><a><xsl:attribute name="p:id" namespace="http://www.w3.org/XML/1998/namespace">1</xsl:attribute></a></xsl:template>',
    ),
    '<a/>',
    '<a xml:id="1"/>',
  ],
  [
    'a set of attributes has those of others, and its own win',
    body(
      '<xsl:attribute-set name="s" use-attribute-sets="t"><xsl:attribute name="a">s</xsl:attribute></xsl:attribute-set>' +
        '<xsl:attribute-set name="t"><xsl:attribute name="a">t</xsl:attribute><xsl:attribute name="b">t</xsl:attribute></xsl:attribute-set>' +
        '<xsl:template match="/"><e xsl:use-attribute-sets="s"/></xsl:template>',
    ),
    '<a/>',
    '<e b="t" a="s"/>',
  ],
  [
    'white space goes by parts of a name, and among these by the last',
    body(
      '<xsl:strip-space elements="*:b vs:*"/><xsl:preserve-space elements="vs:b"/><xsl:template match="/">[<xsl:value-of select="."/>]</xsl:template>',
    ),
    '<a xmlns:v="http://xml.vidispine.com/schema/vidispine"><b> </b><v:b>.</v:b><v:b> </v:b><v:c> </v:c><c>\t</c></a>',
    '[. \t]',
  ],
  [
    'numbers begin anew where another element stands',
    body(
      '<xsl:template match="/"><xsl:for-each select="//p"><xsl:number level="any" count="p" from="s"/>,<xsl:number level="multiple" count="s|p" from="r"/>;</xsl:for-each></xsl:template>',
    ),
    '<r><s><p/><p/></s><s><p/></s></r>',
    '1,1.1;2,1.2;1,2.1;',
  ],
  [
    'a variable hides the one of an element around it',
    body(
      '<xsl:template match="/"><xsl:variable name="v" select="1"/><a><xsl:variable name="w" select="$v + 1"/><b><xsl:variable name="v" select="$w + 1"/><xsl:value-of select="$v, $w"/></b></a><xsl:variable name="w" select="9"/><xsl:value-of select="$v, $w"/></xsl:template>',
    ),
    '<a/>',
    '<a><b>3 2</b></a>1 9',
  ],
  [
    'an alias of a namespace makes a stylesheet of a stylesheet',
    body(
      '<xsl:namespace-alias stylesheet-prefix="f" result-prefix="xsl"/><xsl:template match="/"><f:if test="1"/></xsl:template>',
    ),
    '<a/>',
    '<xsl:if xmlns:xsl="http://www.w3.org/1999/XSL/Transform" test="1"/>',
  ],
];

describe('a stylesheet', () => {
  it.each(rows)('%s', (_name, given, input, result) => {
    expect(applied(given, input)).toBe(result);
  });

  it('writes HTML where its result is a page, and text where it says so', () => {
    const page = '<xsl:template match="/"><html><body><br/><p>1 &lt; 2</p></body></html></xsl:template>';
    expect(applied(sheet(page), '<a/>')).toBe('<html>\n  <body>\n    <br>\n    <p>1 &lt; 2</p>\n  </body>\n</html>');
    const text = '<xsl:output method="text"/><xsl:template match="/"><a>1 &lt; 2</a></xsl:template>';
    expect(applied(sheet(text), '<a/>')).toBe('1 < 2');
  });

  it('indents and leaves out the declaration where it says so', () => {
    const given =
      '<xsl:output indent="yes" omit-xml-declaration="yes"/><xsl:template match="/"><a><b>1</b><c/></a></xsl:template>';
    expect(applied(sheet(given), '<a/>')).toBe('<a>\n  <b>1</b>\n  <c/>\n</a>');
  });
});

describe('a stylesheet is refused with the element and the line', () => {
  it.each([
    [
      'for an attribute that nobody knows',
      '<xsl:template match="/">\n<xsl:if tst="1"/></xsl:template>',
      'the attribute "test", in <xsl:if> (line 3)',
    ],
    [
      'for an element that may be left out by a condition',
      '<xsl:template match="/"><a xsl:use-when="false()"/></xsl:template>',
      'Expected no attribute "xsl:use-when", in <a> (line 2)',
    ],
    [
      'for a call of a template that is not there',
      '<xsl:template match="/"><xsl:call-template name="t"/></xsl:template>',
      'found "t"',
    ],
    ['for a function without a prefix', '<xsl:function name="f"/>', 'Expected a function with a prefix'],
    [
      'for sets of attributes that need each other',
      '<xsl:attribute-set name="s" use-attribute-sets="t"/>\n<xsl:attribute-set name="t" use-attribute-sets="s"/>',
      'Expected an xsl:attribute-set that does not need itself: found "s", in use-attribute-sets of <xsl:attribute-set> (line 3)',
    ],
    [
      'for a set of attributes that nobody has',
      '<xsl:attribute-set name="s" use-attribute-sets="t"/>',
      'Expected an xsl:attribute-set of this stylesheet: found "t"',
    ],
    [
      'for an element whose prefix is that of declarations',
      '<xsl:template match="/"><xsl:element name="xmlns:a" namespace="urn:a"/></xsl:template>',
      'Expected the name of an element: found "xmlns:a", in <xsl:element> (line 2)',
    ],
    [
      'for an attribute whose prefix is that of declarations',
      '<xsl:template match="/"><a><xsl:attribute name="xmlns:a" namespace="urn:a"/></a></xsl:template>',
      'Expected the name of an attribute: found "xmlns:a"',
    ],
    [
      'for an element in the namespace of declarations',
      '<xsl:template match="/"><xsl:element name="p:a" namespace="http://www.w3.org/2000/xmlns/"/></xsl:template>',
      'Expected another namespace than "http://www.w3.org/2000/xmlns/"',
    ],
    [
      'for a variable out of the content that sets it',
      '<xsl:template match="/"><a><xsl:variable name="v" select="1"/></a><xsl:value-of select="$v"/></xsl:template>',
      'Expected a variable that is known here: found "$v"',
    ],
    [
      'for a variable ahead of its place',
      '<xsl:template match="/"><xsl:variable name="u" select="1"/><a><xsl:value-of select="$v"/></a><xsl:variable name="v" select="1"/></xsl:template>',
      'Expected a variable that is known here: found "$v"',
    ],
    [
      'for a prefix without a namespace that stays out of the result',
      '<xsl:template match="/"><a><b xsl:exclude-result-prefixes="q"/></a></xsl:template>',
      'Expected a namespace for the prefix "q"',
    ],
    ['for two templates of one name', '<xsl:template name="t"/><xsl:template name="t"/>', 'a second time'],
    ['for a pattern that is none', '<xsl:template match="1 + 1"/>', 'Expected a pattern such as "a/b[c]"'],
    [
      'for a choice without a branch',
      '<xsl:template match="/"><xsl:choose/></xsl:template>',
      'Expected xsl:when, and at most one xsl:otherwise at the end, in <xsl:choose> (line 2)',
    ],
    [
      'for a part out of its place',
      '<xsl:template match="/"><xsl:when test="1"/></xsl:template>',
      'Expected this element in the one that it is a part of, in <xsl:when> (line 2)',
    ],
    ['for a method that nobody writes', '<xsl:output method="json"/>', 'found "json", in <xsl:output> (line 2)'],
    ['for an element of no namespace at its top', '<a/>', 'Expected an element of XSLT, or of another namespace'],
    ['for an element that nobody carries out', '<xsl:character-map name="c"/>', 'in <xsl:character-map> (line 2)'],
    [
      'for an attribute behind children',
      '<xsl:template match="/"><a><b/><xsl:attribute name="c"/></a></xsl:template>',
      'Expected the attribute "c" before the children of "a", not behind it, in <xsl:attribute> (line 2)',
    ],
  ])('%s', (_what, content, says) => {
    expect(failure(sheet(content))).toContain(says);
  });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { StylesheetFails } from '../../../../src/extensions/stylesheets/processor/run-stylesheet.ts';
import { shareOfTries } from '../../../support/long.ts';
import { escaped, input, rows } from './expressions.ts';
import { applied, root } from './sheets.ts';

const pieces = [
  '(',
  ')',
  '[',
  ']',
  ',',
  '//',
  '/',
  '@',
  '*',
  '..',
  '$x',
  "'a'",
  '1',
  '-',
  ' div ',
  ' to ',
  '()',
  '::',
].concat(
  [
    'xs:date(',
    ' cast as xs:',
    '?',
    'position()',
    'last()',
    "key('k',",
    '|',
    ' is ',
    'text()',
    ' instance of ',
    '😀',
    '9e99',
  ],
  ['for $x in ', ' return ', '{', '}', 'self::', '<<', ' and ', '#', '', '', ''],
);
const where: readonly ((expression: string) => string)[] = [
  (text) => `<xsl:value-of select="${text}"/>`,
  (text) => `<a b="{${text}}"/>`,
  (text) =>
    `<xsl:for-each select="${text}"><xsl:sort select="."/><xsl:copy-of select="."/><xsl:number/></xsl:for-each>`,
  (text) =>
    `<xsl:for-each-group select="//*" group-by="${text}"><xsl:copy-of select="current-group()"/></xsl:for-each-group>`,
  (text) =>
    `<xsl:variable name="v" as="item()*"><xsl:sequence select="${text}"/></xsl:variable><xsl:copy-of select="$v"/>`,
];

it('any expression makes something, or fails with a sentence', () => {
  const change = fc.tuple(fc.nat(), fc.nat(8), fc.constantFrom(...pieces));
  const given = fc.property(
    fc.constantFrom(...rows.map(([expression]) => expression)),
    fc.array(change, { maxLength: 3 }),
    fc.constantFrom(...where),
    fc.constantFrom('1.0', '2.0'),
    (expression, changes, place, version) => {
      let text = expression;
      for (const [at, count, piece] of changes) {
        const begin = at % (text.length + 1);
        text = text.slice(0, begin) + piece + text.slice(begin + (piece === '' ? count : 0));
      }
      try {
        applied(root(place(escaped(text)), version), input);
      } catch (error) {
        expect(error, text).toBeInstanceOf(StylesheetFails);
      }
    },
  );
  fc.assert(given, { numRuns: shareOfTries(10, 3000) });
});

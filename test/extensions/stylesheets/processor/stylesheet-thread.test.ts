import { expect, it, onTestFinished } from 'vitest';
import { moduleThread } from '../../../../src/entry/native/task-thread.ts';
import { StylesheetFails } from '../../../../src/extensions/stylesheets/processor/run-stylesheet.ts';
import type { Transformation, Transformed } from '../../../../src/extensions/stylesheets/processor/transform.ts';
import { stylesheetTask } from '../../../../src/extensions/stylesheets/room.ts';
import { root } from './sheets.ts';

const stylesheetThread = (max = stylesheetTask.max) =>
  moduleThread<Transformation, Transformed>({ ...stylesheetTask, max });

it('ends a stylesheet by force that is slow, and carries out the next one', async () => {
  const run = stylesheetThread(40);
  onTestFinished(() => run.close());
  const now = 0;
  const input = '<a>1</a>';
  const endless = root('<xsl:value-of select="count(for $a in 1 to 2000, $b in 1 to 2000 return $a)"/>');
  const slow = run({ stylesheet: endless, input, now });
  await expect(slow).rejects.toThrow(new StylesheetFails('Expected a stylesheet that is done within a second'));
  const patient = stylesheetThread();
  onTestFinished(() => patient.close());
  const made = await patient({ stylesheet: root('<b><xsl:value-of select="/a + 1"/></b>'), input, now });
  expect(made.text).toBe('<b>2</b>');
  await expect(patient({ stylesheet: '<a/>', now })).rejects.toThrow(StylesheetFails);
});

it('has a stack for all calls within calls that are allowed', async () => {
  const run = stylesheetThread();
  onTestFinished(() => run.close());
  const calls = (depth: number) =>
    root(`<xsl:call-template name="t"><xsl:with-param name="n" select="${depth}"/></xsl:call-template>`).replace(
      '</xsl:stylesheet>',
      '<xsl:template name="t"><xsl:param name="n"/><xsl:choose><xsl:when test="$n = 0">end</xsl:when><xsl:otherwise><a><xsl:call-template name="t">' +
        '<xsl:with-param name="n" select="$n - 1"/></xsl:call-template></a></xsl:otherwise></xsl:choose></xsl:template></xsl:stylesheet>',
    );
  expect((await run({ stylesheet: calls(990), input: '<a/>', now: 0 })).text).toContain('<a>end</a>');
  const tooMany = run({ stylesheet: calls(1_001), input: '<a/>', now: 0 });
  await expect(tooMany).rejects.toThrow('Expected at most 1000 calls of templates and functions within each other');
});

it('lets those who wait take turns', async () => {
  const run = stylesheetThread();
  onTestFinished(() => run.close());
  const order: string[] = [];
  const one = async (by: string) => {
    await run({ stylesheet: root('<b/>'), input: '<a/>', now: 0, by });
    order.push(by);
  };
  await Promise.all(['a', 'a', 'a', 'a', 'b', 'c'].map(one));
  expect(order).toEqual(['a', 'a', 'b', 'c', 'a', 'a']);
});

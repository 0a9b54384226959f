import { describe, expect, it } from 'vitest';
import { by, jsonOf, send } from '../../../support/requests.ts';
import { capitals, failureOf, opened, rule, setField, setRule, styled, textOf, waiting } from '../support.ts';

describe('an auto-projection rule that fails', () => {
  it.each([
    ['a script that throws', rule(`throw new Error('no way')`), /^VX-1: In step 1: Error: no way/],
    ['a script that does not end', rule(`for (;;);`), /^VX-1: In step 1: Expected the script to end within a second/],
    [
      'a stylesheet that ends itself',
      { step: [{ xslt: styled('<xsl:message terminate="yes">no way</xsl:message>') }] },
      /^VX-1: In a step: The stylesheet ends itself: "no way"/,
    ],
    [
      'a stylesheet that makes more than a script may leave',
      {
        step: [
          {
            xslt: styled(
              `<vs:MetadataDocument><xsl:for-each select="1 to 11"><!-- -->${'x'.repeat(100_000)}</xsl:for-each></vs:MetadataDocument>`,
            ),
          },
        ],
      },
      /^VX-1: Expected at most 1048576 characters of the stylesheet in a step: found 11/,
    ],
    [
      'a stylesheet that makes something else',
      { step: [{ xslt: styled('<html/>') }] },
      /^VX-1: Expected a MetadataDocument of the stylesheet in a step: /,
    ],
    ['no document', rule(`wrapper.metadata = 7`), /^VX-1: Expected a MetadataDocument in "wrapper.metadata"/],
    ['no wrapper', rule(`wrapper = 7`), /^VX-1: Expected an object in the variable "wrapper" behind step 1/],
    ['an unknown field', rule(capitals('title', 'x_nobody')), /^VX-1: no-such-entity: .*x_nobody/],
  ])('tells why, lets others go on, and refuses nobody: %s', async (_title, body, says) => {
    const world = await opened();
    await setRule(world, 'first', body);
    await setRule(world, 'second', rule(capitals('title', 'x_shout')));
    await setField(world, 'title', 'Harbour');
    await world.service.tick();
    expect(await textOf(world, 'x_shout')).toBe('HARBOUR');
    const { lastFailure, failureMessage } = await failureOf(world, 'first');
    expect([lastFailure, failureMessage]).toEqual([expect.stringMatching(/^\d{4}-/), expect.stringMatching(says)]);
    expect((await failureOf(world, 'second')).lastFailure).toBeUndefined();
    expect(await waiting(world)).toBe(0);
    const { work } = await jsonOf<{ work: { kind: string; lastFailureReason?: string }[] }>(world, 'GET /API/work');
    const told = work.find(({ kind }) => kind === 'auto-projections');
    expect(told?.lastFailureReason).toContain('first on VX-1');
    // Written anew, it has not failed yet.
    await setRule(world, 'first', rule('1'));
    expect((await failureOf(world, 'first')).lastFailure).toBeUndefined();
  });

  it('leaves alone fields that a user has locked', async () => {
    const world = await opened();
    await setRule(world, 'titles', rule(capitals('title', 'x_shout')));
    await send(world, by('POST /API/item/VX-1/metadata-lock?field=x_shout'));
    await setField(world, 'title', 'Harbour');
    await world.service.tick();
    expect(await textOf(world, 'x_shout')).toBeUndefined();
    expect((await failureOf(world, 'titles')).failureMessage).toMatch(
      /^VX-1: metadata-locked: Another user holds a lock/,
    );
  });
});

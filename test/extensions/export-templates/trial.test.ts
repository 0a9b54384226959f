import { describe, expect, it } from 'vitest';
import { ask, done } from '../../support/requests.ts';
import { fileTemplate, openExports, titled } from '../../support/transfers.ts';

describe('a template that is tested', () => {
  const test = '/API/export-template/test';
  const withSum = {
    folder: [
      {
        path: 'out',
        item: [
          {
            shape: [{ shapeTag: 'lowres', componentfile: [{ path: '{{item.metadata("title")}}.mp4', tag: ['low'] }] }],
            text: [{ path: 'sum.txt', dependency: ['low'], content: '{{checksum.tag("low")}}' }],
          },
        ],
        text: [{ path: 'all.txt', content: '{{files.length}}' }],
      },
    ],
  };

  it.each(['POST', 'PUT'])('by %s names the files that it makes of an item, and is not stored', async (method) => {
    const world = await openExports();
    const item = await titled(world);
    expect(await done(world, ask(`${method} ${test}?item=${item}`, withSum))).toEqual({
      uri: ['out/Harbour.mp4', 'out/sum.txt', 'out/all.txt'],
    });
    expect(await done(world, ask(`${method} ${test}`, withSum))).toEqual({ uri: [] });
    expect(await done(world, ask('GET /API/export-template'))).toEqual({ uri: [] });
    expect(world.to.files.size).toBe(0);
    expect((await done<{ hits: number }>(world, ask('GET /API/job?type=EXPORT'))).hits).toBe(0);
  });

  it.each<[string, object, RegExp]>([
    ['a shape that is missing', { item: [{ shape: [{ shapeTag: 'x', componentfile: [{}] }] }] }, /the tag x/],
    ['a script that throws', { text: [{ path: 'a', content: '{{nothing.at.all}}' }] }, /nothing/],
    ['a script that cannot be read', { text: [{ path: 'a', content: '{{(}}' }] }, /scripts that can be read/],
    ['an element that is not carried out', { library: [{ ...fileTemplate('a') }] }, /without the element library/],
    ['a path out of the folder', fileTemplate('../a'), /below the folder/],
  ])('is refused with what would fail its job: %s', async (_title, template, says) => {
    const world = await openExports();
    const item = await titled(world);
    const answer = await world.send(ask(`POST ${test}?item=${item}`, template));
    expect([answer.status, answer.body]).toEqual([400, expect.stringMatching(says)]);
  });

  it('needs an item that is there', async () => {
    const world = await openExports();
    expect((await world.send(ask(`POST ${test}?item=VX-999`, withSum))).status).toBe(404);
    expect((await world.send(ask(`POST ${test}`))).status).toBe(400);
  });
});

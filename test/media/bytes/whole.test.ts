import { expect, it } from 'vitest';
import { describeMatrix } from '../../support/matrix.ts';
import { playScenario } from '../../support/scenario.ts';
import { openBytesWorld, textAt, upload } from './world.ts';

const sha1 = '2aae6c35c94fcfb415dbe95f408b9ce91ee846ed';

describeMatrix('an upload in one go', (entry) => {
  it('M9 N14 is a file with its hash, and its events in one commit', async () => {
    const world = await openBytesWorld(entry);
    await playScenario(world, {
      name: '',
      ...upload('in/a b.mov', 'hello world'),
      status: 200,
      says: {
        jsonPart: {
          id: 'VX-1',
          path: 'in/a b.mov',
          uri: ['memory:///in/in/a%20b.mov'],
          state: 'CLOSED',
          size: 11,
          hash: sha1,
          storage: 'VX-1',
        },
      },
      events: [
        ['file/new', 'VX-1', { fileId: 'VX-1', storageId: 'VX-1' }],
        ['file/close', 'VX-1'],
        ['file/hash', 'VX-1'],
      ],
    });
    expect(textAt(world, 'in/a b.mov')).toBe('hello world');
    expect(world.place.staged.size).toBe(0);
  });
});

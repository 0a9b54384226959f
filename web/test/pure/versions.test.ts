import type { ShapeType } from 'portico/types';
import { describe, expect, it } from 'vitest';
import { pairOf, propertiesOf } from '../../src/pages/item/versions.ts';
import { together } from '../../src/player/engine.ts';

const shape = (id: string, essenceVersion: number, tag: string[], more: Partial<ShapeType> = {}): ShapeType => ({
  ...{ id, essenceVersion, tag },
  ...more,
});
/** The newest version first. */
const all = [
  ...[shape('VX-5', 1, ['original']), shape('VX-6', 1, ['web'])],
  ...[shape('VX-1', 0, ['web']), shape('VX-2', 0, ['original'])],
];
const chosen = (...wanted: string[]) => pairOf(all, wanted)?.map(({ id }) => id);

describe('two versions to compare', () => {
  it('are those of the address, or the newest and the same form of the version before', () => {
    expect(chosen('VX-6', 'VX-2')).toEqual(['VX-6', 'VX-2']);
    expect(chosen('VX-6')).toEqual(['VX-6', 'VX-1']);
    expect(chosen()).toEqual(['VX-5', 'VX-2']);
    expect(chosen('VX-404', 'VX-6')).toEqual(['VX-6', 'VX-1']);
    expect(pairOf([all[0]!], [])).toBeUndefined();
  });

  it('have their format and their size side by side, without what neither of them has', () => {
    const one = shape('VX-1', 0, [], {
      mimeType: ['video/mp4'],
      videoComponent: [{ codec: 'h264', averageFrameRate: { numerator: 30000, denominator: 1001 } }],
      containerComponent: { file: [{ id: 'VX-9', path: 'a.mp4', size: 2_500_000 }] as never },
    });
    const other = shape('VX-2', 1, [], {
      mimeType: ['video/mp4'],
      audioComponent: [{ codec: 'aac', channelCount: 2 }],
    });
    expect(propertiesOf([one, other])).toEqual([
      { name: 'library.tag', texts: ['video/mp4', 'video/mp4'] },
      { name: 'item.video', texts: ['h264', ''] },
      { name: 'item.rate', texts: ['29.97', ''] },
      { name: 'item.sound', texts: ['', 'aac · 2 channels'] },
      { name: 'item.size', texts: ['2.5 MB (2,500,000)', ''] },
    ]);
  });
});

describe('two films that run together', () => {
  function films() {
    const draw: (() => void)[] = [];
    const film = () => ({
      ...{ currentTime: 0, playbackRate: 1, paused: true, seeking: false, muted: false },
      addEventListener() {},
      removeEventListener() {},
      async play(this: { paused: boolean }) {
        this.paused = false;
      },
      pause(this: { paused: boolean }) {
        this.paused = true;
      },
      requestVideoFrameCallback: (drawn: () => void) => draw.push(drawn),
    });
    const [first, second] = [film(), film()];
    const both = together(first as never, second as never);
    const drawn = () => {
      both.requestVideoFrameCallback!(() => undefined);
      draw.pop()!();
    };
    return { both, first, second, drawn };
  }

  it('stand at the same time, and after a pause again', async () => {
    const { both, first, second } = films();
    both.currentTime = 2.02;
    expect([first.currentTime, second.currentTime]).toEqual([2.02, 2.02]);
    await both.play();
    first.currentTime = 3;
    second.currentTime = 2.98;
    both.pause();
    expect([first.paused, second.paused, second.currentTime]).toEqual([true, true, 3]);
  });

  it('run at one speed: the second catches up by its speed, and seeks when it is far away', async () => {
    const { both, first, second, drawn } = films();
    await both.play();
    both.playbackRate = 2;
    first.currentTime = 1;
    second.currentTime = 0.95;
    drawn();
    expect([second.playbackRate, second.currentTime]).toEqual([expect.closeTo(2.2), 0.95]);
    second.currentTime = 1.1;
    drawn();
    expect(second.playbackRate).toBeCloseTo(1.6);
    first.currentTime = 8;
    drawn();
    expect(second.currentTime).toBe(8);
  });
});

import { Recent } from '../../core/lib/cache.ts';
import { Gate } from '../../core/lib/gate.ts';
import type { ThreadTask } from '../../core/lib/thread-task.ts';
import type { RoomContext } from '../../room/context.ts';
import type { Marks } from '../../room/marks.ts';
import type { SheetCaller } from '../../room/pictures.ts';
import type { MarkTask } from './mark-drawing.ts';
import { lineOf, refuseFlood } from './sheet-drawing.ts';

class MarkFails extends Error {}

const maxSeconds = 10;

/** Task that a few megapixels take less than a second of. */
export const markTask: ThreadTask<MarkTask> = {
  program: 'extensions/pictures/mark-worker',
  max: maxSeconds * 1000,
  megabytes: 256,
  stackMegabytes: 4,
  tooSlow: `Expected a picture that gets its mark within ${maxSeconds} seconds`,
  tooLarge: 'Expected a picture that gets its mark within 256 megabytes',
  fails: (message) => new MarkFails(message),
  by: () => undefined,
};

/** Pictures that are kept, the bytes of one that is, and the milliseconds for which it is. */
const [maxPictures, maxKept, lifetime] = [64, 512 * 1024, 60 * 60 * 1000];

/** Pictures that wait while another one gets its mark, and the milliseconds that one of them waits. */
const limits = { width: 1, depth: 64, maxWait: 20_000 };

/** Marks for pictures, where the host has threads. */
export function createMarks({ clock, thread }: Pick<RoomContext, 'clock' | 'thread'>): Marks | undefined {
  if (!thread) return undefined;
  const draw = thread<MarkTask, Uint8Array<ArrayBuffer> | undefined>(markTask);
  const recent = new Recent<string, Uint8Array<ArrayBuffer>>(maxPictures);
  const gate = new Gate(limits, clock);
  async function drawnOnce(key: string, task: MarkTask, caller: SheetCaller) {
    const cached = () => recent.get(key, clock.now());
    const work = async () => {
      const drawn = cached() ?? (await draw(task).catch(unreadable));
      if (drawn && drawn.byteLength <= maxKept) recent.set(key, drawn, clock.now() + lifetime);
      return drawn;
    };
    return cached() ?? gate.run(work, { line: [lineOf(caller)] }).catch(refuseFlood);
  }
  return {
    picture: ({ bytes, name, areas }, mark, caller) =>
      drawnOnce(JSON.stringify([name, mark]), { picture: bytes, areas, mark }, caller),
    async overlay(size, mark, caller) {
      const drawn = await drawnOnce(JSON.stringify([size, mark]), { picture: size, mark }, caller);
      if (drawn) return drawn;
      throw new Error(markTask.tooSlow);
    },
  };
}

/** A picture that takes too long, or too much memory, is not shown at all. */
function unreadable(error: unknown): undefined {
  if (!(error instanceof MarkFails)) throw error;
}

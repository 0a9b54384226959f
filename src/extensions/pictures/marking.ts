import { Recent } from '../../core/lib/cache.ts';
import { Gate } from '../../core/lib/gate.ts';
import type { RoomContext } from '../../room/context.ts';
import type { Marks } from '../../room/marks.ts';
import type { SheetCaller } from '../../room/pictures.ts';
import { type Drawing, drawingTask, unreadable } from './drawing-thread.ts';
import type { MarkTask } from './mark-drawing.ts';
import { lineOf, refuseFlood } from './sheet-drawing.ts';

/** Pictures that are kept, the bytes of one that is, and the milliseconds for which it is. */
const [maxPictures, maxKept, lifetime] = [64, 512 * 1024, 60 * 60 * 1000];

/** Pictures that wait while another one gets its mark, and the milliseconds that one of them waits. */
const limits = { width: 1, depth: 64, maxWait: 20_000 };

/** Marks for pictures, where the host has threads. */
export function createMarks({ clock, thread }: Pick<RoomContext, 'clock' | 'thread'>): Marks | undefined {
  if (!thread) return undefined;
  const draw = thread<Drawing, Uint8Array<ArrayBuffer> | undefined>(drawingTask);
  const recent = new Recent<string, Uint8Array<ArrayBuffer>>(maxPictures);
  const gate = new Gate(limits, clock);
  async function drawnOnce(key: string, task: MarkTask, caller: SheetCaller) {
    const cached = () => recent.get(key, clock.now());
    const work = async () => {
      const drawn = cached() ?? (await draw({ ...task, by: lineOf(caller) }).catch(unreadable));
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
      throw new Error(drawingTask.tooSlow);
    },
  };
}

import type { ThreadTask } from '../../core/lib/thread-task.ts';
import type { TileTask } from './canvas.ts';
import type { MarkTask } from './mark-drawing.ts';
import type { EncodeTask } from './pixels.ts';

/** Task of a caller. */
export type Drawing = (MarkTask | TileTask | EncodeTask) & {
  /** Line of the caller: callers take turns. */
  readonly by: string;
};

/** A picture takes more time or memory than it may. */
class DrawingFails extends Error {}

const maxSeconds = 10;

/** Task that a few megapixels take less than a second of. */
export const drawingTask: ThreadTask<Drawing> = {
  program: 'extensions/pictures/drawing-worker',
  max: maxSeconds * 1000,
  megabytes: 256,
  stackMegabytes: 4,
  tooSlow: `Expected a picture that is drawn within ${maxSeconds} seconds`,
  tooLarge: 'Expected a picture that is drawn within 256 megabytes',
  fails: (message) => new DrawingFails(message),
  by: ({ by }) => by,
};

/** A picture that takes too long, or too much memory, is not shown at all. */
export function unreadable(error: unknown): undefined {
  if (!(error instanceof DrawingFails)) throw error;
}

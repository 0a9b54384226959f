import { tileHere } from './canvas.ts';
import type { Drawing } from './drawing-thread.ts';
import { markHere } from './mark-drawing.ts';
import { writePixels } from './pixels.ts';

/** Program of the thread for pictures. */
export function run(drawing: Drawing) {
  if ('mark' in drawing) return markHere(drawing);
  return 'pixels' in drawing ? writePixels(drawing.pixels, drawing.type) : tileHere(drawing);
}

/** A picture that cannot be read is no failure. */
export const isFailure = (): boolean => false;

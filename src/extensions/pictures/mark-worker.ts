/** Program of the thread for marks. */
export { markHere as run } from './mark-drawing.ts';

/** A picture that cannot be read is no failure. */
export const isFailure = (): boolean => false;

import type { SearchEngine } from '../../../spi/index.ts';

/** Engines that did not take the last changes of this instance. */
const unfed = new WeakSet<SearchEngine>();

/** Whether an engine took the last changes that this instance sent. */
export const isFed = (engine: SearchEngine): boolean => !unfed.has(engine);

export function noteFed(engine: SearchEngine, hasTaken: boolean): void {
  if (hasTaken) unfed.delete(engine);
  else unfed.add(engine);
}

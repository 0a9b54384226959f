import { parentPort } from 'node:worker_threads';
import { systemCode } from './disk.ts';
import type { FromWalker, ToWalker } from './walk.ts';
import { FolderWalk } from './walk.ts';

/** A thread that walks places. It keeps some walks that may go on, by the place and the path where they rest. */
const port = parentPort!;
const resting = new Map<string, { readonly walk: FolderWalk; readonly since: number }>();
const max = 8;
/** Milliseconds. What was read of a folder longer ago is read again. */
const maxLength = 60_000;

port.on('message', ({ number, root, holding, after, limit }: ToWalker) => {
  try {
    const key = `${root}\n${after}`;
    const now = performance.now();
    const rested = resting.get(key);
    resting.delete(key);
    const walk = rested && now - rested.since < maxLength ? rested.walk : new FolderWalk(root, holding, after);
    const page = walk.page(limit);
    if (page.next !== undefined) resting.set(`${root}\n${page.next}`, { walk, since: now });
    for (const oldest of resting.keys()) if (resting.size > max) resting.delete(oldest);
    port.postMessage({ number, page } satisfies FromWalker, [page.numbers.buffer]);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    port.postMessage({ number, code: systemCode(error), message } satisfies FromWalker);
  }
});

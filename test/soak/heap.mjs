import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

/** In the server of a soak: tells every few seconds what is alive in its memory, in bytes, behind a whole collection. */
const every = 5_000;

if (isMainThread) {
  setInterval(() => {
    globalThis.gc();
    const { heapUsed, external } = process.memoryUsage();
    writeFileSync(process.env.SOAK_HEAP, String(heapUsed + external));
  }, every).unref();
}

import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Limits concurrent tasks. Further ones wait in order. */
export class FfmpegSlots {
  readonly #width: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(width: number) {
    this.#width = width;
  }

  async take<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    if (this.#running < this.#width) this.#running++;
    else await this.#turn(signal);
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        const at = this.#waiting.indexOf(begin);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(signal.reason);
      };
      const begin = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      this.#waiting.push(begin);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}

const prefix = 'transcode-';
const day = 24 * 60 * 60 * 1000;

/** An empty folder for one run. What a killed server has left goes after a day. */
export async function emptyFolder(root: string): Promise<string> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  for (const name of await readdir(root)) {
    const path = join(root, name);
    const stats = name.startsWith(prefix) ? await stat(path).catch(() => undefined) : undefined;
    if (stats && Date.now() - stats.mtimeMs > day) await removeFolder(path);
  }
  return mkdtemp(join(root, prefix));
}

export const removeFolder = (path: string): Promise<void> => rm(path, { recursive: true, force: true });

import type { FileHandle } from 'node:fs/promises';
import { setTimeout } from 'node:timers';

/** Milliseconds that a file stays open: who moves it away, or unmounts its folder, waits for no longer. */
const keptFor = 500;
/** Number of files that stay open. One more closes the oldest. */
const maxKept = 32;

interface OpenFile {
  readonly path: string;
  readonly opening: Promise<FileHandle>;
  users: number;
  /** Closed by its last user. */
  isOver: boolean;
}

/**
 * Files that are read in short ranges, and stay open for a moment: a player that seeks asks for one after the other.
 * Measured: a file that is opened for each range costs the system three times as much.
 */
export class OpenFiles {
  readonly #open: (path: string) => Promise<FileHandle>;
  readonly #keeps: boolean;
  readonly #files = new Map<string, OpenFile>();

  /** `keeps`: not where an open file is in the way of who renames or removes it. */
  constructor(open: (path: string) => Promise<FileHandle>, keeps: boolean) {
    this.#open = open;
    this.#keeps = keeps;
  }

  /** Lends an open file. Where the work fails with one that was kept, it gets one that is opened now. */
  async use<T>(path: string, work: (handle: FileHandle, wasKept: boolean) => Promise<T>): Promise<T> {
    const openFile = this.#files.get(path);
    if (openFile) {
      const outcome = await this.#lend(openFile, (handle) => work(handle, true)).catch(() => undefined);
      if (outcome !== undefined) return outcome;
    }
    return this.#lend(this.#begin(path), (handle) => work(handle, false));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#files.values()].map((file) => this.#end(file)));
  }

  #begin(path: string): OpenFile {
    const file: OpenFile = { path, opening: this.#open(path), users: 0, isOver: !this.#keeps };
    if (!this.#keeps) return file;
    this.#files.set(path, file);
    setTimeout(() => void this.#end(file), keptFor).unref();
    const [oldest] = this.#files.values();
    if (this.#files.size > maxKept) void this.#end(oldest!);
    return file;
  }

  async #lend<T>(file: OpenFile, work: (handle: FileHandle) => Promise<T>): Promise<T> {
    file.users++;
    try {
      return await work(await file.opening);
    } catch (error) {
      this.#forget(file);
      throw error;
    } finally {
      file.users--;
      if (file.isOver) await this.#end(file);
    }
  }

  #forget(file: OpenFile): void {
    file.isOver = true;
    if (this.#files.get(file.path) === file) this.#files.delete(file.path);
  }

  async #end(file: OpenFile): Promise<void> {
    this.#forget(file);
    if (file.users > 0) return;
    // Only the first one closes it.
    file.users = Number.POSITIVE_INFINITY;
    await file.opening.then(
      (handle) => handle.close(),
      () => undefined,
    );
  }
}

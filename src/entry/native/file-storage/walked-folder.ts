import { asFolder } from './disk.ts';
import type { Holding } from './held-folder.ts';

/** Synchronous calls that open a folder. */
export interface FolderSystem {
  open(path: string, flags: number): number;
  close(descriptor: number): void;
  readLink(path: string): string;
}

/** The folder that a thread is in, one at a time. It stays this folder: see `held-folder.ts`. */
export class WalkedFolder {
  readonly #root: string;
  readonly #holding: Holding;
  readonly #system: FolderSystem;
  #held: { readonly prefix: string; readonly fd: number | undefined; readonly path: string } | undefined;

  constructor(root: string, holding: Holding, system: FolderSystem) {
    this.#root = root;
    this.#holding = holding;
    this.#system = system;
  }

  /** The path by which names in it are looked up. `prefix` is empty, or has "/" at its end. */
  enter(prefix: string): string {
    if (this.#held?.prefix === prefix) return this.#held.path;
    this.leave();
    const path = prefix === '' ? this.#root : `${this.#root}/${prefix.slice(0, -1)}`;
    if (this.#holding === 'by path') {
      this.#held = { prefix, fd: undefined, path };
      return path;
    }
    const fd = this.#system.open(path, asFolder);
    this.#held = { prefix, fd, path: `/proc/self/fd/${fd}` };
    if (this.#system.readLink(this.#held.path) === path) return this.#held.path;
    this.leave();
    // A link has taken the place of a folder on the way.
    throw Object.assign(new Error('Expected a folder'), { code: prefix === '' ? 'ESTALE' : 'ELOOP' });
  }

  leave(): void {
    if (this.#held?.fd !== undefined) this.#system.close(this.#held.fd);
    this.#held = undefined;
  }
}

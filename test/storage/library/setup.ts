import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { film } from './film.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder with the films. */
    films: string;
  }
}

/** Makes the films in a process of its own: the library takes it ill to be loaded twice. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const films = await mkdtemp(join(tmpdir(), 'portico-films-'));
  for (const [name, seconds] of [
    ['short', 3],
    ['long', 12],
  ] as const) {
    await writeFile(join(films, `${name}.mp4`), await film(seconds));
  }
  project.provide('films', films);
  return () => rm(films, { recursive: true });
}

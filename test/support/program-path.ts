/**
 * Stands for `src/entry/program-path.ts` in the tests: threads and child processes run the program that was built before
 * the tests. From the sources each of them loads a compiler first, which takes a third of a second.
 */
export const fromSources = false;

const program = new URL('../../dist/src/', import.meta.url);

export const programPath = (name: string): URL => new URL(`${name}.js`, program);

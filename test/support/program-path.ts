/**
 * Stands for `src/entry/program-path.ts` in the tests: threads and child processes run the program that was built before
 * the tests. From the sources each of them loads a compiler first, which takes a third of a second.
 */
export const fromSources = false;
export const checkout: URL | undefined = undefined;
export const home = new URL('../../', import.meta.url);

const program = new URL('dist/src/', home);

export const programPath = (name: string): URL => new URL(`${name}.js`, program);
export const modulePath = programPath;

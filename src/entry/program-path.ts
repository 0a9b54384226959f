/** Whether this program runs from its sources. */
export const fromSources = import.meta.url.endsWith('.ts');

const built = '/dist/src/';

/**
 * Address of a module that is started or bundled by its path: `entry/edge`. Needed because `dist` joins several modules
 * in a file, so relative addresses do not work.
 */
export function programPath(name: string): URL {
  const { url } = import.meta;
  const top = fromSources ? new URL('../', url) : url.slice(0, url.lastIndexOf(built) + built.length);
  return new URL(`${name}.${fromSources ? 'ts' : 'js'}`, top);
}

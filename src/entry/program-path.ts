const { url } = import.meta;

/** Address of the checkout whose sources these programs were built from. `scripts/portico.mjs` defines it. */
declare const porticoCheckout: string;

/** Whether this program runs from its sources. */
export const fromSources = url.endsWith('.ts');

const built = '/dist/src/';
const top = fromSources ? new URL('../', url).href : url.slice(0, url.lastIndexOf(built) + built.length);

/**
 * Address of the checkout in which nobody ran `npm run build`. Undefined: the program was built to be given away, and has
 * the web page beside it.
 */
export const checkout: URL | undefined = fromSources
  ? new URL('../', top)
  : typeof porticoCheckout === 'string'
    ? new URL(porticoCheckout)
    : undefined;

/** Address of the checkout or of the installed package. */
export const home: URL = checkout ?? new URL('../../', top);

/**
 * Address of a module that is started or bundled by its path: `entry/edge`. Needed because `dist` joins several modules
 * in a file, so relative addresses do not work.
 */
export const programPath = (name: string): URL => new URL(`${name}.${fromSources ? 'ts' : 'js'}`, top);

/** Address of a module that goes into a bundle for an edge. A checkout bundles its sources. */
export const modulePath = (name: string): URL => (checkout ? new URL(`src/${name}.ts`, checkout) : programPath(name));

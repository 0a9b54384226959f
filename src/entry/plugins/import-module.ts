import { pathToFileURL } from 'node:url';
import { readsTypeScript, tsxAddress } from '../start-thread.ts';

type Importer = (address: string) => Promise<unknown>;

const natively: Importer = (address) => import(/* @vite-ignore */ address);
let throughTsx: Promise<Importer> | undefined;

/**
 * Imports one module. TypeScript goes through tsx where the runtime does not read it (Node before 22.18). `version`
 * asks for a fresh one under the same path, which works for a single file where it works at all.
 */
export async function importModule(path: string, typescript: boolean, version?: string): Promise<unknown> {
  const { href } = pathToFileURL(path);
  const load = typescript && !readsTypeScript() ? await tsxImporter() : natively;
  return load(version === undefined ? href : `${href}?v=${version}`);
}

interface Tsx {
  register(options: { namespace: string; tsconfig: false }): {
    import(address: string, parent: string): Promise<unknown>;
  };
}

function tsxImporter(): Promise<Importer> {
  throughTsx ??= loadTsx();
  return throughTsx;
}

/** Once for the process, and for plugins only: each registration stays in the way of every later import. */
async function loadTsx(): Promise<Importer> {
  const tsx = (await natively(tsxAddress())) as Tsx;
  const scope = tsx.register({ namespace: 'portico-plugins', tsconfig: false });
  return (address) => scope.import(address, import.meta.url);
}

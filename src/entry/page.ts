import type { PageFiles } from '../room/context.ts';
import { checkout, programPath } from './program-path.ts';

/** Address of a module with the files of the web page. A checkout makes it when a source of the page is newer. */
export async function pageModule(name: 'assets' | 'edge-assets'): Promise<string> {
  if (!checkout) return programPath(`ui/${name}`).href;
  const { moduleOfCheckout } = await import(new URL('scripts/build-ui.mjs', checkout).href);
  return moduleOfCheckout(`${name}.js`);
}

export const pageFiles = async (): Promise<PageFiles> => (await import(await pageModule('assets'))).files;

import { existsSync } from 'node:fs';
import type { PageFiles } from '../room/context.ts';
import { checkout, programPath } from './program-path.ts';

/** Address of a module with the files of the web page. A checkout makes it when a source of the page is newer. */
export async function pageModule(name: 'assets' | 'edge-assets'): Promise<string> {
  if (!checkout) return programPath(`administration/ui/${name}`).href;
  const { moduleOfCheckout } = await import(new URL('scripts/build-ui.mjs', checkout).href);
  return moduleOfCheckout(`${name}.js`);
}

/**
 * Files that the page is read or made from. Builds and installations may lack them, such as `npm ci --omit=dev` of a
 * checkout.
 */
const parts = (): readonly URL[] =>
  checkout
    ? [new URL('web/src', checkout), new URL('node_modules/preact', checkout)]
    : [programPath('administration/ui/assets')];

export const hasPage = (needed = parts()): boolean => needed.every((part) => existsSync(part));

export const noPage =
  'The web page is not in this build: /ui/ answers 501. npm ci && npm run build of a checkout writes it';

export const pageFiles = async (): Promise<PageFiles> => (await import(await pageModule('assets'))).files;

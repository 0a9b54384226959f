import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliDecompress, gzip } from 'node:zlib';
import type { PageFiles } from '../room/context.ts';
import { filesIn, formOf, type PackedFiles } from './page-forms.ts';
import { checkout, programPath } from './program-path.ts';

/** Address of a module with the files of the web page. A checkout makes it when a source of the page is newer. */
export async function pageModule(): Promise<string> {
  if (!checkout) return programPath('administration/ui/page-files').href;
  const { moduleOfCheckout } = await import(new URL('scripts/build-ui.mjs', checkout).href);
  return moduleOfCheckout();
}

/**
 * Files that the page is read or made from. Builds and installations may lack them, such as `npm ci --omit=dev` of a
 * checkout.
 */
const parts = (): readonly URL[] =>
  checkout
    ? [new URL('web/src', checkout), new URL('node_modules/preact', checkout)]
    : [programPath('administration/ui/page-files')];

export const hasPage = (needed = parts()): boolean => needed.every((part) => existsSync(part));

export const noPage =
  'The web page is not in this build: /ui/ answers 501. npm ci && npm run build of a checkout writes it';

const unpack = promisify(brotliDecompress);
const pack = promisify(gzip);

/** Files of one module. Browsers take no Brotli without TLS, so each gets a gzip form, on threads of the runtime. */
async function readFiles(address: string): Promise<PageFiles> {
  const rows = Object.entries(filesIn(await packedFiles(address))).map(async ([name, file]) => {
    const br = await file.br!.read();
    const gzip = await pack(await unpack(br), { level: 9 });
    return [name, { ...file, br: formOf(br), gzip: formOf(new Uint8Array(gzip)) }] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}

/** The files as the build packs them. */
export async function packedFiles(address: string): Promise<PackedFiles> {
  const { files } = (await import(address)) as { readonly files: PackedFiles };
  return files;
}

let current: { readonly address: string; readonly files: Promise<PageFiles> } | undefined;

export async function pageFiles(): Promise<PageFiles> {
  const address = await pageModule();
  if (current?.address !== address) current = { address, files: readFiles(address) };
  return current.files;
}

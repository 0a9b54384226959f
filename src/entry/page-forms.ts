import type { Platform } from '../composition/platform.ts';
import { fromBase64 } from '../core/lib/bytes.ts';
import { ServiceError } from '../core/lib/errors.ts';
import type { PageFiles, PageForm } from '../room/context.ts';

/** Files of the web page as the module of a build has them: Brotli in base64. */
export type PackedFiles = Readonly<
  Record<string, { readonly type: string; readonly etag: string; readonly br: string }>
>;

/** Files of the web page whose Brotli form lies beside the module: their sizes in bytes. */
export type AssetList = Readonly<
  Record<string, { readonly type: string; readonly etag: string; readonly size: number }>
>;

/** Where an edge has its page: in the module, or beside it. */
export interface PageLoan {
  /** Files inside the module. Without them and those beside it there is no page. */
  readonly page?: () => Promise<PackedFiles>;
  /** Files that `portico bundle` has written beside the module, for the binding ASSETS. */
  readonly assets?: AssetList;
}

/** Binding that answers with assets: the one that Workers use, or a disk service of workerd. */
const binding = 'ASSETS';

/** By its version, so that a module gets the bytes that it was bundled with, or none. */
export const assetName = (etag: string): string => `${etag}.br`;

export const formOf = (bytes: Uint8Array<ArrayBuffer>): PageForm => ({ size: bytes.length, read: () => bytes });

const inBase64 = (text: string): PageForm => ({
  size: (text.length / 4) * 3 - (/=*$/.exec(text)?.[0].length ?? 0),
  read: () => fromBase64(text),
});

/** Files with their Brotli form, which is read from base64 when it is sent. */
export const filesIn = (files: PackedFiles): PageFiles =>
  Object.fromEntries(Object.entries(files).map(([name, { br, ...file }]) => [name, { ...file, br: inBase64(br) }]));

interface Assets {
  fetch(address: string): Promise<Response>;
}

const isAssets = (value: unknown): value is Assets =>
  typeof value === 'object' && value !== null && typeof (value as { fetch?: unknown }).fetch === 'function';

const lacksBinding =
  `Expected the binding ${binding} with the web page: name the folder that portico bundle writes beside the module ` +
  'in [assets] of wrangler.toml, or bundle with --page-inside';

const lack = (explanation: string): ServiceError => new ServiceError('not-implemented', { explanation });

async function readAsset(assets: Assets, etag: string, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const name = assetName(etag);
  // Host names have no meaning to a binding, which needs a whole address.
  const answer = await assets.fetch(`https://assets.invalid/${name}`);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (answer.status === 200 && bytes.length === size) return bytes;
  const expected = `Expected ${name} with ${size} bytes in the binding ${binding}, as portico bundle wrote it`;
  throw lack(`${expected}: status ${answer.status} with ${bytes.length} bytes`);
}

/** The page of an edge, and a sentence for the self-test where a binding is missing. */
export function pageOf(
  { page, assets: list }: PageLoan,
  environment: Readonly<Record<string, unknown>>,
): Pick<Platform, 'page' | 'notices'> {
  if (page) return { page: async () => filesIn(await page()), notices: [] };
  if (list === undefined) return { notices: [] };
  const assets = environment[binding];
  if (!isAssets(assets)) return { page: () => Promise.reject(lack(lacksBinding)), notices: [lacksBinding] };
  const rows = Object.entries(list).map(([name, { type, etag, size }]) => {
    const br = { size, read: () => readAsset(assets, etag, size) };
    return [name, { type, etag, br }] as const;
  });
  const files = Promise.resolve(Object.fromEntries(rows));
  return { page: () => files, notices: [] };
}

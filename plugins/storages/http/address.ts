import { textToBase64 } from '../../../src/kit/index.ts';
import type { StorageAddress } from '../../../src/spi/index.ts';
import { decodeSegment, isPath } from '../paths.ts';

export interface WebFolder {
  /** With "/" at its end. */
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads `https://host/folder/`. Returns the defect of an invalid address. */
export function webFolder({ uri, user, password }: StorageAddress): WebFolder | { readonly defect: string } {
  const [, authority, path] = /^https?:\/\/([^/?#@\\]+)((?:\/[^?#\\]*)?)$/i.exec(uri) ?? [];
  if (authority === undefined || path === undefined || !URL.canParse(uri))
    return { defect: 'Expected an address such as https://files.example.com/media/, without "?" and "#"' };
  const folder = path.replace(/^\/|\/$/g, '');
  const plain = decodeSegment(folder);
  if (folder !== '' && (plain === undefined || !isPath(plain)))
    return { defect: 'Expected a folder without empty parts, "." and ".."' };
  if (user?.includes(':')) return { defect: 'Expected a user name without a colon' };
  const base = new URL(uri.endsWith('/') ? uri : `${uri}/`).href;
  if (user === undefined) return { base, headers: {} };
  const login = textToBase64(`${user}:${password?.reveal() ?? ''}`);
  return { base, headers: { authorization: `Basic ${login}` } };
}

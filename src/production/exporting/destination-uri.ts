import { badParameter } from '../../http/parameters/index.ts';

const example = 'Expected an address such as file:///srv/exports/';
const maxLength = 2000;

/**
 * The address that an export goes to, in one spelling. With a slash at its end it is a folder. No refusal quotes it: it
 * may hold a password.
 */
export function exportUri(text: string, parameter = 'uri'): string {
  const bad = (explanation: string) => badParameter(parameter, explanation);
  const plain = !text.includes(':') && /%3a/i.test(text) ? decode(text, parameter) : text;
  const uri = plain.replace(/^file:\/(?!\/)/i, 'file:///');
  const [, scheme, host, path] = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)(\/.*)$/i.exec(uri) ?? [];
  if (scheme === undefined || host === undefined || path === undefined) throw bad(example);
  if (uri.length > maxLength) throw bad(`Expected an address of at most ${maxLength} characters`);
  if (host.includes('@')) {
    throw bad('Expected an address without name and password: methods of storages keep them');
  }
  if (/[?#\\\0-\x1f\x7f]/.test(uri)) throw bad(`${example}, without "?", "#" and backslashes`);
  if (scheme.toLowerCase() === 'file' && host !== '') throw bad(`${example}: no machine has a name`);
  const parts = path.slice(1).replace(/\/$/, '').split('/');
  if (path !== '/' && parts.some((part) => isBad(decode(part, parameter)))) {
    throw bad('Expected an address without empty parts, "." and ".."');
  }
  return uri;
}

/** Validates the address of a folder. Adds the final slash. */
export function folderUri(text: string): string {
  const uri = exportUri(text);
  return uri.endsWith('/') ? uri : `${uri}/`;
}

/** Splits an address into the folder and the file name. The name is undefined if the address is a folder. */
export function splitUri(uri: string): { readonly folder: string; readonly name: string | undefined } {
  const at = uri.lastIndexOf('/') + 1;
  return { folder: uri.slice(0, at), name: at === uri.length ? undefined : decode(uri.slice(at)) };
}

const isBad = (part: string): boolean => part === '' || part === '.' || part === '..' || /[/\\\0-\x1f\x7f]/.test(part);

function decode(text: string, parameter = 'uri'): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badParameter(parameter, 'Expected percent-encoding of UTF-8');
  }
}

import { readBase64 } from '../../lib/base64.ts';
import { badHeader } from '../bytes/refusals.ts';
import { newPath } from '../files/path.ts';

const header = 'Upload-Metadata';
const keys = 'the keys storage and path, each with its value in base64, as in "storage VlgtMQ==,path aW4vYS5tb3Y="';
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Target of a tus upload. */
interface UploadTarget {
  readonly storage: string;
  readonly path: string;
}

/** `storage VlgtMQ==,path aW4v,filename YS5tb3Y=`: keys, each with its value in base64. Others are kept for the client. */
export function uploadTarget(text: string): UploadTarget {
  const values = readPairs(text);
  const storage = values.get('storage');
  if (!storage) throw badHeader(header, `Expected ${keys}: storage, the id of a storage, is missing`, text);
  const folder = values.get('path') ?? '';
  const name = values.get('filename') ?? '';
  if (folder !== '' && !folder.endsWith('/')) return { storage, path: newPath(folder, header) };
  if (name === '') throw badHeader(header, `Expected ${keys}: path, or filename, is missing`, text);
  if (name.includes('/')) throw badHeader(header, 'Expected a file name without a slash', name);
  return { storage, path: newPath(`${folder}${name}`, header) };
}

function readPairs(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const pair of text.split(',')) {
    const [key = '', value = '', more] = pair.trim().split(' ');
    if (key === '' || more !== undefined || values.has(key)) {
      throw badHeader(header, 'Expected keys that differ, each with its value in base64', pair);
    }
    values.set(key, value === '' ? '' : decoded(value));
  }
  return values;
}

function decoded(base64: string): string {
  try {
    const bytes = readBase64(base64);
    if (bytes) return utf8.decode(bytes);
  } catch {
    // Same error as for invalid base64.
  }
  throw badHeader(header, 'Expected UTF-8 in base64', base64);
}

import { readBase64 } from '../../core/lib/base64.ts';
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

/** Whether the uploaded file is to become an item. */
export function asksForImport(values: ReadonlyMap<string, string>): boolean {
  const value = values.get('import') ?? 'false';
  if (value !== 'true' && value !== 'false') throw badHeader(header, 'Expected import true or false', value);
  if (value === 'true' && values.has('path')) {
    throw badHeader(header, 'Expected no path beside import=true: the service names the file', values.get('path')!);
  }
  return value === 'true';
}

/** Path that the caller gives to the file. Other keys are kept for the client. */
export function uploadTarget(values: ReadonlyMap<string, string>): UploadTarget {
  const storage = values.get('storage');
  if (!storage) throw badHeader(header, `Expected ${keys}: storage, the id of a storage, is missing`, namesOf(values));
  const folder = values.get('path') ?? '';
  const name = values.get('filename') ?? '';
  if (folder !== '' && !folder.endsWith('/')) return { storage, path: newPath(folder, header) };
  if (name === '') throw badHeader(header, `Expected ${keys}: path, or filename, is missing`, namesOf(values));
  if (name.includes('/')) throw badHeader(header, 'Expected a file name without a slash', name);
  return { storage, path: newPath(`${folder}${name}`, header) };
}

const namesOf = (values: ReadonlyMap<string, string>): string => [...values.keys()].join(', ');

/** Reads `storage VlgtMQ==,path aW4v,filename YS5tb3Y=`: keys, each with its value in base64. */
export function uploadMetadata(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const pair of text === '' ? [] : text.split(',')) {
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

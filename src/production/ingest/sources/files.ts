import type { ByteRange, StorageDriver } from '../../../spi/index.ts';
import { kindOfFailure, storageRefusal } from '../../../storage/public.ts';
import { refused, type Source, type SourceParts } from './source.ts';

/** Absolute path after one or three slashes, or after the name of this machine. */
const form = /^file:(?:\/\/(?:localhost)?)?(\/(?!\/).*)$/i;
const address = 'Expected an address of a file such as file:///srv/in/clip.mp4';

/**
 * Opens a local file below the folders of the setting PORTICO_IMPORT_ROOTS, or below those of storages. The driver
 * compares folders after links are resolved, and follows no link below them.
 */
export async function openFile({ security, sharesWork }: SourceParts, text: string, signal?: AbortSignal) {
  const path = form.exec(text)?.[1];
  const cut = path?.lastIndexOf('/') ?? 0;
  const name = nameOf(path?.slice(cut + 1) ?? '');
  if (path === undefined || name === undefined) throw refused(address);
  const scheme = security.storages().find(({ schemes }) => schemes.includes('file'));
  if (!scheme || !sharesWork) throw refused('Expected a server that reads files: an edge has none');
  const uri = `file://${path.slice(0, cut + 1)}`;
  const defect = scheme.defect?.({ uri }) ?? scheme.closed?.({ uri }, 'import');
  if (defect !== undefined) throw refused(defect);
  return openAt(scheme.open({ uri }, 'import'), name, signal);
}

/** The name of a file. Undefined: it leads elsewhere, or is none. */
function nameOf(part: string): string | undefined {
  try {
    const name = decodeURIComponent(part);
    return /^\.{0,2}$|[\\/\0-\x1f]/.test(name) || /[?#]/.test(part) ? undefined : name;
  } catch {
    return undefined;
  }
}

/** A file that a driver has. What the driver refuses for good fails the job. `storage`: one that may come back. */
export async function openAt(
  driver: StorageDriver,
  path: string,
  signal?: AbortSignal,
  storage?: string,
): Promise<Source> {
  const file = await driver.stat(path, signal).catch((error: unknown) => {
    if (storage !== undefined) throw storageRefusal(error, { storage, path });
    throw hopeless.has(kindOfFailure(error)) ? refused((error as Error).message) : error;
  });
  if (!file) throw refused('Expected a file at the address: there is none');
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    size: file.size,
    version: file.version,
    identity: file.identity,
    async body(range?: ByteRange) {
      const options = { version: file.version, ...(range && { range }), ...(signal && { signal }) };
      return (await driver.read(path, options)).body;
    },
  };
}

const hopeless: ReadonlySet<string> = new Set(['denied', 'bad-path', 'unsupported', 'offline']);

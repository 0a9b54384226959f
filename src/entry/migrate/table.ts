import { printable } from '../../core/lib/messages.ts';
import { withoutSecrets } from '../../core/lib/secret.ts';
import type { StorageType } from '../../types.ts';
import { CommandError } from '../commands/command.ts';
import type { StorageLine } from './carry.ts';
import { many } from './original.ts';

const example = 'VX-3  file:///srv/media/  keep';

/**
 * Table of storages. A line has the id at the original, an address or the id of a storage here, and "keep" or "copy". A
 * dash as address leaves the storage out.
 */
export function readTable(text: string): ReadonlyMap<string, StorageLine> {
  const lines = new Map<string, StorageLine>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const words = line.trim().split(/\s+/);
    if (words[0] === '' || words[0]!.startsWith('#')) continue;
    const [id, to, how = 'keep'] = words;
    const isGood = words.length <= 3 && to !== undefined && (how === 'keep' || how === 'copy') && !lines.has(id!);
    if (!isGood) {
      const place = `line ${index + 1} of the table of storages`;
      throw new CommandError(`Expected a line such as "${example}" in ${place}: "${line.trim().slice(0, 80)}"`);
    }
    lines.set(id!, { to: to === '-' ? '' : to, copies: how === 'copy' });
  }
  return lines;
}

/** Addresses that tell no secret, and that any machine with the same disks or buckets can use. */
const isPlain = (uri: string): boolean => !/[@*]/.test(uri) && withoutSecrets(uri) === uri;

export const addressesOf = (storage: StorageType): readonly string[] => {
  const ordinary = many(storage.method).filter(({ type }) => type === undefined || type === '' || type === 'NONE');
  const readable = ordinary.filter(({ read }) => String(read) !== 'false');
  return (readable.length > 0 ? readable : ordinary).map(({ uri }) => uri);
};

/** Table with all storages as they are at the original, to be corrected by a person. */
export function proposeTable(storages: readonly StorageType[]): string {
  const rows = storages.map((storage) => {
    const addresses = addressesOf(storage);
    const name = many(storage.metadata?.field).find(({ key }) => /^(?:storage)?name$/i.test(key))?.value ?? '';
    const notes = [...(name === '' ? [] : [name]), storage.type, ...addresses.filter(isPlain).slice(0, 3)];
    const address = addresses.find(isPlain)?.replace(/\s/g, encodeURIComponent) ?? '-';
    const line = `${storage.id}  ${address}  keep`;
    const isNamed = /^\S+$/.test(storage.id ?? '');
    return [`# ${notes.join(', ').replace(/\s+/g, ' ')}`, isNamed ? line : `# No line can name it: ${line}`].map(
      printable,
    );
  });
  return [
    '# A line for each storage: its id at the original, its address here, and keep or copy.',
    '# keep: the bytes stay where they are. copy: they are copied to that address.',
    '# A dash as address leaves the storage out. The id of a storage that is here may stand for an address.',
    ...rows.flat(),
    '',
  ].join('\n');
}

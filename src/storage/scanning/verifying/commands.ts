import { CommandError, type Desk, type RoomCommands } from '../../../room/command.ts';
import { findStorage, storagesBehind } from '../../storages/store.ts';
import type { createVerify, VerifiedFile } from './verify.ts';

type MediaDesk = Desk<{ readonly verify: ReturnType<typeof createVerify> }>;

const page = 100;

export const mediaCommands: RoomCommands<MediaDesk> = {
  'verify-media': {
    usage: 'verify-media [STORAGE] [--hash]',
    says: 'Compares files with their entries, and changes nothing. Exits with 1 if they differ. --hash reads all bytes.',
    optional: ['STORAGE'],
    flags: ['--hash'],
    about: { STORAGE: 'The id of one storage.', '--hash': 'Reads all bytes and compares their hashes.' },
    opensStorages: true,
    async run({ words: [name], has }, desk) {
      let [files, findings] = [0, 0];
      for await (const id of storagesOf(desk, name)) {
        const verified = await desk.offers.verify(id, has('--hash'), (finding) => desk.tell(lineOf(finding)));
        files += verified.files;
        findings += verified.findings;
      }
      if (findings === 0) return desk.tell(`Compared ${files} files: all are as they should be`);
      throw new CommandError(`Expected files as they are known: ${findings} findings in ${files} files`);
    },
  },
};

async function* storagesOf({ store }: MediaDesk, name: string | undefined): AsyncGenerator<string> {
  if (name !== undefined) {
    const row = await findStorage(store, { id: name });
    if (!row) throw new CommandError(`Expected the id of a storage: "${name.slice(0, 80)}"`);
    return yield row.id;
  }
  for (let after = -1; ; ) {
    const storages = await storagesBehind(store, { after, limit: page });
    if (storages.length === 0) return;
    for (const { id } of storages) yield id;
    after = storages.at(-1)!.serial;
  }
}

/** Names of files come from outside: what a terminal would obey is escaped. */
const lineOf = ({ storage, what, path, says }: VerifiedFile): string =>
  [storage, what, path, says].map((cell) => cell.replaceAll(/[\p{Cc}\p{Cf}]/gu, escaped)).join('\t');

const escaped = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16)}}`;

import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtInSecurity, type Service } from '../../composition/service.ts';
import type { Settings } from '../../composition/settings.ts';
import { defaultIni } from '../../security/ini/default-ini.ts';
import { databaseUrl } from '../host.ts';
import { backup, type Move, moveStorages, readMove, restore, storageFolders } from '../native/backup.ts';
import { folderOfUri } from '../native/file-storage/roots.ts';
import { backupInstance, isInstanceCopy, restoreInstance } from '../native/instance-copy.ts';
import { databaseFile } from '../native/open-database.ts';
import { printLine } from '../output.ts';
import { findIni } from '../plugins/find-ini.ts';
import { type Command, CommandError, type CommandInput, withService } from './command.ts';

export const migrateCommand: Command = {
  usage: 'migrate',
  says: 'Migrates the database to the schema of this program, or creates the schema.',
  run: ({ settings }) => withService(settings(), prepareDatabase),
};

async function prepareDatabase(service: Service): Promise<void> {
  const { madeUpPassword } = await service.prepare();
  if (madeUpPassword !== undefined) {
    printLine(`The user admin was created. Its password, shown only now: ${madeUpPassword}`);
  }
  printLine(`The database has schema ${await service.store.schemaVersion()}`);
}

/** A name of a database file asks for the database alone. */
const isDatabaseName = (path: string): boolean => /\.(?:db|sqlite3?)$/i.test(path);

export const backupCommand: Command = {
  usage: 'backup FILE.db|FOLDER [--media] [--key]',
  says: 'Writes a backup, also while a server runs. FILE.db has the database, FOLDER also security.ini and plugins.',
  words: ['FILE.db|FOLDER'],
  flags: ['--media', '--key'],
  about: {
    '--media': 'Copies the folders of PORTICO_STORAGE_ROOTS, too. Needs a FOLDER.',
    '--key': 'Copies secret.key, too. Then the backup can read all stored secrets. Needs a FOLDER.',
  },
  async run(given) {
    const target = given.words[0]!;
    const parts = { media: given.has('--media'), key: given.has('--key') };
    const path = localDatabase(given);
    if (!isDatabaseName(target)) {
      const copiedParts = await backupInstance(path, given.settings(), target, parts);
      printLine([`Wrote ${target}`, ...copiedParts.map((line) => `  ${line}`)].join('\n'));
      return noteBackup(given.settings());
    }
    if (parts.media || parts.key) throw new CommandError(`Expected a folder with --media or --key: "${target}"`);
    await backup(path, target);
    printLine(`Wrote ${target}\n  the database alone: a folder also gets security.ini and plugins`);
    await noteBackup(given.settings());
  },
};

/** The web page asks for a backup until one is noted. The backup is good without the note. */
async function noteBackup(settings: Settings): Promise<void> {
  await withService(settings, async ({ store, rooms }) => {
    await store.checkSchema();
    await rooms.operations.noteBackup();
  }).catch((error) => printLine(`  its time was not noted: ${error instanceof Error ? error.message : error}`));
}

export const restoreCommand: Command = {
  usage: 'restore FILE.db|FOLDER [--force] [--media] [--key] [--move-storages OLD=NEW]',
  says: 'Restores a backup into a stopped instance: the database, and from a FOLDER also security.ini and plugins. All logins end.',
  words: ['FILE.db|FOLDER'],
  flags: ['--force', '--media', '--key'],
  options: ['--move-storages'],
  about: {
    '--move-storages': 'Storages below the folder OLD lie below NEW now. Both are absolute. May be repeated.',
    '--force': 'Replaces the database and the files that are there.',
    '--media': 'Puts the media of the backup back. Files that are there stay, unless --force says otherwise.',
    '--key': 'Puts secret.key of the backup back.',
  },
  async run(given) {
    const source = given.words[0]!;
    const settings = given.settings();
    const path = localDatabase(given);
    const parts = { force: given.has('--force'), media: given.has('--media'), key: given.has('--key') };
    const moves = given.option('--move-storages').map(moveFrom);
    if (await isInstanceCopy(source)) {
      const restoredParts = await restoreInstance(source, path, settings, parts);
      printLine([`Restored ${settings.root}`, ...restoredParts.map((line) => `  ${line}`)].join('\n'));
    } else {
      if (parts.media || parts.key) throw new CommandError(`Expected a folder with --media or --key: "${source}"`);
      await restore(source, path, parts);
      printLine(`Restored ${path}`);
    }
    printLine('  all logins end: sessions, tokens and login links. Passwords and access keys are those of the backup');
    for (const line of moveStorages(path, moves)) printLine(`  ${line}`);
    let isMissing = false;
    for (const [storage, uri] of storageFolders(path)) {
      const place = folderOfUri(uri);
      if (!('folder' in place) || existsSync(place.folder)) continue;
      isMissing = true;
      printLine(`  not found: ${place.folder} of storage ${storage}`);
    }
    if (isMissing) printLine('  if storages lie elsewhere now: restore again with --force --move-storages OLD=NEW');
  },
};

function moveFrom(text: string): Move {
  const move = readMove(text);
  if (move) return move;
  throw new CommandError(`Expected two absolute folders as OLD=NEW after --move-storages: "${text.slice(0, 80)}"`);
}

function localDatabase({ settings }: CommandInput): string {
  const url = databaseUrl(settings());
  if (url.startsWith('file:')) return databaseFile(url);
  throw new CommandError('Expected a database in a file: a remote one is backed up where it lives');
}

export const initCommand: Command = {
  usage: 'init [--groups]',
  says: 'Creates an instance root: the database, and a commented security.ini unless there is one.',
  flags: ['--groups'],
  about: {
    '--groups':
      'Creates the groups viewer, reviewer, editor, librarian and operator with their roles, if they are missing.',
  },
  async run({ settings, has }) {
    const instanceSettings = settings();
    printLine(await writeIni(instanceSettings));
    await withService(instanceSettings, async (service) => {
      await prepareDatabase(service);
      if (!has('--groups')) return;
      const groups = await service.rooms.operations.makeGroups();
      printLine(groups.length === 0 ? 'All groups are there' : `Made the groups ${groups.join(', ')}`);
    });
  },
};

/** A file that is there stays, wherever a start would look for it. */
async function writeIni(settings: Settings): Promise<string> {
  const { file } = await findIni(settings);
  if (file !== builtInSecurity.file) return `${file} stays as it is`;
  await mkdir(settings.root, { recursive: true });
  const path = join(settings.root, 'security.ini');
  await writeFile(path, defaultIni, { flag: 'wx', mode: 0o600 });
  return `Wrote ${path}`;
}

import { databaseUrl } from '../host.ts';
import { backup, restore } from '../native/backup.ts';
import { pathOf } from '../native/open-database.ts';
import { tell } from '../output.ts';
import { type Command, CommandError, type Given } from './command.ts';
import { withService } from './session.ts';

export const migrateCommand: Command = {
  usage: 'migrate',
  says: 'Brings the database to the schema of this program, and initialises an empty one.',
  run: ({ settings }) =>
    withService(settings(), async (service) => {
      const { madeUpPassword } = await service.prepare();
      if (madeUpPassword !== undefined) {
        tell(`The user admin was created. Its password, shown only now: ${madeUpPassword}`);
      }
      tell(`The database has schema ${await service.store.schemaVersion()}`);
    }),
};

export const backupCommand: Command = {
  usage: 'backup FILE',
  says: 'Writes a consistent copy of the database, also while a server uses it.',
  words: ['FILE'],
  async run(given) {
    const target = given.words[0]!;
    await backup(databaseFile(given), target);
    tell(`Wrote ${target}`);
  },
};

export const restoreCommand: Command = {
  usage: 'restore FILE [--force]',
  says: 'Puts a copy in the place of the database. --force replaces one that is there.',
  words: ['FILE'],
  flags: ['--force'],
  about: { '--force': 'Replaces the database that is there.' },
  async run(given) {
    const path = databaseFile(given);
    await restore(given.words[0]!, path, { force: given.has('--force') });
    tell(`Restored ${path}`);
  },
};

function databaseFile({ settings }: Given): string {
  const url = databaseUrl(settings());
  if (url.startsWith('file:')) return pathOf(url);
  throw new CommandError('Expected a database in a file: a remote one is backed up where it lives');
}

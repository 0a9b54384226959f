import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtInSecurity } from '../../composition/service.ts';
import type { Settings } from '../../composition/settings.ts';
import { defaultIni } from '../../security/ini/default-ini.ts';
import { printLine } from '../output.ts';
import { findIni } from '../plugins/find-ini.ts';
import type { Command } from './command.ts';
import { prepareDatabase } from './database.ts';
import { withService } from './session.ts';

export const initCommand: Command = {
  usage: 'init [--groups]',
  says: 'Creates an instance root: the database, and a commented security.ini unless there is one.',
  flags: ['--groups'],
  about: {
    '--groups': 'Creates the groups viewer, editor, librarian and operator with their roles, if they are missing.',
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
  await writeFile(path, defaultIni, { flag: 'wx' });
  return `Wrote ${path}`;
}

import { settingManual } from '../../composition/settings.ts';
import { programVersion } from '../../lib/version.ts';
import { printLine } from '../output.ts';
import { serve } from '../serve.ts';
import { bundleCommand } from './bundle.ts';
import type { Command } from './command.ts';
import { backupCommand, migrateCommand, restoreCommand } from './database.ts';
import { helpOf } from './help.ts';
import { initCommand } from './init.ts';
import { openApiCommand } from './openapi.ts';
import { pluginCommands } from './plugin.ts';
import { roomCommands } from './rooms.ts';
import { checkCommand, defaultIniCommand, explainCommand } from './security.ts';
import { newWorkerCommand } from './worker.ts';

export { CommandError } from './command.ts';

/** By name, in the order in which `help` lists them. */
export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['serve', { usage: 'serve', says: 'Serves the API until told to stop.', run: ({ settings }) => serve(settings()) }],
  ['init', initCommand],
  ['check', checkCommand],
  ['explain', explainCommand],
  ['security', defaultIniCommand],
  ...pluginCommands,
  ['settings', { usage: 'settings', says: 'Prints every setting.', run: () => printLine(settingManual()) }],
  ['openapi', openApiCommand],
  ['migrate', migrateCommand],
  ...roomCommands,
  ['bundle', bundleCommand],
  ['worker new', newWorkerCommand],
  ['backup', backupCommand],
  ['restore', restoreCommand],
  ['version', { usage: 'version', says: 'Prints the version.', run: () => printLine(programVersion) }],
  ['help', helpOf(() => commands)],
]);

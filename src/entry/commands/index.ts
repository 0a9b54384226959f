import { settingManual } from '../../composition/settings.ts';
import { programVersion } from '../../core/lib/version.ts';
import { printLine } from '../output.ts';
import { serveCommand } from '../serve.ts';
import { bundleCommand } from './bundle.ts';
import type { Command } from './command.ts';
import { withService } from './command.ts';
import { helpOf } from './help.ts';
import { backupCommand, initCommand, migrateCommand, restoreCommand } from './instance.ts';
import { migrateFromCommand } from './migrate-from.ts';
import { newWorkerCommand } from './new-project.ts';
import { pluginCommands } from './plugin.ts';
import { roomCommands } from './rooms.ts';
import { runnerCommand } from './runner.ts';
import { checkCommand, defaultIniCommand, explainCommand } from './security.ts';

const openApiCommand: Command = {
  usage: 'openapi [--json|--xsd]',
  says: 'Prints the OpenAPI document of the API; with --xsd, the XML Schema of its documents. Needs no database.',
  flags: ['--json', '--xsd'],
  about: {
    '--json': 'Names JSON alone where there is JSON, for generators of clients.',
    '--xsd': 'Prints the XML Schema instead.',
  },
  run: ({ has, settings }) =>
    withService({ ...settings(), database: 'memory:' }, async (service) => {
      const { openApiText, xsdText } = service.rooms.operations;
      const isXsd = has('--xsd');
      const text = new TextDecoder().decode(
        (await (isXsd ? xsdText() : openApiText(has('--json') ? 'json' : 'all'))).bytes,
      );
      printLine(isXsd ? text.trimEnd() : JSON.stringify(JSON.parse(text), null, 2));
    }),
};

/** By name, in the order in which `help` lists them. */
export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['serve', serveCommand],
  ['init', initCommand],
  ['check', checkCommand],
  ['explain', explainCommand],
  ['security', defaultIniCommand],
  ...pluginCommands,
  ['settings', { usage: 'settings', says: 'Prints every setting.', run: () => printLine(settingManual()) }],
  ['openapi', openApiCommand],
  ['migrate', migrateCommand],
  ['migrate-from', migrateFromCommand],
  ['runner', runnerCommand],
  ...roomCommands,
  ['bundle', bundleCommand],
  ['worker new', newWorkerCommand],
  ['backup', backupCommand],
  ['restore', restoreCommand],
  ['version', { usage: 'version', says: 'Prints the version.', run: () => printLine(programVersion) }],
  ['help', helpOf(() => commands)],
]);

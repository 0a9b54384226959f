import type { Settings } from '../../composition/settings.ts';
import type { CommandForm, CommandLine } from '../../room/command.ts';

export { CommandError } from '../../room/command.ts';

export interface CommandInput extends CommandLine {
  settings(): Settings;
}

export interface Command extends CommandForm {
  run(given: CommandInput): Promise<void> | void;
}

import { nearest } from '../../core/lib/messages.ts';
import { printLine } from '../output.ts';
import { type Command, CommandError } from './command.ts';

type Commands = ReadonlyMap<string, Command>;

export const helpOf = (commands: () => Commands): Command => ({
  usage: 'help [COMMAND]',
  says: 'Lists the commands, or describes one: help user add.',
  optional: ['COMMAND', 'MORE'],
  about: { COMMAND: 'The name of a command, or the first word of several: help user.' },
  run({ words }) {
    printLine(helpAbout(commands(), words));
  },
});

const all = 'Every setting can be given as a flag or in the environment: see "portico settings".';

const list = (commands: Commands): string => `${lines([...commands.values()])}\n\n${all}`;

function lines(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ usage }) => usage.length));
  return commands.map(({ usage, says }) => `portico ${usage.padEnd(width)}  ${says}`).join('\n');
}

/** Help on one command, or on all commands that begin with the word. Further words are ignored. */
export function helpAbout(commands: Commands, words: readonly string[]): string {
  if (words.length === 0) return list(commands);
  const one = commands.get(words.slice(0, 2).join(' ')) ?? commands.get(words[0]!);
  if (one) return about(one);
  const several = beginningWith(commands, words[0]!);
  if (several.length > 0) return lines(several.map((name) => commands.get(name)!));
  throw unknownCommand(commands, words[0]!);
}

const beginningWith = (commands: Commands, word: string): readonly string[] =>
  [...commands.keys()].filter((name) => name.startsWith(`${word} `));

export function unknownCommand(commands: Commands, given: string): CommandError {
  const several = beginningWith(commands, given);
  if (several.length > 0) return new CommandError(`Expected one of ${several.join(', ')}: "${given}"`);
  const near = nearest(given, commands.keys());
  const hint = near ? `. The nearest is "${near}"` : '';
  return new CommandError(`Expected a command: "${given.slice(0, 80)}"${hint}. See "portico help"`);
}

function about({ usage, says, about = {} }: Command): string {
  const rows = Object.entries(about);
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return [
    `portico ${usage}`,
    '',
    says,
    ...(rows.length > 0 ? ['', ...rows.map(([name, sentence]) => `  ${name.padEnd(width)}  ${sentence}`)] : []),
    '',
    all,
  ].join('\n');
}

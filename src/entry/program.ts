import process from 'node:process';
import { readSettings, requireFlag, SettingError, switches } from '../composition/settings.ts';
import { type ErrorCode, ServiceError } from '../core/lib/errors.ts';
import { StoreStartError } from '../core/store/faults.ts';
import { SecurityError } from '../security/ini/findings.ts';
import { type Command, CommandError } from './commands/command.ts';
import { helpAbout, unknownCommand } from './commands/help.ts';
import { forTerminal, printLine } from './output.ts';
import { serveCommand } from './serve.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs one call of the program to its end. A refusal prints one sentence on the error stream and sets exit code 1. */
export async function runProgram(words: readonly string[], environment: Environment): Promise<void> {
  try {
    await run(words, environment);
  } catch (error) {
    process.stderr.write(`portico: ${forTerminal(explain(error))}\n`);
    process.exitCode = 1;
  }
}

/** Flags that stand for a command. */
const spelledAs = new Map(Object.entries({ '--version': 'version', '-v': 'version', '--help': 'help', '-h': 'help' }));

/** `portico COMMAND [words] [--setting value]`: whatever begins with two dashes is a setting or the command's own flag. */
async function run(words: readonly string[], environment: Environment): Promise<void> {
  const [first = 'help', ...rest] = [
    ...words.slice(0, 1).map((word) => spelledAs.get(word) ?? word),
    ...words.slice(1),
  ];
  // A server has no use for the other commands, and stays for long.
  const commands =
    first === 'serve' ? new Map([['serve', serveCommand]]) : (await import('./commands/index.ts')).commands;
  const asksHelp = rest.some((word) => spelledAs.get(word) === 'help');
  const dash = rest.findIndex((word) => word.startsWith('-'));
  if (asksHelp) return printLine(helpAbout(commands, [first, ...rest.slice(0, dash)]));
  const second = rest[0]?.startsWith('--') ? undefined : rest[0];
  const name = second !== undefined && commands.has(`${first} ${second}`) ? `${first} ${second}` : first;
  const command = commands.get(name);
  if (!command) throw unknownCommand(commands, first);
  const parsed = parse(name === first ? rest : rest.slice(1), command);
  const least = command.words?.length ?? 0;
  const max = least + (command.optional?.length ?? 0);
  if (parsed.words.length < least || parsed.words.length > max)
    throw new CommandError(`Expected: portico ${command.usage}`);
  await command.run({
    words: parsed.words,
    has: (flag) => parsed.flags.has(flag),
    option: (option) => parsed.options.get(option) ?? [],
    settings: () => readSettings(environment, parsed.settings),
  });
}

/**
 * A setting, or an option of the command's own, takes the next word or what follows an equals sign. A flag takes none,
 * nor does a setting that is true or false: its name switches it on, `--watch=false` off. `util.parseArgs` refuses that
 * form, and a value that begins with a dash.
 */
function parse(words: readonly string[], { flags: ownFlags = [], options: ownOptions = [] }: Command) {
  const settings = new Map<string, string>();
  const flags = new Set<string>();
  const options = new Map<string, string[]>();
  const plain: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (!word.startsWith('--')) plain.push(word);
    else if (ownFlags.includes(word)) flags.add(word);
    else {
      const equals = word.indexOf('=');
      const name = equals > 0 ? word.slice(0, equals) : word;
      requireFlag(name, [...ownFlags, ...ownOptions]);
      const value = equals > 0 ? word.slice(equals + 1) : switches.has(name) ? 'true' : words[++i];
      if (value === undefined) throw new CommandError(`Expected a value after ${word}`);
      if (ownOptions.includes(name)) options.set(name, [...(options.get(name) ?? []), value]);
      else settings.set(name, value);
    }
  }
  return { words: plain, settings, flags, options };
}

/** For refusals whose document says enough to a program. */
const sentences: Partial<Record<ErrorCode, string>> = { 'no-such-entity': 'There is none of that name' };

/** Error text for the console. Errors that a person can fix are a sentence; others keep their stack. */
function explain(error: unknown): string {
  if (error instanceof ServiceError) {
    const { explanation, type, id } = error.detail;
    return [explanation ?? sentences[error.code] ?? error.code, type, id].filter(Boolean).join(': ');
  }
  const permission = lackingPermission(error);
  if (permission !== undefined) return permission;
  const forPeople = [SettingError, CommandError, SecurityError, StoreStartError].some((kind) => error instanceof kind);
  if (error instanceof Error) return forPeople || isSystemError(error) ? error.message : String(error.stack);
  return String(error);
}

/** Sentence on the permission of Deno that the program lacks, wherever it was refused. */
function lackingPermission(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name !== 'NotCapable') return lackingPermission(error.cause);
  const [lacks] = error.message.split(', run again');
  return `Expected permissions of Deno: ${lacks}. deno.json has those of "deno task start": name the folder in --allow-read and --allow-write`;
}

const isSystemError = (error: Error): boolean => 'code' in error && typeof error.code === 'string';

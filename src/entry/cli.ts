#!/usr/bin/env node
import process from 'node:process';
import { readSettings, SettingError } from '../config/settings.ts';
import { ServiceError } from '../lib/errors.ts';
import { nearest } from '../lib/nearest.ts';
import { StoreStartError } from '../store/start-error.ts';
import { CommandError, commands } from './commands/index.ts';

/** `portico COMMAND [words] [--setting value]`: whatever begins with two dashes is a setting or the command's own flag. */
async function main(words: readonly string[]): Promise<number> {
  const [first = 'help', ...rest] = words;
  const second = rest[0]?.startsWith('--') ? undefined : rest[0];
  const name = second !== undefined && commands.has(`${first} ${second}`) ? `${first} ${second}` : first;
  const command = commands.get(name);
  if (!command) {
    const near = nearest(name, commands.keys());
    throw new CommandError(
      `Expected a command: "${name}"${near ? `. The nearest is "${near}"` : ''}. See "portico help"`,
    );
  }
  const given = parse(name === first ? rest : rest.slice(1), command.flags ?? []);
  if (given.words.length !== (command.words ?? []).length) throw new CommandError(`Expected: portico ${command.usage}`);
  await command.run({
    words: given.words,
    has: (flag) => given.own.has(flag),
    settings: () => readSettings(process.env, given.settings),
  });
  return 0;
}

/** A setting takes the next word as its value, or what follows an equals sign; a command's own flag takes none. */
function parse(words: readonly string[], ownFlags: readonly string[]) {
  const settings = new Map<string, string>();
  const own = new Set<string>();
  const plain: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    const equals = word.indexOf('=');
    if (!word.startsWith('--')) plain.push(word);
    else if (ownFlags.includes(word)) own.add(word);
    else if (equals > 0) settings.set(word.slice(0, equals), word.slice(equals + 1));
    else {
      const value = words[++i];
      if (value === undefined) throw new CommandError(`Expected a value after ${word}`);
      settings.set(word, value);
    }
  }
  return { words: plain, settings, own };
}

/** What a person can mend is said in a sentence; anything else keeps its stack. */
function explain(error: unknown): string {
  if (error instanceof ServiceError) {
    const { explanation, type, id, context } = error.detail;
    return [explanation ?? error.code, type, id, context].filter(Boolean).join(': ');
  }
  const forPeople = [SettingError, CommandError, StoreStartError].some((kind) => error instanceof kind);
  if (error instanceof Error) return forPeople || isSystemError(error) ? error.message : String(error.stack);
  return String(error);
}

const isSystemError = (error: Error): boolean => 'code' in error && typeof error.code === 'string';

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    process.stderr.write(`portico: ${explain(error)}\n`);
    process.exitCode = 1;
  },
);

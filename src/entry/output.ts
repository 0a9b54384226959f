import process from 'node:process';
import { printable } from '../core/lib/messages.ts';

/** Lines wait this long for company: one write for many is what makes a line a request affordable. */
const gatherMilliseconds = 25;
/** Processes that share a pipe do not tear lines of such a length apart. */
const gatherCharacters = 4 * 1024;

// A reader may go away, as `head` does. That ends no server, and no command with a stack trace.
process.stderr.on('error', () => undefined);
process.stdout.on('error', () => undefined);

/**
 * Flattens the text. Engines keep concatenated texts as a tree until a character is read. Trees in a buffer fill the
 * memory, and walking them costs more than the rest of a line.
 */
const flat = (line: string): string => (line.charCodeAt(0) === openingBrace ? line : `${line}`);
const openingBrace = 0x7b;

/** Writes the log to the error stream. The output stream has only texts for people. */
export function logOutput(stream: { write(text: string): unknown } = process.stderr) {
  let pending = '';
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (pending !== '') stream.write(pending);
    pending = '';
  }

  // Flushes at exit, whatever its cause: the last lines matter most.
  process.on('exit', flush);

  return {
    flush,
    print(line: string): void {
      if (pending.length + line.length >= gatherCharacters) flush();
      pending += flat(line);
      pending += '\n';
      if (pending.length >= gatherCharacters) flush();
      else timer ??= setTimeout(flush, gatherMilliseconds);
    },
  };
}

/** Names in it may be those of others. A tab is an indent. */
export const forTerminal = (text: string): string => text.replace(/[^\t\n]+/g, printable);

export const printLine = (text: string): void => {
  process.stdout.write(`${forTerminal(text)}\n`);
};

import process from 'node:process';

/** Lines wait this long for company: one write for many is what makes a line a request affordable. */
const gatherMilliseconds = 25;
const gatherCharacters = 16 * 1024;

// A reader may go away, as `head` does. That ends no server, and no command with a stack trace.
process.stderr.on('error', () => undefined);
process.stdout.on('error', () => undefined);

/**
 * The same text. Engines keep a sum of texts as a tree until code reads a character of it. Trees that wait for
 * company fill the memory, and to walk them then costs more than the rest of a line.
 */
const flat = (line: string): string => (line.charCodeAt(0) === openingBrace ? line : `${line}`);
const openingBrace = 0x7b;

/** The log goes to the error stream, so that the other one has only what a person is told. */
export function logOutput(stream: { write(text: string): unknown } = process.stderr) {
  let pending = '';
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (pending !== '') stream.write(pending);
    pending = '';
  }

  // Whatever ends the process, its last lines are the ones that matter.
  process.on('exit', flush);

  return {
    flush,
    print(line: string): void {
      pending += flat(line);
      pending += '\n';
      if (pending.length >= gatherCharacters) flush();
      else timer ??= setTimeout(flush, gatherMilliseconds);
    },
  };
}

export const tell = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

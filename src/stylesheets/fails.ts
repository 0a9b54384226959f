/** What is wrong with a stylesheet, or what it asks too much of. The message is for its author. */
export class StylesheetFails extends Error {
  /** Of the stylesheet. */
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(line === undefined ? message : `${message} (line ${line})`);
    this.line = line;
  }
}

export const tooSlow = 'Expected a stylesheet that is done within a second';
const mostFound = 80;

/** What was found, as messages quote it. */
export const shown = (text: string): string =>
  `"${text.length > mostFound ? `${text.slice(0, mostFound - 1)}…` : text}"`;

/** Defect or exceeded limit of a stylesheet. The message is for its author. */
export class StylesheetFails extends Error {
  /** Line in the stylesheet. */
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(line === undefined ? message : `${message} (line ${line})`);
    this.line = line;
  }
}

export const tooSlow = 'Expected a stylesheet that is done within a second';
const maxFound = 80;

/** Found text, quoted for messages. */
export const shown = (text: string): string => `"${text.length > maxFound ? `${text.slice(0, maxFound - 1)}…` : text}"`;

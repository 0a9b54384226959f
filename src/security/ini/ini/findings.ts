import type { Finding } from '../finding.ts';

/** Place in a file: both numbers count from 1. */
export interface LinePosition {
  readonly line: number;
  readonly column: number;
}

/** Collects what is wrong with one file. Messages carry no secret: each caller of `error` and `warning` makes sure of that. */
export class Findings {
  readonly file: string;
  readonly #list: Finding[] = [];

  constructor(file: string) {
    this.file = file;
  }

  error(code: string, place: LinePosition, message: string, nearest?: string): void {
    this.#add('error', code, place, message, nearest);
  }

  warning(code: string, place: LinePosition, message: string, nearest?: string): void {
    this.#add('warning', code, place, message, nearest);
  }

  get failed(): boolean {
    return this.#list.some(({ severity }) => severity === 'error');
  }

  /** Findings in the order of the file. */
  list(): readonly Finding[] {
    return this.#list.toSorted((a, b) => a.line - b.line || a.column - b.column);
  }

  #add(
    severity: Finding['severity'],
    code: string,
    { line, column }: LinePosition,
    message: string,
    nearest?: string,
  ): void {
    const finding = { severity, file: this.file, line, column, code, message };
    this.#list.push(nearest === undefined ? finding : { ...finding, nearest });
  }
}

/** A text of the file as a finding quotes it: short, on one line. */
export function quoted(text: string): string {
  const line = text.replace(/[\0-\x1f\x7f\u0085\u2028\u2029]/g, ' ');
  return `"${line.length > 100 ? `${line.slice(0, 99)}…` : line}"`;
}

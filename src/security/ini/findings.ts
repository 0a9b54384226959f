/** Defect or hint in security.ini or in a plugin. Errors prevent the start. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Stable code of the finding. */
  readonly code: string;
  /** Expectation with an upper-case first letter, then a colon and the actual value. Without secrets. */
  readonly message: string;
  /** The nearest name that would have been valid. */
  readonly nearest?: string | undefined;
}

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

  error(code: string, position: LinePosition, message: string, nearest?: string): void {
    this.#add('error', code, position, message, nearest);
  }

  warning(code: string, position: LinePosition, message: string, nearest?: string): void {
    this.#add('warning', code, position, message, nearest);
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

type Form = 'text' | 'json';

const forms: Readonly<Record<Form, (findings: readonly Finding[]) => string>> = {
  text: (findings) => findings.map(line).join(''),
  json: (findings) => `${JSON.stringify(findings, null, 2)}\n`,
};

/** Output of `portico check`. The text format has file, line and column, which editors make clickable. */
export function formatFindings(findings: readonly Finding[], form: Form): string {
  return forms[form](findings);
}

function line({ file, line, column, severity, message, nearest, code }: Finding): string {
  const hint = nearest === undefined ? '' : ` (did you mean "${nearest}"?)`;
  return `${file}:${line}:${column}: ${severity}: ${message}${hint} [${code}]\n`;
}

/** A security.ini that cannot be used: it stops the start, with all that is wrong with it. */
export class SecurityError extends Error {
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super(formatFindings(findings, 'text'));
    this.name = 'SecurityError';
    this.findings = findings;
  }
}

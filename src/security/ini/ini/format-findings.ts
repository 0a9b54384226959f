import type { Finding } from '../finding.ts';

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

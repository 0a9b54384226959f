import { errorCatalogue } from '../../src/core/lib/errors.ts';
import { code, table } from './table.ts';

const head = `# Error codes

\`npm run docs\` writes this page from \`src/core/lib/errors.ts\`. A refusal has its code in the header \`portico-error\`.
The element names the child of the \`ExceptionDocument\` that carries the details. Codes do not change between releases.
[Errors](../guide/errors.md) shows a refusal.
`;

/** Every refusal that a caller can meet, by status, as Markdown. */
export function errorsPage(): string {
  const rows = Object.entries(errorCatalogue).toSorted(([, a], [, b]) => a.status - b.status);
  const cells = rows.map(([name, { status, fault, says }]) => [code(name), String(status), code(fault), says]);
  return `${head}\n${table(['code', 'status', 'element', 'when'], cells)}\n`;
}

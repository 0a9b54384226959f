import { commands } from '../../src/entry/commands/index.ts';
import { code, table } from './table.ts';

const head = `# Commands

\`npm run docs\` writes this page from the commands; \`portico help\` prints the same.
In a checkout a command is \`npm run portico -- COMMAND\`. An installed package has \`portico COMMAND\`.
Commands take the [settings](settings.md) of the server as flags and variables, so they find the same database.
They work beside a running server, except \`restore\`. They need no credentials, only access to the database.
`;

export function commandsPage(): string {
  const rows = [...commands.values()].map(({ usage, says }) => [code(usage), says]);
  return `${head}\n${table(['command', 'what'], rows)}\n`;
}

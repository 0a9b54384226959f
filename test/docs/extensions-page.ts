import { rooms } from '../../src/composition/rooms.ts';
import type { Room } from '../../src/room/define-room.ts';
import { code, table } from './table.ts';

type Lost = ReadonlyMap<string, readonly string[]>;

const head = `# Extensions

\`npm run docs\` writes this page from the rooms of \`src/extensions\`.
An operator may leave out what nobody uses here. [Configuration](../operate/configuration.md) says how.
`;

/** Extensions and what is missing without each, as Markdown. */
export function extensionsPage(lost: Lost): string {
  const all: readonly Room[] = rooms;
  const extensions = all.flatMap(({ name, extension }) => (extension ? [{ name, ...extension }] : []));
  const rows = extensions.map(({ name, says, needs = [] }) => [
    code(name),
    says,
    needs.length === 0 ? 'the core' : needs.map(code).join(', '),
    String(lost.get(name)!.length),
  ]);
  const withRoutes = extensions.filter(({ name }) => lost.get(name)!.length > 0);
  const routes = withRoutes.map(({ name }) => {
    const lines = lost.get(name)!.map((line) => `- ${code(line.replace(/:(\w+)(?:\{[^}]*\})?/g, '{$1}'))}`);
    return `## Routes of ${name}\n\n${lines.join('\n')}\n`;
  });
  return [
    head,
    `${table(['extension', 'what is missing without it', 'is built on', 'routes'], rows)}\n`,
    ...routes,
  ].join('\n');
}

/** Module with the routes that are missing without each extension. */
export function extensionRoutesText(lost: Lost): string {
  const keyOf = (name: string) => (/^\w+$/.test(name) ? name : `'${name}'`);
  const entries = [...lost].map(([name, lines]) => `  ${keyOf(name)}: \`\n${lines.join('\n')}\`,\n`);
  return `/** \`npm run docs\` writes this file: the routes that are missing without an extension, a line each. */
export const extensionRoutes: Readonly<Record<string, string>> = {
${entries.join('')}};
`;
}

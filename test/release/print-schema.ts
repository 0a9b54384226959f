import process from 'node:process';
import { differenceOf, keptVersions } from './databases.ts';

/** `npm run schema`: what a migration has to do, since the newest release and those migrations that are there. */
const { missing, gone } = await differenceOf(keptVersions.at(-1)!);
const text = (title: string, statements: readonly string[]) =>
  statements.length === 0 ? '' : `-- ${title}\n${statements.map((sql) => `${sql};\n`).join('')}\n`;

process.stdout.write(
  `${text('What the tables have more', missing)}${text('What they no longer have', gone)}` || 'Nothing to migrate\n',
);

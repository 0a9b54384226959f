import process from 'node:process';
import { rooms } from '../../../src/composition/rooms.ts';
import { mergeMigrations } from '../../../src/room/merge-rooms.ts';

/** `npm run schema`: the first schema as a module, which the first release freezes. */
const [first] = mergeMigrations(rooms);
const statements = first!.statements.map((sql) => `    ${JSON.stringify(sql)},\n`);

process.stdout.write(`import type { Migration } from './migration.ts';

export const firstSchema: Migration = {
  number: 1,
  name: 'schema',
  statements: [
${statements.join('')}  ],
};
`);

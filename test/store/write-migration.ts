import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import process from 'node:process';
import { memoryStore, migrations } from '../support/store.ts';
import { tableNames, tables } from './described.ts';
import { newMigration } from './migration-text.ts';

/** `npm run migration -- ROOM NAME` writes the migration of the tables that a room describes and no migration makes. */
const [room = '', name = ''] = process.argv.slice(2);
const store = await memoryStore();
const made = await tableNames(store);
await store.close();
const missing = tables.filter((table) => table.room === room && !made.has(table.name));
const { path, exported, text } = newMigration(room, name, migrations.length + 1, missing);
await mkdir(dirname(path), { recursive: true });
// One that is there was written for another list of migrations, or by hand.
await writeFile(path, text, { flag: 'wx' });
process.stdout.write(`${path}\nAdd ${exported} to migrations of src/${room}/room.ts\n`);

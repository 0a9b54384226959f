import { everyChange, triggers } from './triggers-sql.ts';

/** Revision of definitions and settings: tables that change rarely and are read often. Each change of a row counts it up. */

export const definitionsCounter = 'definitions';

export const revisionQuery = `SELECT value FROM counter WHERE name = '${definitionsCounter}'`;

export const revisionSchema = `INSERT INTO counter (name, value) VALUES ('${definitionsCounter}', 0)`;

/** Changes a counter by one. `name`: SQL. */
export const counting = (name: string, sign: '+' | '-' = '+'): string =>
  `UPDATE counter SET value = value ${sign} 1 WHERE name = ${name}`;

/** Triggers, so that no program that changes a row can forget to count. */
export const countsRevision = (...tables: readonly string[]): readonly string[] =>
  tables.flatMap((table) => triggers(everyChange(`${table}_revision`, table, counting(`'${definitionsCounter}'`))));

/** Revision of definitions and settings: tables that change rarely and are read often. Each change of a row counts it up. */

export const definitionsCounter = 'definitions';

export const revisionQuery = `SELECT value FROM counter WHERE name = '${definitionsCounter}'`;

export const revisionSchema = `INSERT INTO counter (name, value) VALUES ('${definitionsCounter}', 0)`;

/** Triggers, so that no program that changes a row can forget to count. */
export const countsRevision = (...tables: readonly string[]): readonly string[] =>
  tables.flatMap((table) =>
    ['INSERT', 'UPDATE', 'DELETE'].map(
      (change) => `CREATE TRIGGER ${table}_revision_${change.toLowerCase()} AFTER ${change} ON "${table}"
       BEGIN UPDATE counter SET value = value + 1 WHERE name = '${definitionsCounter}'; END`,
    ),
  );

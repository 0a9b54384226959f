/** Triggers from declarations: by its name each says which change of a table it follows, and what it does. */

type Row = 'NEW' | 'OLD';
type Sign = '+' | '-';

/** SQL, or a function for the row of the change. A row that comes counts up, and one that goes counts down. */
type OfRow<T> = T | ((row: Row, sign: Sign) => T);

/** Statements without a semicolon at their end. */
type Statements = OfRow<string | readonly string[]>;
type Condition = OfRow<string>;

interface Trigger {
  readonly table: string;
  readonly time: 'BEFORE' | 'AFTER';
  readonly event: string;
  readonly does: Statements;
  readonly when: Condition | undefined;
  /** The row of a condition is the last. */
  readonly rows: readonly (readonly [Row, Sign])[];
}

const comes = ['NEW', '+'] as const;
const goes = ['OLD', '-'] as const;

export const inserted = (table: string, does: Statements, when?: Condition): Trigger => ({
  ...{ table, time: 'AFTER', event: 'INSERT', does, when, rows: [comes] },
});

export const deleted = (table: string, does: Statements, when?: Condition): Trigger => ({
  ...{ table, time: 'AFTER', event: 'DELETE', does, when, rows: [goes] },
});

/** `columns`: those that matter, or none for all. It is about the new row. */
export const updated = (table: string, columns: string, does: Statements, when?: Condition): Trigger => ({
  ...{ table, time: 'AFTER', event: columns === '' ? 'UPDATE' : `UPDATE OF ${columns}`, does, when, rows: [comes] },
});

/** An update that is a row that goes, and one that comes. */
export const moved = (table: string, columns: string, does: Statements, when: string): Trigger => ({
  ...updated(table, columns, does, when),
  rows: [goes, comes],
});

export const before = (trigger: Trigger): Trigger => ({ ...trigger, time: 'BEFORE' });

/** Triggers for all changes of a row. Their names begin alike. */
export const everyChange = (name: string, table: string, does: Statements, when?: Condition) => ({
  [`${name}_insert`]: inserted(table, does, when),
  [`${name}_update`]: updated(table, '', does, when),
  [`${name}_delete`]: deleted(table, does, when),
});

/** Rows of other tables that go with a row: by the column with its id, or by columns with their SQL. */
export const goesWith =
  (others: Readonly<Record<string, string | Readonly<Record<string, string | null>>>>) =>
  (row: Row): readonly string[] =>
    Object.entries(others).map(([table, key]) => {
      const columns = Object.entries(typeof key === 'string' ? { [key]: `${row}.id` } : key);
      const parts = columns.map(([column, value]) => `"${column}" ${value === null ? 'IS NULL' : `= ${value}`}`);
      return `DELETE FROM "${table}" WHERE ${parts.join(' AND ')}`;
    });

const of = <T>(given: OfRow<T>, [row, sign]: readonly [Row, Sign]): T =>
  given instanceof Function ? given(row, sign) : given;

/** The statements that make triggers, by their names. */
export const triggers = (declared: Readonly<Record<string, Trigger>>): readonly string[] =>
  Object.entries(declared).map(([name, { table, time, event, does, when, rows }]) => {
    const condition = when === undefined ? '' : `\n  WHEN ${of(when, rows.at(-1)!)}`;
    const body = rows.flatMap((row) => of(does, row)).map((statement) => `\n  ${statement};`);
    return `CREATE TRIGGER "${name}" ${time} ${event} ON "${table}"${condition}\nBEGIN${body.join('')}\nEND`;
  });

const writing =
  /^\s*(?:(?:insert|replace)(?:\s+or\s+\w+)?\s+into|update(?:\s+or\s+\w+)?|delete\s+from)\s+"?([a-z_0-9]+)"?/i;

/** The table that a statement writes. Undefined: its text does not begin with that, so it may be any. */
export const writtenTable = (sql: string): string | undefined => writing.exec(sql)?.[1]?.toLowerCase();

/** The name by which a participant says that it is concerned by what writes a table. */
export const tableConcern = (table: string): string => `table ${table}`;

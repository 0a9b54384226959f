const writing =
  /^\s*(?:(?:insert|replace)(?:\s+or\s+\w+)?\s+into|update(?:\s+or\s+\w+)?|delete\s+from)\s+(?:"([a-z_0-9]+)"|([a-z_0-9]+))(?=[\s(;]|$)/i;

/** The table that a statement writes. Undefined: its text does not begin with that, so it may be any. */
export function writtenTable(sql: string): string | undefined {
  const found = writing.exec(sql);
  return (found?.[1] ?? found?.[2])?.toLowerCase();
}

/** Concern of a participant about changes of a table. */
export const tableConcern = (table: string): string => `table ${table}`;

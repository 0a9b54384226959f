const writing =
  /^\s*(?:(?:insert|replace)(?:\s+or\s+\w+)?\s+into|update(?:\s+or\s+\w+)?|delete\s+from)\s+(?:"([a-z_0-9]+)"|([a-z_0-9]+))(?=[\s(;]|$)/i;

/** The table that a statement writes. Undefined: its text does not begin with that, so it may be any. */
export function writtenTable(sql: string): string | undefined {
  const found = writing.exec(sql);
  return (found?.[1] ?? found?.[2])?.toLowerCase();
}

/** The name by which a participant says that it is concerned by what writes a table. */
export const tableConcern = (table: string): string => `table ${table}`;

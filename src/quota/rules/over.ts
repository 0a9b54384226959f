/** One limit is exceeded: as much as the limit is not. A rule has no limit where the column is NULL. */
export const isOver = `(coalesce("items" > "item_limit", 0) OR coalesce("bytes" > "storage_limit", 0))`;

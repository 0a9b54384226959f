/** Condition that a limit is exceeded. Usage equal to the limit is allowed. NULL: no limit. */
export const isOver = `(coalesce("items" > "item_limit", 0) OR coalesce("bytes" > "storage_limit", 0))`;

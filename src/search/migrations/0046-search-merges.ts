import type { Migration } from '../../store/migrations/index.ts';

/** A part of the text index is written again when so many percent of its entities have changed since: 30 before. */
export const searchMergesMigration: Migration = {
  number: 46,
  name: 'search-merges',
  statements: [`INSERT INTO "search_text" ("search_text", "rank") VALUES ('deletemerge', 60)`],
};

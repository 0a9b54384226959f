import type { Migration } from '../../store/migrations/index.ts';

/**
 * Sixteen parts of the text index are merged into one, eight before: each word is written again less often. So many more
 * may wait for it that no commit has to merge all of them at once.
 */
export const searchSegmentsMigration: Migration = {
  number: 49,
  name: 'search-segments',
  statements: [
    `INSERT INTO "search_text" ("search_text", "rank") VALUES ('automerge', 16)`,
    `INSERT INTO "search_text" ("search_text", "rank") VALUES ('crisismerge', 64)`,
  ],
};

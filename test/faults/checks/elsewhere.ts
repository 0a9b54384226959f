/** Checks that other suites notice: where jobs run, and where rights need an index or another user. */
export const elsewhere: readonly (readonly [start: string, suite: string])[] = [
  ['src/assets/collections/members/change.ts accessOf', 'test/security/rights-jobs.test.ts'],
  ['src/assets/collections/members/change.ts havingAmong', 'test/security/rights-jobs.test.ts'],
  ['src/assets/collections/members/items-of.ts accessOf', 'test/security/rights-jobs.test.ts'],
  ['src/assets/collections/members/items-of.ts readableAmong', 'test/security/rights-jobs.test.ts'],
  ['src/assets/items/kinds.ts isReadableBy', 'test/assets/access/told.test.ts'],
  ['src/assets/items/load.ts askingOf', 'test/assets/items/views.test.ts'],
  ['src/conforming/rendering/steps.ts', 'test/conforming/render.test.ts'],
  ['src/exporting/lists/', 'test/exporting/lists.test.ts'],
  ['src/exporting/running/files.ts', 'test/exporting/export.test.ts'],
  ['src/exporting/running/items.ts', 'test/exporting/export.test.ts'],
  ['src/ingest/projects/match.ts readableAmong', 'test/ingest/projects.test.ts'],
  ['src/ingest/projects/match.ts accessOf', 'test/ingest/projects.test.ts'],
  ['src/ingest/projects/match.ts askingOf', 'test/ingest/projects.test.ts'],
  ['src/search/both/routes.ts', 'test/search/leaks.test.ts'],
  ['src/search/libraries/deletion-job.ts', 'test/security/rights-jobs.test.ts'],
  ['src/search/libraries/item-metadata/job.ts', 'test/security/rights-jobs.test.ts'],
  ['src/search/libraries/refresh.ts', 'test/search/libraries/refresh.test.ts'],
  ['src/search/metadata-documents/routes.ts', 'test/search/metadata-documents.test.ts'],
  ['src/search/reading.ts', 'test/search/leaks.test.ts'],
  ['src/search/request.ts', 'test/search/leaks.test.ts'],
];

/** Places where leaving the check out, or a lower level, changes nothing that anybody is told. */
export const same: readonly (readonly [start: string, why: string])[] = [
  ["src/assets/metadata-documents/routes.ts 'ALL'", 'documents have no entries: the role decides'],
  ["src/assets/shapes/change.ts 'WRITE'", 'the item is asked for, and then each shape'],
  ["src/ingest/placeholders/choose.ts 'WRITE'", 'the item is asked for, and then the shape'],
  ["src/ingest/shapes/routes.ts 'WRITE'", 'the item is asked for, and then the tags'],
  ["src/transcoding/ordering/routes.ts 'WRITE'", 'the item is asked for, and then the shape'],
];

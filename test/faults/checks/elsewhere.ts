/** The matrix of rights: what its routes declare is read when they are made, so these checks are left out from the start. */
const matrix = 'test/security/rights-matrix.test.ts';

/** Checks that other suites notice: where jobs run, and where rights need an index or another user. */
export const elsewhere: readonly (readonly [start: string, suite: string])[] = [
  ['src/access/entries/of-user.ts', 'test/search/hidden-collections.test.ts'],
  ['src/access/merged/routes.ts askingOf', 'test/access/merged.test.ts'],
  ['src/ingest/uploads/upload-imports.ts', 'test/ingest/uploads.test.ts'],
  ['src/items/contract/collection/kind.ts isReadableBy', 'test/access/told.test.ts'],
  ['src/items/collections/members/change.ts accessOf', 'test/security/rights-jobs.test.ts'],
  ['src/items/collections/members/change.ts havingAmong', 'test/security/rights-jobs.test.ts'],
  ['src/items/collections/members/items-of.ts accessOf', 'test/security/rights-jobs.test.ts'],
  ['src/items/collections/members/items-of.ts readableAmong', 'test/security/rights-jobs.test.ts'],
  ['src/metadata/computed/collections.ts', 'test/search/hidden-collections.test.ts'],
  ['src/items/contract/item/kind.ts isReadableBy', 'test/access/told.test.ts'],
  ['src/items/load.ts askingOf', 'test/access/operations.test.ts'],
  ['src/items/deletion-locks/rights.ts isReadableBy(reader, name, { type, id })', 'test/access/told.test.ts'],
  ['src/items/deletion-locks/rights.ts isReadableBy(reader, name, ...items)', 'test/access/told.test.ts'],
  ["src/items/deletion-locks/routes.ts 'ALL'", matrix],
  ["src/items/room.ts 'ALL'", matrix],
  ["src/search/libraries/routes.ts 'ALL'", matrix],
  ["src/shapes/places.ts 'WRITE'", matrix],
  ["src/items/deletion-locks/routes.ts 'OWNER'", 'test/items/deletion-locks/file-locks.test.ts'],
  ['src/metadata/read.ts viewerFor', 'test/search/hidden-collections.test.ts'],
  ['src/extensions/sequences/metadata-routes.ts accessOf', 'test/extensions/sequences/sequences.test.ts'],
  ['src/extensions/sequences/metadata-routes.ts readableAmong', 'test/extensions/sequences/sequences.test.ts'],
  ['src/shapes/bytes/rights.ts askingOf', 'test/security/foreign-files.test.ts'],
  [
    'src/extensions/sequences/conforming/rendering/steps.ts',
    'test/extensions/sequences/conforming/render-rights.test.ts',
  ],
  ['src/exporting/lists/', 'test/exporting/lists.test.ts'],
  ['src/exporting/running/files.ts', 'test/exporting/export.test.ts'],
  ['src/exporting/running/items.ts', 'test/exporting/export.test.ts'],
  ['src/extensions/projects/importing/match.ts readableAmong', 'test/extensions/projects/importing.test.ts'],
  ['src/extensions/projects/importing/match.ts accessOf', 'test/extensions/projects/importing.test.ts'],
  ['src/extensions/projects/importing/match.ts askingOf', 'test/extensions/projects/importing.test.ts'],
  ['src/notifications/feed/readable.ts', 'test/notifications/feed-rights.test.ts'],
  ['src/search/both/routes.ts', 'test/search/leaks.test.ts'],
  ['src/search/libraries/deletion-job.ts', 'test/security/rights-jobs.test.ts'],
  ['src/search/libraries/item-metadata/job.ts', 'test/security/rights-jobs.test.ts'],
  ['src/search/field-groups/routes.ts', 'test/search/field-groups/search.test.ts'],
  ['src/search/libraries/refresh.ts', 'test/search/libraries/refresh.test.ts'],
  ['src/search/libraries/result.ts', 'test/search/libraries/result.test.ts'],
  ['src/search/metadata-documents/routes.ts', 'test/search/metadata-documents.test.ts'],
  ['src/search/reading.ts', 'test/search/leaks.test.ts'],
  ['src/search/request.ts', 'test/search/leaks.test.ts'],
];

const eachShape = 'the item is asked for, and then each shape or its tags';

/** Places where leaving the check out, or a lower level, changes nothing that anybody is told. */
export const same: readonly (readonly [start: string, why: string])[] = [
  ['src/extensions/export-templates/routes.ts mustHave', 'for administrators, who need no entry'],
  ["src/items/collections/routes.ts collection('WRITE') #3", 'the collection is asked for, and then the field title'],
  ['src/extensions/loudness/loudness.ts itemAt', eachShape],
  ['src/extensions/loudness/routes.ts itemAt', eachShape],
  ["src/shapes/placeholders/routes.ts at.item('WRITE')", eachShape],
  ["src/shapes/routes.ts at.item('WRITE')", eachShape],
  ["src/shapes/routes.ts at.shape('WRITE')", eachShape],
  ["src/shapes/versions/routes.ts at.item('WRITE')", eachShape],
  ["src/shapes/versions/routes.ts at.item('READ') #2", eachShape],
  ["src/shapes/versions/routes.ts at.shape('WRITE')", eachShape],
];

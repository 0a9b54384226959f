const linkedItems = 20_000;
const numbers = `WITH RECURSIVE n (i) AS (SELECT 100000 UNION ALL SELECT i + 1 FROM n WHERE i < ${99_999 + linkedItems})`;

/** Items with a shape and a file each, that every user may read. Names of files differ only at their end. */
export const linkedRows = [
  `INSERT INTO access_context_entry SELECT 'u:' || u.id, e.context, 0, 'READ', 0, NULL, 0
      FROM user AS u CROSS JOIN access_context_entry AS e`,
  `${numbers} INSERT INTO item SELECT 'VX-' || i, i, created_at, context FROM n CROSS JOIN item`,
  `${numbers} INSERT INTO search_entity SELECT i, 'VX-' || i, created_at, timed FROM n CROSS JOIN search_entity`,
  `${numbers} INSERT INTO shape SELECT 'VX-' || i, i, 'VX-' || i, 0, 0, '["video/mp4"]', NULL, 0, 1 FROM n`,
  `INSERT INTO storage SELECT 'VX-9', 9, 'LOCAL', 'NONE', 1, NULL, 0, 100, 100, 60, 0, 'MEDIUM', '{}', NULL, 1, 0, NULL`,
  `${numbers} INSERT INTO file (id, serial, storage_id, path, folder, name, extension, state, size, changed_at, timestamp, version)
      SELECT 'VX-' || i, i, 'VX-9', f.name, '', f.name, 'mp4', 'CLOSED', 1, 0, 0, 1 FROM (SELECT i, '${'a'.repeat(200)}' || i AS name FROM n) AS f`,
  `${numbers} INSERT INTO file_use SELECT 'VX-' || i, 'VX-' || i, 'VX-' || i, 'VX-' || i FROM n`,
];

/** As many links as a search takes, and as deep: each looks for what no name of a file has. */
export const linked = {
  operator: Array.from({ length: 3 }, (_, index) => ({
    operation: 'NOT',
    file: {
      item: {
        file: {
          operator: [
            { operation: 'NOT', field: [{ name: 'path', value: [{ value: `*${'a'.repeat(90)}b${index}*` }] }] },
          ],
        },
      },
    },
  })),
};

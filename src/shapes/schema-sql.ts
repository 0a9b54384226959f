/** The shape tag of originals, which each database has from its first start. */
export const firstTag = `INSERT INTO "shape_tag" ("name", "form", "document") VALUES ('original', 'json', '{}')`;

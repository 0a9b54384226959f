/** Tag of the shape with the essence that an item began with. */
export const firstTag = `INSERT INTO "shape_tag" ("name", "form", "document") VALUES ('original', 'json', '{}')`;

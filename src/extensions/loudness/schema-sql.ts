/** Measures are deleted with their shape. */
export const soundSchema: readonly string[] = [
  `CREATE TRIGGER "sound_shape_gone" AFTER DELETE ON "shape" BEGIN
       DELETE FROM "sound" WHERE "shape_id" = OLD."id";
       DELETE FROM "sound_level" WHERE "shape_id" = OLD."id";
     END`,
];

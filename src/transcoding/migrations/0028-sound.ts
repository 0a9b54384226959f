import type { Migration } from '../../store/migrations/index.ts';

export const soundMigration: Migration = {
  number: 28,
  name: 'sound',
  statements: [
    `CREATE TABLE "sound" (
       "shape_id" TEXT PRIMARY KEY NOT NULL,
       "file_id" TEXT NOT NULL,
       "measured_at" INTEGER NOT NULL,
       "seconds" REAL NOT NULL,
       "loudness" REAL,
       "loudness_range" REAL,
       "mix" TEXT NOT NULL
     ) WITHOUT ROWID`,
    `CREATE TABLE "sound_level" (
       "shape_id" TEXT NOT NULL,
       "stream" INTEGER NOT NULL,
       "channel" INTEGER NOT NULL,
       "bucket" REAL NOT NULL,
       "levels" BLOB NOT NULL,
       PRIMARY KEY ("shape_id", "stream", "channel")
     )`,
    `CREATE TRIGGER "sound_shape_gone" AFTER DELETE ON "shape" BEGIN
       DELETE FROM "sound" WHERE "shape_id" = OLD."id";
       DELETE FROM "sound_level" WHERE "shape_id" = OLD."id";
     END`,
  ],
};

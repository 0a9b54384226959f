import type { Migration } from '../../store/migrations/index.ts';

/** A file of a storage with a rule that is switched on, where no component has it. */
const importable = `NEW.state = 'CLOSED' AND EXISTS (SELECT 1 FROM auto_import_rule
    WHERE storage_id = NEW.storage_id AND enabled = 1)
  AND NOT EXISTS (SELECT 1 FROM file_use WHERE file_id = NEW.id)`;

const becomesDue = `INSERT INTO auto_import_due (file_id, due) VALUES (NEW.id, 0) ON CONFLICT (file_id) DO NOTHING;`;

export const importsMigration: Migration = {
  number: 25,
  name: 'imports',
  statements: [
    `CREATE TABLE "import_claim" (
       "type" TEXT NOT NULL,
       "id" TEXT NOT NULL,
       "job_id" TEXT NOT NULL,
       PRIMARY KEY ("type", "id")
     ) WITHOUT ROWID`,
    `CREATE INDEX "import_claim_job" ON "import_claim" ("job_id")`,
    `CREATE TABLE "import_passkey" (
       "hash" TEXT PRIMARY KEY NOT NULL,
       "job_id" TEXT NOT NULL,
       "user" TEXT NOT NULL,
       "expires" INTEGER NOT NULL,
       "place" TEXT NOT NULL,
       "file_id" TEXT
     )`,
    `CREATE INDEX "import_passkey_job" ON "import_passkey" ("job_id")`,
    `CREATE INDEX "import_passkey_expires" ON "import_passkey" ("expires")`,
    `CREATE TABLE "import_upload" (
       "file_id" TEXT PRIMARY KEY NOT NULL,
       "job_id" TEXT NOT NULL,
       "document" TEXT NOT NULL
     )`,
    `CREATE TABLE "import_sidecar" (
       "job_id" TEXT PRIMARY KEY NOT NULL,
       "name" TEXT NOT NULL,
       "text" TEXT NOT NULL
     )`,
    `CREATE TABLE "auto_import_due" (
       "file_id" TEXT PRIMARY KEY NOT NULL,
       "due" INTEGER NOT NULL
     )`,
    `CREATE INDEX "auto_import_due_next" ON "auto_import_due" ("due")`,
    `CREATE TRIGGER "file_closed_import" AFTER UPDATE OF "state" ON "file" WHEN OLD.state <> NEW.state
       AND OLD.state <> 'BEING_READ' AND ${importable} BEGIN ${becomesDue} END`,
    `CREATE TRIGGER "file_made_import" AFTER INSERT ON "file" WHEN ${importable} BEGIN ${becomesDue} END`,
    `CREATE TRIGGER "file_gone_import" AFTER DELETE ON "file" BEGIN
       DELETE FROM auto_import_due WHERE file_id = OLD.id;
       DELETE FROM import_upload WHERE file_id = OLD.id;
     END`,
  ],
};

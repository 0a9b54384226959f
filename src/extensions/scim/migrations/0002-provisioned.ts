import type { Migration } from '../../../core/store/migrations.ts';

/** For databases of earlier releases. Its statements never change. Users with a password were there before SCIM wrote them. */
export const addProvisioned: Migration = {
  number: 2,
  name: 'provisioned',
  statements: globalThis.isEdgeModule
    ? []
    : [
        'ALTER TABLE "scim_user" ADD COLUMN "provisioned" INTEGER NOT NULL DEFAULT 0',
        'UPDATE "scim_user" SET "provisioned" = 1 WHERE "user_id" IN (SELECT "id" FROM "user" WHERE "password" IS NULL)',
      ],
};

import { documentName as schemaName } from '../../assets/definitions/public.ts';
import type { ItemsContext } from '../../assets/items/public.ts';
import type { ReshapeStep } from '../../assets/metadata/public.ts';
import { changing, together } from '../../core/store/commit-plan.ts';
import { type CommitPlan, systemActor } from '../../core/store/contract.ts';
import type { Reader } from '../../core/store/statement.ts';
import { answer } from '../../http/answers.ts';
import { page, pageOf } from '../../http/parameters/index.ts';
import type { PathEntity } from '../../http/path-entity.ts';
import { type Route, role, route } from '../../http/route.ts';
import { changeStored, findDocument } from '../../identity/api-settings/public.ts';
import { noSuchEntity } from '../../room/entities/find.ts';
import { pageWithin } from '../../room/entities/page-weight.ts';
import { administrator } from '../../security/subject.ts';
import {
  metadataSchemaMigrationDocument,
  metadataSchemaMigrationListDocument,
  type SchemaMigration,
} from './documents.ts';
import { renamedIn } from './migrate.ts';
import { migrationPlan } from './rules.ts';
import { findMigration, insertMigration, listMigrations, type MigrationRow, migrationOf } from './store.ts';

/** Limit of migrations per list, since each may have many operations. */
const maxRows = 100;

export function schemaMigrationRoutes({ store, settings }: ItemsContext): readonly Route[] {
  const path = '/metadata/migration';
  const read = role('_metadata_field_read');
  const migration: PathEntity<MigrationRow> = {
    kind: 'schema-migration',
    async find(id) {
      const row = /^\d{1,15}$/.test(id) ? await findMigration(store, { id: Number(id) }) : undefined;
      if (row) return row;
      throw noSuchEntity({ noun: 'SchemaMigration' }, id);
    },
  };

  return [
    route({
      method: 'POST',
      path,
      says: 'Moves, renames and deletes fields and groups. Definitions change at once, metadata in the background. Answers the id.',
      reads: metadataSchemaMigrationDocument,
      answers: 'text',
      access: role(administrator),
      acting: 'refused',
      async handle(call) {
        const { document, steps, leaving, words, changes } = migrationPlan(call.body);
        const { user = systemActor.user, runAs = null, id: requestId } = call.trace;
        const row = {
          document: JSON.stringify(document),
          steps: JSON.stringify(steps),
          leaving: JSON.stringify(leaving),
          words: JSON.stringify(words),
        };
        const begins = changing(...changes, insertMigration({ ...row, user, runAs, requestId }));
        await call.change(async () => together(begins, await renamedSchema(store, steps)));
        return String((await migrationOf(store, { requestId }))!.id);
      },
    }),
    route({
      method: 'GET',
      path,
      says: 'All schema migrations with their progress, the oldest first.',
      query: page(Math.min(settings.maxPage, maxRows)),
      answers: answer(metadataSchemaMigrationListDocument, { list: 'migration' }),
      access: read,
      async handle(call) {
        const rows = await pageWithin(listMigrations, store, { ...pageOf(call.query) }, settings.maxPageValues);
        return { migration: rows.map(documentOf) };
      },
    }),
    route({
      method: 'GET',
      path: `${path}/:migration`,
      says: 'One schema migration with its progress.',
      entities: { migration },
      answers: metadataSchemaMigrationDocument,
      access: read,
      handle: (_call, { migration }) => documentOf(migration),
    }),
  ];
}

/** Renames fields and groups in the metadata schema. */
async function renamedSchema(reader: Reader, steps: readonly ReshapeStep[]): Promise<CommitPlan> {
  const row = await findDocument(reader, { name: schemaName });
  if (!row?.document) return changing();
  const after = renamedIn(JSON.parse(row.document), steps) as object;
  return JSON.stringify(after) === row.document ? changing() : changeStored(schemaName, row.revision, after);
}

const documentOf = ({ id, document, done, remaining }: MigrationRow): SchemaMigration => ({
  ...(JSON.parse(document) as SchemaMigration),
  id,
  done: done === 1,
  migrationsLeft: remaining,
});

import { sql } from 'drizzle-orm';
import { eachOf, query, value } from '../../core/store/statement.ts';
import { file } from '../../storage/public-reading.ts';

/** Newest version of a project: the last member with sequences. Skips items without reading them. */
export const newestVersion = query(
  sql`SELECT member_id FROM collection_member WHERE collection_id = ${value('project')} AND member_type = 'collection'
      AND EXISTS (SELECT 1 FROM attachment WHERE owner_type = 'collection' AND owner_id = member_id
        AND kind = 'version-sequences')
    ORDER BY +position DESC, member_id DESC LIMIT 1`,
  { id: sql<string>`` },
);

/** Files with an ending behind one of the names, in any folder of any storage. */
export const filesCalled = query(
  sql`SELECT given.value, file.id, file.name FROM ${eachOf('stems')} AS given CROSS JOIN storage CROSS JOIN file
      ON file.storage_id = storage.id AND file.name > given.value || '.' AND file.name < given.value || '/'
    WHERE deleted_at IS NULL AND file.state <> 'TO_BE_DELETED' LIMIT ${value('max')}`,
  { stem: sql<string>``, id: file.id, name: file.name },
);

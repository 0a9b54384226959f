import { sql } from 'drizzle-orm';
import { query, value } from '../../core/store/statement.ts';

/** Newest version of a project: the last member with sequences. Skips items without reading them. */
export const newestVersion = query(
  sql`SELECT member_id FROM collection_member WHERE collection_id = ${value('project')} AND member_type = 'collection'
      AND EXISTS (SELECT 1 FROM attachment WHERE owner_type = 'collection' AND owner_id = member_id
        AND kind = 'version-sequences')
    ORDER BY +position DESC, member_id DESC LIMIT 1`,
  { id: sql<string>`` },
);

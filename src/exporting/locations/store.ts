import { eq, sql } from 'drizzle-orm';
import { mustExist } from '../../store/guard.ts';
import { prepareLookup, prepareQuery, prepareStatement } from '../../store/statement.ts';
import { exportLocation } from '../tables.ts';

const value = sql.placeholder;

export const findLocation = prepareLookup((db) =>
  db
    .select()
    .from(exportLocation)
    .where(eq(exportLocation.name, value('name'))),
);

export type LocationRow = NonNullable<Awaited<ReturnType<typeof findLocation>>>;

export const locationMustExist = mustExist(exportLocation.name);

export const allLocations = prepareQuery((db) =>
  db.select().from(exportLocation).orderBy(exportLocation.name).limit(value('limit')).offset(value('offset')),
);

export const putLocation = prepareStatement<{ name: string; document: string; script: string | null }>(
  sql`INSERT INTO export_location (name, document, script)
    VALUES (${value('name')}, ${value('document')}, ${value('script')})
    ON CONFLICT (name) DO UPDATE SET document = excluded.document, script = excluded.script`,
);

export const writeScript = prepareStatement<{ name: string; script: string | null }>(
  sql`UPDATE export_location SET script = ${value('script')} WHERE name = ${value('name')}`,
);

export const removeLocation = prepareStatement<{ name: string }>(
  sql`DELETE FROM export_location WHERE name = ${value('name')}`,
);

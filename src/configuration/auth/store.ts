import { eq, sql } from 'drizzle-orm';
import { after, type Maybe } from '../../lib/maybe.ts';
import type { OAuth2Configuration, OAuth2Setup } from '../../spi/index.ts';
import { configuration } from '../../store/schema.ts';
import { prepareLookup, prepareSqlStatement } from '../../store/statement.ts';
import type { Store } from '../../store/store.ts';

const findDocument = prepareLookup((db) =>
  db
    .select({ document: configuration.document, revision: configuration.revision })
    .from(configuration)
    .where(eq(configuration.name, 'auth')),
);

/** Null takes the document away. The row stays, so that a revision never comes twice. */
export const writeOAuth2 = prepareSqlStatement(
  sql`INSERT INTO configuration (name, document, revision) VALUES ('auth', ${sql.placeholder('document')}, 1)
    ON CONFLICT (name) DO UPDATE SET document = excluded.document, revision = revision + 1`,
);

/** Read anew for each request that needs it, so that a change counts on every instance at once; parsed once per revision. */
export function createOAuth2Setup(store: Store): () => Maybe<OAuth2Setup> {
  let known: OAuth2Setup = { revision: 0, configuration: undefined };
  return () =>
    after(findDocument(store, {}), (row) => {
      const revision = row?.revision ?? 0;
      if (revision !== known.revision) known = { revision, configuration: parsed(row?.document ?? null) };
      return known;
    });
}

const parsed = (document: string | null): OAuth2Configuration | undefined =>
  document === null ? undefined : (JSON.parse(document) as OAuth2Configuration);

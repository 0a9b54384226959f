import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Persons of providers, by a digest, with the users that they are here. A name that a provider gives to another person opens nothing. */
export const loginPerson = sqliteTable(
  'login_person',
  {
    person: text('person').primaryKey(),
    userId: text('user_id').notNull(),
    provider: text('provider').notNull(),
    since: integer('since').notNull(),
  },
  (table) => [index('login_person_user').on(table.userId)],
);

/** Sessions that a provider began, with what is needed to ask it again and to end its own session. */
export const loginSession = sqliteTable(
  'login_session',
  {
    /** Id of the session among the tokens. */
    id: text('id').primaryKey(),
    provider: text('provider').notNull(),
    person: text('person').notNull(),
    /** Digest of the session at the provider. */
    providerSession: text('provider_session'),
    /** Tokens of the login, sealed. */
    kept: text('kept'),
    /** When the provider is asked again, or another instance may. NULL: never. */
    due: integer('due'),
    /** The longest end of the session. */
    max: integer('max').notNull(),
  },
  (table) => [
    index('login_session_person').on(table.person),
    index('login_session_provider').on(table.providerSession),
    index('login_session_due').on(table.due),
  ],
);

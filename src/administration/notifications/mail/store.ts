import { sql } from 'drizzle-orm';
import { mustNotExist } from '../../../core/store/guard.ts';
import { insertInto, resultColumns, updateBy } from '../../../core/store/rows.ts';
import { event } from '../../../core/store/schema.ts';
import { query, statement, value, writes } from '../../../core/store/statement.ts';
import { user } from '../../../identity/public-reading.ts';
import { mailbox, notification } from '../tables.ts';

const settings = {
  userId: mailbox.userId,
  address: mailbox.address,
  confirmed: mailbox.confirmed,
  addressedAt: mailbox.addressedAt,
  kinds: mailbox.kinds,
  digest: mailbox.digest,
};

export const findMailbox = query((db) =>
  db
    .select({
      ...settings,
      notificationId: mailbox.notificationId,
      language: mailbox.language,
      version: notification.version,
    })
    .from(mailbox)
    .innerJoin(notification, sql`${notification.id} = ${mailbox.notificationId}`)
    .where(sql`${mailbox.userId} = ${value('userId')}`),
).first;
export type MailboxRow = NonNullable<Awaited<ReturnType<typeof findMailbox>>>;

const reader = {
  ...settings,
  name: user.name,
  language: sql<string | null>`coalesce(language, (SELECT value FROM key_value
    WHERE entity_type = 'user' AND entity_id = user_id AND key = 'portico.ui.language' ORDER BY position LIMIT 1))`,
};

/** Mailbox of a notification with its user, and the language that the user chose for the web page. */
export const readerOfMail = query(
  sql`SELECT ${resultColumns(reader)} FROM mailbox JOIN user ON user.id = user_id
    WHERE notification_id = ${value('id')} AND enabled = 1`,
  reader,
).first;
export type MailReader = NonNullable<Awaited<ReturnType<typeof readerOfMail>>>;

const together = {
  sequence: event.sequence,
  name: event.name,
  entityId: event.entityId,
  payload: event.payload,
  user: event.user,
  runAs: event.runAs,
  at: event.at,
};

/** Events of a queue from its first one on that go out together. */
export const eventsTogether = query(
  sql`SELECT ${resultColumns(together)}
    FROM outbox JOIN queue USING (notification_id) JOIN event ON event.sequence = outbox.sequence
    WHERE notification_id = ${value('id')} AND outbox.sequence >= ${value('first')}
      AND outbox.at / every = ${value('at')} / every
    ORDER BY outbox.sequence LIMIT ${value('limit')}`,
  together,
);
export type ToldRow = Awaited<ReturnType<typeof eventsTogether>>[number];

export const noMailbox = mustNotExist(mailbox.userId);
export const insertMailbox = insertInto(mailbox);
export const updateMailbox = updateBy(
  mailbox,
  'userId',
  'address',
  'confirmed',
  'addressedAt',
  'kinds',
  'digest',
  'language',
);

export const setEvery = statement<{ id: string; every: number }>(
  sql`UPDATE ${writes('queue')} SET every = ${value('every')} WHERE notification_id = ${value('id')}`,
);

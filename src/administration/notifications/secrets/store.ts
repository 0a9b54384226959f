import { sql } from 'drizzle-orm';
import type { ServiceError } from '../../../core/lib/errors.ts';
import type { Statement } from '../../../core/store/contract.ts';
import { guard } from '../../../core/store/guard.ts';
import { query, statement, value, writes } from '../../../core/store/statement.ts';
import { signingSecret } from '../tables.ts';

/** Number of the newest secret, which invalidates cached keys. Null: no secret. */
export const newestSecret = sql`(SELECT max(number) FROM signing_secret WHERE signing_secret.notification_id = notification.id)`;

/** Valid signing secrets of a notification, the newest first. */
export const signingSecretsOf = query((db) =>
  db
    .select({
      number: signingSecret.number,
      sealed: signingSecret.sealed,
      publicKey: signingSecret.publicKey,
      createdAt: signingSecret.createdAt,
      endsAt: signingSecret.endsAt,
    })
    .from(signingSecret)
    .where(
      sql`${signingSecret.notificationId} = ${value('id')} AND (${signingSecret.endsAt} IS NULL OR ${signingSecret.endsAt} > ${value('now')})`,
    )
    .orderBy(sql`${signingSecret.number} DESC`),
);
export type SigningSecretRow = Awaited<ReturnType<typeof signingSecretsOf>>[number];

type Next = {
  readonly id: string;
  readonly number: number;
  readonly sealed: string;
  readonly publicKey: string;
  readonly now: number;
  /** When those before it end. */
  readonly ends: number;
};

/** Receivers try each signature, so there are not many. */
const max = 10;

const isNext = guard<{ id: string; number: number }>(
  sql`EXISTS (SELECT 1 FROM notification WHERE id = ${value('id')} AND deleted_at IS NULL)
    AND coalesce((SELECT max(number) FROM signing_secret WHERE notification_id = ${value('id')}), 0) + 1 = ${value('number')}`,
);
const endOthers = statement<Next>(
  sql`UPDATE ${writes('signing_secret')} SET ends_at = min(coalesce(ends_at, ${value('ends')}), ${value('ends')})
    WHERE notification_id = ${value('id')}`,
);
const dropEnded = statement<Next>(
  sql`DELETE FROM ${writes('signing_secret')}
    WHERE notification_id = ${value('id')} AND (ends_at <= ${value('now')} OR number <= ${value('number')} - ${max})`,
);
const insert = statement<Next>(
  sql`INSERT INTO ${writes('signing_secret')} (notification_id, number, sealed, public_key, created_at)
    VALUES (${value('id')}, ${value('number')}, ${value('sealed')}, ${value('publicKey')}, ${value('now')})`,
);

export const rotateSecret = (next: Next, stale: ServiceError): Statement[] => [
  isNext({ id: next.id, number: next.number }, stale),
  endOthers(next),
  dropEnded(next),
  insert(next),
];

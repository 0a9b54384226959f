import { ServiceError } from '../../../core/lib/errors.ts';
import { whole } from '../../../http/parameters/index.ts';
import { type Route, route } from '../../../http/route.ts';
import { type NotificationSecret, notificationSecretDocument } from '../documents/notification-state.ts';
import type { NotificationParts } from '../place.ts';
import { type NotificationResource, notificationIn } from '../place.ts';
import { makeSecret, needed, sealSigning } from './sealing.ts';
import { rotateSecret, type SigningSecretRow, signingSecretsOf } from './store.ts';

/** A day, for receivers to learn the new one. */
const defaultOverlap = 86_400;
const maxOverlap = 90 * 86_400;

/** The secret that deliveries are signed with. Without one they are not signed. */
export function secretRoutes(parts: NotificationParts, at: NotificationResource): readonly Route[] {
  const { store, clock, random } = parts;
  const path = `${at.path}/:notification{opaque}/secret`;
  const entities = notificationIn(parts, at);
  return [
    route({
      method: 'GET',
      path,
      says: 'The public keys that receivers verify deliveries with.',
      entities,
      answers: notificationSecretDocument,
      access: at.read,
      async handle(_call, { notification: { id } }) {
        const rows = await signingSecretsOf(store, { id, now: clock.now() });
        if (rows.length === 0) throw new ServiceError('no-such-entity', { type: 'NotificationSecret', id });
        return documentOf(rows);
      },
    }),
    route({
      method: 'POST',
      path,
      says: 'Creates a new signing secret. Only this answer has it.',
      query: {
        overlap: whole('Seconds until the previous secret expires', {
          defaultValue: defaultOverlap,
          atMost: maxOverlap,
        }),
      },
      entities,
      answers: notificationSecretDocument,
      noStore: true,
      access: at.write,
      acting: 'refused',
      async handle(call, { notification: { id } }) {
        const now = clock.now();
        const before = await signingSecretsOf(store, { id, now });
        const number = (before[0]?.number ?? 0) + 1;
        const keyPair = await makeSecret(random);
        const sealed = await sealSigning(needed(parts.vault), keyPair, id, number);
        const { publicKey, secret } = keyPair;
        const ends = now + call.query.overlap * 1000;
        const changes = rotateSecret({ id, number, sealed, publicKey, now, ends }, overtaken(id));
        await call.commit({ changes, events: [] });
        const ending = before.map((row) => ({ ...row, endsAt: Math.min(row.endsAt ?? ends, ends) }));
        const rows = [
          { number, publicKey, createdAt: now, endsAt: null },
          ...ending.filter(({ endsAt }) => endsAt > now),
        ];
        return { ...documentOf(rows), secret };
      },
    }),
  ];
}

function documentOf([newest, ...others]: readonly Omit<SigningSecretRow, 'sealed'>[]): NotificationSecret {
  const { number, publicKey, createdAt } = newest!;
  const previous = others.map((row) => ({
    number: row.number,
    publicKey: row.publicKey,
    created: row.createdAt,
    ends: row.endsAt ?? row.createdAt,
  }));
  return { number, publicKey, created: createdAt, previous };
}

function overtaken(id: string): ServiceError {
  const explanation = 'Somebody else made a new secret at the same time: try again';
  return new ServiceError('changed-meanwhile', { type: 'NotificationSecret', id, explanation });
}

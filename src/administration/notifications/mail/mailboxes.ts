import { badValue } from '../../../core/documents/error.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { readMailAddress } from '../../../core/lib/mail-address.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { changing, nothing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import type { Store } from '../../../core/store/store.ts';
import { noSuchUser, userKind } from '../../../identity/public.ts';
import { subjectOf } from '../../../security/caller.ts';
import { administrator } from '../../../security/subject.ts';
import { notificationEvent } from '../events.ts';
import { queueOf, wakeLane } from '../outbox-sql.ts';
import { changeNotification, createNotification, unchanged } from '../registration/store.ts';
import { defaultKinds, type MailKind, mailLanguages, mailResource, subscriptionsOfUser } from './kinds.ts';
import type { Mailer } from './mailer.ts';
import type { Mail, Mailboxes, MailUser } from './routes.ts';
import {
  findMailbox,
  insertMailbox,
  type MailboxRow,
  type MailReader,
  noMailbox,
  setEvery,
  updateMailbox,
} from './store.ts';
import { removeMail } from './user-sql.ts';

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly mailer: Mailer;
  codeOf(reader: Pick<MailReader, 'userId' | 'address' | 'addressedAt'>): string;
}

/** Milliseconds in which a user writes one address: each new one gets a mail. */
const addressPause = 10 * 60_000;
/** Milliseconds of events that one message tells together, without a digest and with one. */
const [soon, hour] = [10_000, 60 * 60_000];

interface Writer {
  readonly user: MailUser;
  readonly isAdministrator: boolean;
  readonly now: number;
}

type Wanted = Pick<MailboxRow, 'address' | 'confirmed' | 'addressedAt' | 'kinds' | 'digest' | 'language'>;

const place = (name: string): string => `/MailDocument/${name}`;

/** An administrator knows an address. A user shows by a code that it is the user's own. */
function wantedBy({ codeOf }: Parts, sent: Mail, row: MailboxRow | undefined, { user, ...by }: Writer): Wanted {
  const text = sent.address ?? row?.address ?? '';
  if (text === '') throw badValue(place('address'), 'an address of mail', 'none');
  const address = readMailAddress(text);
  if (address === undefined) throw badValue(place('address'), 'an address of mail such as ann@example.com', text);
  const isNew = address !== row?.address;
  const addressedAt = isNew ? by.now : row.addressedAt;
  if (isNew && row && !by.isAdministrator && by.now - row.addressedAt < addressPause) {
    const explanation = `Expected ${addressPause / 60_000} minutes since the last change of the address`;
    throw new ServiceError('not-allowed', { context: place('address'), explanation });
  }
  if (sent.code !== undefined && sent.code.trim() !== codeOf({ userId: user.id, address, addressedAt }))
    throw badValue(place('code'), 'the code of the mail to that address', sent.code);
  const isConfirmed = by.isAdministrator || sent.code !== undefined || (!isNew && row.confirmed === 1);
  return {
    ...{ address, addressedAt, confirmed: isConfirmed ? 1 : 0 },
    kinds: JSON.stringify(sent.kind?.length ? [...new Set(sent.kind)] : defaultKinds),
    digest: sent.digest === true ? 1 : 0,
    language: sent.language ?? null,
  };
}

/** The notification that brings the mail, and the row beside it. */
function planOf(
  store: Store,
  row: MailboxRow | undefined,
  id: string,
  wanted: Wanted,
  { user, now }: Pick<Writer, 'user' | 'now'>,
): CommitPlan {
  const { address, confirmed, addressedAt, kinds, digest, language } = wanted;
  const columns = { userId: user.id, address, confirmed, addressedAt, kinds, digest, language };
  const subscriptions = confirmed === 1 ? subscriptionsOfUser(JSON.parse(kinds) as MailKind[], user.name) : [];
  // The code of a new address waits for no digest.
  const [lane, every] = [`mail:${user.id}`, digest === 1 && confirmed === 1 ? hour : soon];
  const document = JSON.stringify({ action: { smtp: { to: address } } });
  const stored = { id, document, sealed: null, synchronous: 0, lane, now };
  const changed = changedMeanwhile('User', user.name);
  const asks = confirmed === 0 && address !== '' && addressedAt !== row?.addressedAt;
  return {
    changes: row
      ? [
          unchanged(id, row.version, changed),
          ...changeNotification(stored, subscriptions),
          updateMailbox(columns),
          setEvery({ id, every }),
          wakeLane({ lane, now }),
        ]
      : [
          userKind(store).mustExist(user.id, noSuchUser(user.name)),
          noMailbox(user.id, changed),
          ...createNotification(
            { ...stored, resource: mailResource, entity: '', user: user.name, every },
            subscriptions,
          ),
          insertMailbox({ ...columns, notificationId: id }),
        ],
    events: asks ? [notificationEvent('mail/confirm', id, { user: user.name })] : [],
    touches: [queueOf(id)],
  };
}

const documentOf = (row: MailboxRow | undefined): Mail =>
  row === undefined || row.address === ''
    ? { kind: [...defaultKinds] }
    : {
        address: row.address,
        confirmed: row.confirmed === 1,
        kind: JSON.parse(row.kinds) as MailKind[],
        digest: row.digest === 1,
        language: mailLanguages.find((each) => each === row.language),
      };

export function createMailboxes(parts: Parts): Mailboxes {
  const { store, clock, mailer } = parts;
  const read: Mailboxes['read'] = async ({ id: userId }) => documentOf(await findMailbox(store, { userId }));
  return {
    read,
    async write(call, user, sent) {
      const explanation = mailer.lack();
      if (explanation !== undefined) throw new ServiceError('not-allowed', { context: 'setting', explanation });
      const isAdministrator = await subjectOf(call).has(administrator);
      const newId = await store.nextId('notification');
      await call.change(async () => {
        const by = { user, isAdministrator, now: clock.now() };
        const row = await findMailbox(store, { userId: user.id });
        return planOf(store, row, row?.notificationId ?? newId, wantedBy(parts, sent, row, by), by);
      });
      return read(user);
    },
    async given(user, { former, address = '' }) {
      if (mailer.lack() !== undefined) return nothing;
      const row = await findMailbox(store, { userId: user.id });
      // The user or an administrator has chosen another address, or none: it stays.
      if (address === (row?.address ?? '') || (row && row.address !== former)) return nothing;
      const now = clock.now();
      if (address === '') return changing(...removeMail({ userId: user.id, now }));
      const choice = row ?? { kinds: JSON.stringify(defaultKinds), digest: 0, language: null };
      const id = row?.notificationId ?? (await store.nextId('notification'));
      return planOf(store, row, id, { ...choice, address, confirmed: 1, addressedAt: now }, { user, now });
    },
    async end(call, user) {
      await call.change(async () => {
        const row = await findMailbox(store, { userId: user.id });
        const by = { user, now: clock.now() };
        // The row stays, so that a new address waits as long as after another one.
        return row && planOf(store, row, row.notificationId, { ...row, address: '', confirmed: 0 }, by);
      });
    },
  };
}

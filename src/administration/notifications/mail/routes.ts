import {
  boolean,
  careful,
  document,
  element,
  list,
  oneOf,
  string,
  type Value,
} from '../../../core/documents/describe.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { nothing } from '../../../core/store/commit-plan.ts';
import type { Store } from '../../../core/store/store.ts';
import { type Route, route } from '../../../http/route.ts';
import { roleOrOwn, userAt } from '../../../identity/public.ts';
import type { Services } from '../../../room/context.ts';
import type { Caller } from '../../../security/caller.ts';
import { administrator } from '../../../security/subject.ts';
import { mailKinds, mailLanguages } from './kinds.ts';
import { noMailer } from './mailer.ts';

/** Mail of the service to one user. */
export const mailDocument = careful(
  document('MailDocument', {
    address: element(string).says('Address of the user. Default of a change: the one that is there.'),
    confirmed: element(boolean).outputOnly.says('Whether the user gets mail at the address.'),
    code: element(string).inputOnly.says('The code of the mail to a new address, which confirms it.'),
    kind: list(oneOf(...mailKinds)).says('What the user is told of. Default: all but "review".'),
    digest: element(boolean).says('True: one message an hour has all.'),
    language: element(oneOf(...mailLanguages)).says('Default: the language of the web page.'),
  }),
);
export type Mail = Value<typeof mailDocument>;

export interface MailUser {
  readonly id: string;
  readonly name: string;
}

/** Addresses and choices of users. */
export interface Mailboxes {
  read(user: MailUser): Promise<Mail>;
  write(call: Caller, user: MailUser, sent: Mail): Promise<Mail>;
  end(call: Caller, user: MailUser): Promise<void>;
  readonly given: Services['mailGiven'];
}

const refuse = (): never => {
  throw new ServiceError('not-allowed', { context: 'setting', explanation: noMailer.lack() });
};

/** Mailboxes of a runtime that sends no mail. */
export const noMailboxes: Mailboxes = { read: refuse, write: refuse, end: refuse, given: async () => nothing };

/** Where and of what each user gets mail. */
export function mailRoutes(store: Store, mailboxes: Mailboxes): readonly Route[] {
  const path = '/user/:name/mail';
  const entities = { name: userAt({ store }) };
  // Mail tells of logins, so an old login does not lead it elsewhere.
  const writing = { access: roleOrOwn(administrator, store), acting: 'refused', isDangerous: true } as const;
  return [
    route({
      method: 'GET',
      path,
      says: 'The address of a user for mail, and what the user is told of. Without an address there is no mail.',
      entities,
      answers: mailDocument,
      access: writing.access,
      handle: (_call, { name }) => mailboxes.read(name),
    }),
    route({
      method: 'PUT',
      path,
      says: 'Sets where and of what a user gets mail. A new address of a user gets a code, which the user sends here.',
      entities,
      reads: mailDocument,
      answers: mailDocument,
      ...writing,
      handle: (call, { name }) => mailboxes.write(call, name, call.body),
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Forgets the address of a user. No more mail comes.',
      entities,
      ...writing,
      handle: (call, { name }) => mailboxes.end(call, name),
    }),
  ];
}

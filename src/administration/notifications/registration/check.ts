import { badValue } from '../../../core/documents/error.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { readMailAddress, readMailServer } from '../../../core/lib/mail-address.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import type { NamedAction } from '../../../security/ini/security-parts.ts';
import { administrator } from '../../../security/subject.ts';
import { actionDefect, elementOf } from '../actions/plugin-action.ts';
import { checkContentType } from '../body.ts';
import type { PlaceholderNotification } from '../documents/notification.ts';
import { actionOf } from '../documents/notification.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { NotificationParts } from '../place.ts';
import type { RegistrationResource } from '../resources.ts';
import { calledBy } from '../secrets/endpoint.ts';
import { checkTrigger } from '../trigger/check.ts';

const root = '/NotificationDocument';
const maxAddressLength = 4_096;
const maxSecretLength = 4_096;
const maxGroupLength = 255;
const maxRetries = 1_000;

/** Refuses what could not be delivered, or could never fire, naming the element. */
export function checkNotification(
  { triggers, actions, uncallable, mailer }: Pick<NotificationParts, 'triggers' | 'actions' | 'uncallable' | 'mailer'>,
  sent: PlaceholderNotification,
  resource: RegistrationResource,
): void {
  checkAction(sent, actions());
  checkSmtp(sent, mailer);
  checkReach(sent, uncallable);
  checkContentType(sent);
  checkTrigger(triggers, sent, resource);
}

/** A script calls any address, and mail comes in the name of the service, so only administrators set them. */
export async function checkAuthor(call: Caller, { action }: PlaceholderNotification): Promise<void> {
  const kind = (['javascript', 'smtp'] as const).find((each) => action[each] !== undefined);
  if (kind === undefined || (await subjectOf(call).has(administrator))) return;
  const what = kind === 'smtp' ? 'receivers of mail' : 'scripts of notifications';
  const explanation = `Expected an administrator: nobody else sets ${what}`;
  throw new ServiceError('not-allowed', { context: `${root}/action/${kind}`, explanation });
}

const maxSubject = 200;

function checkSmtp({ action: { smtp } }: PlaceholderNotification, mailer: Mailer): void {
  if (smtp === undefined) return;
  const { to, subject = '', url, synchronous } = smtp;
  const place = `${root}/action/smtp`;
  if (readMailAddress(to) === undefined)
    throw badValue(`${place}/to`, 'an address of mail such as ann@example.com', to);
  if (subject.length > maxSubject) throw badValue(`${place}/subject`, `at most ${maxSubject} characters`, subject);
  // Not quoted: it may hold a password.
  if (url !== undefined && !(url.length <= maxAddressLength && readMailServer(url)))
    throw badValue(`${place}/url`, 'an address that begins with smtp:// or smtps://', '[redacted]');
  if (synchronous === true) throw badValue(`${place}/synchronous`, '"false": a mail refuses no change', 'true');
  const explanation = mailer.lack(url);
  if (explanation !== undefined) throw new ServiceError('not-allowed', { context: place, explanation });
}

function checkAction(sent: PlaceholderNotification, actions: readonly NamedAction[]): void {
  const { kind } = actionOf(sent);
  const place = `${root}/action/${kind}`;
  const common = sent.action[kind]!;
  const { retry, group = '' } = common;
  if (retry !== undefined && (retry < 0 || retry > maxRetries)) {
    throw badValue(`${place}/retry`, `a whole number from 0 to ${maxRetries}`, String(retry));
  }
  if (group.length > maxGroupLength || /[\0-\x1f\x7f]/.test(group)) {
    throw badValue(
      `${place}/group`,
      `a name of at most ${maxGroupLength} characters, none of them a control character`,
      group,
    );
  }
  if (sent.action.http !== undefined) checkHttp(sent.action.http, place);
  const { jms, sqs, sns } = sent.action;
  const secret = jms?.password ?? sqs?.secret ?? sns?.secret ?? '';
  if (secret.length > maxSecretLength) throw badValue(place, `a secret of at most ${maxSecretLength} characters`);
  const element = elementOf(sent);
  const defect = element && actionDefect(actions, element);
  if (defect) {
    const { field, expected, found } = defect;
    throw badValue(field === undefined ? place : `${place}/${field}`, expected, found);
  }
}

/** Refuses an address that must not be called: otherwise every event would be parked. */
function checkReach({ action }: PlaceholderNotification, uncallable: NotificationParts['uncallable']): void {
  const { kind, url } = calledBy(action);
  const why = url && uncallable(url, true);
  if (why === undefined) return;
  throw new ServiceError('bad-value', { context: `${root}/action/${kind}/url`, explanation: why });
}

function checkHttp({ url, timeout }: NonNullable<PlaceholderNotification['action']['http']>, place: string): void {
  if (url.length > maxAddressLength) throw badValue(`${place}/url`, `at most ${maxAddressLength} characters`);
  if (!isHttpAddress(url)) {
    // Not quoted: it may hold a password, also where it cannot be read as an address.
    throw badValue(`${place}/url`, 'an absolute address that begins with http:// or https://', '[redacted]');
  }
  if (timeout !== undefined && !/^\s*(?:\d{1,6}|none|)\s*$/i.test(timeout)) {
    throw badValue(`${place}/timeout`, 'a whole number of seconds, or "none"', timeout);
  }
}

function isHttpAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && hostname !== '';
}

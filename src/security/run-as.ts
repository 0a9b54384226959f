import { ServiceError } from '../core/lib/errors.ts';
import type { Account, Refusal } from '../spi/index.ts';
import { administrator, type RequestUsers, Subject } from './subject.ts';

/** The header in which a caller names the user to act for. */
export const runAsHeader = 'runas';

/** Role to act for other users, for accounts that also have the option. */
export const runAsRole = '_runas';

/**
 * Reason of a refusal: an answer without a body for an invalid end user, as for invalid credentials. `runAs`: the
 * requested name, if valid.
 */
type ActingAs =
  | { readonly subject: Subject }
  | { readonly reason: string; readonly response: Refusal; readonly runAs: string }
  | { readonly error: ServiceError; readonly runAs?: string };

/** Reason why the caller may not act for others. Undefined: permitted. The administrator's role implies this role. */
export async function impersonationRefusal(
  caller: Subject,
): Promise<'run-as-role-missing' | 'run-as-option-off' | undefined> {
  if (!caller.user || !(await caller.has(runAsRole))) return 'run-as-role-missing';
  return caller.user.mayRunAs ? undefined : 'run-as-option-off';
}

/**
 * Replaces the rights of the caller by those of the end user. Nothing is disclosed about the end user before the
 * caller's right is checked.
 */
export async function actAs(caller: Subject, header: string, users: RequestUsers): Promise<ActingAs> {
  const name = runAsName(header);
  if (name === undefined) return { error: malformed(header) };
  if (name === caller.name) return { subject: caller };
  const refusal = await impersonationRefusal(caller);
  if (refusal) return { error: refused(refusal, caller.name), runAs: name };
  const user = await users.find(name);
  if (!user) return unusable('run-as-unknown-user', name, 'User was not found');
  if (!user.enabled) return unusable('run-as-disabled-user', name, 'User is disabled');
  if (user.id === caller.user?.id) return { subject: caller };
  const account: Account = { name: user.name };
  // The caller that logged in stays the actor, also where its end user may act for others.
  return { subject: new Subject(account, user, users, caller.actor ?? caller) };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Exactly one name. Several headers arrive joined by a comma, which two readers would understand differently, so no
 * value with a comma counts. Headers carry bytes: those of other scripts are read as UTF-8.
 */
function runAsName(header: string): string | undefined {
  let name: string;
  try {
    name = /^[\x20-\x7e]*$/.test(header) ? header : utf8.decode(Uint8Array.from(header, (char) => byteOf(char)));
  } catch {
    return undefined;
  }
  const wellFormed = name !== '' && name.length <= 255 && !/[\0-\x1f\x7f-\x9f\u2028\u2029,]|^\s|\s$/.test(name);
  return wellFormed ? name : undefined;
}

function byteOf(char: string): number {
  const code = char.charCodeAt(0);
  if (code > 0xff) throw new RangeError();
  return code;
}

/** In a header there is no other way for what is not ASCII. */
const visible = (name: string): string => name.replace(/[^\x20-\x7e]/gu, (char) => encodeURIComponent(char));

const explanations = {
  'run-as-role-missing': () => `Expected the role ${runAsRole} or ${administrator}`,
  'run-as-option-off': (caller: string) =>
    `Expected the Run-As option on the account "${caller}": an administrator sets it with "runAs" in PUT /user/${caller}`,
} as const;

const refused = (code: keyof typeof explanations, caller: string): ServiceError =>
  new ServiceError(code, { context: 'header RunAs', explanation: explanations[code](caller) });

const unusable = (reason: string, name: string, explanation: string): ActingAs => ({
  reason,
  response: { status: 401, headers: { reason: `${explanation}: ${visible(name)}` } },
  runAs: name,
});

function malformed(header: string): ServiceError {
  const explanation = 'Expected one user name, sent once, without a comma or a control character';
  return new ServiceError('bad-header', { context: 'header RunAs', explanation, value: header.slice(0, 80) });
}

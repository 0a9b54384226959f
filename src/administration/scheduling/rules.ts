import { parseDateTime } from '../../core/documents/index.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { formList } from '../../http/forms.ts';
import type { Reply } from '../../http/reply.ts';
import type { Route } from '../../http/route.ts';
import type { scheduledRequest } from './tables.ts';

export const states = ['WAITING', 'SUCCESS', 'CONNECTION_FAILURE', 'BAD_REQUEST'] as const;
export type RequestState = (typeof states)[number];

export type RequestRow = typeof scheduledRequest.$inferSelect;

export const header = 'schedule';
const context = 'header Schedule';
export const noun = 'ScheduledRequest';
export const resource = '/scheduled-request';

const day = 86_400_000;
const maxDaysAhead = 366;

const refused = (explanation: string, value?: string): ServiceError =>
  new ServiceError('bad-header', { context, explanation, ...(value !== undefined && { value: value.slice(0, 80) }) });

/** Time at which the caller wants the request to be run. Undefined: at once. */
export function timeFrom(text: string, now: number): number | undefined {
  const time = parseDateTime(text.trim());
  if (time === undefined) throw refused('Expected a date and time such as 2030-01-31T12:00:00Z', text);
  if (time <= now) return undefined;
  if (time > now + maxDaysAhead * day) throw refused(`Expected a time within ${maxDaysAhead} days`, text);
  return time;
}

/**
 * Accounts, rights, credentials and configuration are changed by who is there: a kept request would hold passwords, and
 * its answer might hold tokens. A route says so by `acting`.
 */
export function checkSchedulable({ method, path, acting, answers }: Route): void {
  if (path.startsWith(resource)) throw refused('Expected a request about something else than scheduled requests');
  if (formList(answers).includes('events')) throw refused('Expected a request whose answer ends');
  // Reading routes that make or reveal credentials have a rule for acting callers.
  if (method === 'GET' ? acting !== undefined : acting !== 'allowed')
    throw refused('Expected a request that changes or shows no account, right, credential or configuration');
}

/** User info in an address, which must not be stored. */
const userInfo = /:(?:\\?\/){2}[^\s"'<>]{0,2000}@/;
const secretive = /password|passwd|passphrase|passkey|secret|token|credential|^pass$|^pwd$|^pin$/i;
const names = [/"([^"\\]{1,100})"\s{0,100}:/g, /<([^\s<>/]{1,100})/g];
const keys = [/"key"\s{0,100}:\s{0,100}"([^"\\]{1,100})"/gi, /<(?:\w{1,20}:)?key>\s{0,100}([^<]{1,100})/gi];

/** Refuses requests with secrets, since they would be stored in the database. */
export function checkNoSecret(parameters: Iterable<readonly [string, readonly string[]]>, body: string): void {
  for (const [name, values] of parameters) {
    if (secretive.test(name)) throw holdsSecret(`the parameter ${name.slice(0, 80)}`);
    if (values.some((value) => userInfo.test(value))) throw holdsSecret('a user in an address');
  }
  if (userInfo.test(body)) throw holdsSecret('a user in an address');
  for (const form of [...names, ...keys]) {
    for (const [, name] of body.matchAll(form)) {
      if (secretive.test(name!)) throw holdsSecret(`the element ${name!}`);
    }
  }
}

const holdsSecret = (what: string): ServiceError =>
  refused(`Expected a request without secrets, because it is kept: found ${what}`);

export const nobodyKnown = (): ServiceError =>
  new ServiceError('not-allowed', { context, explanation: 'Expected a caller who is a user of this service' });

export const tooManyRequests = (max: number): ServiceError =>
  new ServiceError('too-many-scheduled', { context, explanation: `Expected at most ${max} requests that wait` });

export const notFound = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: noun, id: id.slice(0, 80), context: 'path' });

export const noResponse = (id: string): ServiceError =>
  new ServiceError('no-such-entity', {
    type: 'ResponseBody',
    id,
    context: 'path',
    explanation: 'Expected a request that was carried out, whose answer had a body that is kept',
  });

/** Result of a scheduled request. */
export interface Result {
  readonly state: RequestState;
  readonly status: number | null;
  readonly contentType: string | null;
  readonly response: Uint8Array<ArrayBuffer> | null;
}

export function requestState(status: number): RequestState {
  if (status >= 200 && status < 300) return 'SUCCESS';
  return status >= 500 ? 'CONNECTION_FAILURE' : 'BAD_REQUEST';
}

/** Result of an interrupted request. Its progress is unknown, so it is not repeated. */
export const lostResult: Result = {
  state: 'CONNECTION_FAILURE',
  status: null,
  contentType: 'text/plain',
  response: new TextEncoder().encode('Expected the instance to go on that carried out the request'),
};

/** Stored answer, with a harmless type: a browser would run scripts of a page under this host. */
export const keptReply = (type: string | null, body: Uint8Array<ArrayBuffer>): Reply => ({
  status: 200,
  type: type === null || /html|svg|^multipart|script/i.test(type) ? 'application/octet-stream' : type,
  body,
  headers: {
    'content-disposition': 'attachment; filename="response"',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  },
});

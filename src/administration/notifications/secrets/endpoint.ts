import { readMailServer } from '../../../core/lib/mail-address.ts';
import type { PlaceholderNotification } from '../documents/notification.ts';
import { actionOf } from '../documents/notification.ts';

type Action = PlaceholderNotification['action'];

/** An address with what stands before the `@` taken off: `ann:secret`, encoded as addresses are. */
export function splitCredentials(address: string): { readonly bare: string; readonly credentials: string | undefined } {
  const url = new URL(address);
  if (url.username === '' && url.password === '') return { bare: url.href, credentials: undefined };
  const credentials = `${url.username}:${url.password}`;
  url.username = '';
  url.password = '';
  return { bare: url.href, credentials };
}

export function withCredentials(bare: string, credentials: string): string {
  const url = new URL(bare);
  [url.username, url.password] = splitPair(credentials);
  return url.href;
}

/** Address of HTTP with the host that an action calls. Undefined: it calls none of the caller's choice. */
export function calledBy({ http, smtp }: Action): { readonly kind: 'http' | 'smtp'; readonly url: string | undefined } {
  if (http) return { kind: 'http', url: http.url };
  const host = smtp?.url === undefined ? undefined : readMailServer(smtp.url)?.host;
  return { kind: 'smtp', url: host && `http://${host.includes(':') ? `[${host}]` : host}/` };
}

/** Name and password: a colon in either of them is encoded. */
export function splitPair(credentials: string): [name: string, password: string] {
  const colon = credentials.indexOf(':');
  return [credentials.slice(0, colon), credentials.slice(colon + 1)];
}

/** Endpoint of each kind of action, without credentials and variable parts. */
const endpoints: { readonly [K in keyof Action]-?: (action: NonNullable<Action[K]>) => string } = {
  http: ({ url }) => splitCredentials(url).bare,
  ejb: ({ bean, method }) => `${bean}#${method}`,
  jms: ({ queueFactory, queue }) => `${queueFactory}/${queue}`,
  sqs: ({ endpoint, queue }) => `${endpoint}/${queue}`,
  sns: ({ endpoint = '', topic = '' }) => `${endpoint}/${topic}`,
  javascript: ({ script }) => script,
  smtp: ({ url, to }) => `${url === undefined ? '' : splitCredentials(url).bare} ${to}`,
};

function endpointOf(notification: PlaceholderNotification): string {
  const { kind } = actionOf(notification);
  const of = endpoints[kind] as (action: unknown) => string;
  return of(notification.action[kind]);
}

const maxLength = 300;

/**
 * Deliveries of one lane are made one after the other: those of one group, else those to one endpoint.
 * `digest` shortens what is too long for a name.
 */
export function laneOf(notification: PlaceholderNotification, digest: (text: string) => string): string {
  const { kind } = actionOf(notification);
  const group = notification.action[kind]?.group?.trim();
  const name = group ? `group:${group}` : `${kind}:${endpointOf(notification)}`;
  return name.length <= maxLength ? name : `${name.slice(0, maxLength - 50)}…${digest(name)}`;
}

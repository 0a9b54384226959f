import { badValue } from '../../documents/bad-value.ts';
import type { ActionKind, PlaceholderNotification } from '../../documents/index.ts';
import { actionOf } from '../action.ts';
import { splitCredentials, withCredentials } from './endpoint.ts';

/** What stands in a document where a secret was. */
export const mask = '***';
const maskedCredentials = `${mask}:${mask}`;

/** The one secret that an action has: the credentials of an address, a password, a key. */
interface SecretField {
  readonly field: string;
  /** Who gets it: when that changes, whoever changes it has to know the secret. */
  readonly recipient: readonly string[];
}

const secretFields: Readonly<Partial<Record<ActionKind, SecretField>>> = {
  http: { field: 'url', recipient: [] },
  jms: { field: 'password', recipient: ['queueFactory', 'username'] },
  sqs: { field: 'secret', recipient: ['endpoint', 'accessKey'] },
  sns: { field: 'secret', recipient: ['endpoint', 'accessKey'] },
};

type Fields = Readonly<Record<string, string | undefined>>;

interface Found {
  readonly kind: ActionKind;
  readonly field: string;
  readonly secret: string;
  readonly recipient: string;
}

/** The secret in a document, or the mask of one. */
function find(notification: PlaceholderNotification): Found | undefined {
  const { kind } = actionOf(notification);
  const known = secretFields[kind];
  if (known === undefined) return undefined;
  const { field } = known;
  const action = notification.action[kind] as unknown as Fields;
  const text = action[field];
  if (text === undefined || text === '') return undefined;
  if (kind !== 'http') {
    return { kind, field, secret: text, recipient: JSON.stringify(known.recipient.map((each) => action[each] ?? '')) };
  }
  const { bare, credentials } = splitCredentials(text);
  return credentials === undefined ? undefined : { kind, field, secret: credentials, recipient: new URL(bare).origin };
}

function replace(
  notification: PlaceholderNotification,
  { kind, field }: Found,
  secret: string,
): PlaceholderNotification {
  const action = notification.action[kind] as unknown as Fields;
  const text = kind === 'http' ? withCredentials(splitCredentials(action[field]!).bare, secret) : secret;
  return { ...notification, action: { [kind]: { ...action, [field]: text } } } as PlaceholderNotification;
}

export interface Masked {
  /** The document as it is stored and read. */
  readonly masked: PlaceholderNotification;
  readonly secret: string | undefined;
  /** It holds the mask: the secret is the one that is stored already. */
  readonly keeps: boolean;
}

/**
 * Takes the secret out of a document. A mask stands for what is stored, as long as nobody else would get it: a
 * document with another recipient would make this service tell a secret to whoever may write and not read it.
 */
export function maskSecret(sent: PlaceholderNotification, stored: PlaceholderNotification | undefined): Masked {
  const found = find(sent);
  if (found === undefined) return { masked: sent, secret: undefined, keeps: false };
  const { kind, field, secret, recipient } = found;
  const masks = kind === 'http' ? maskedCredentials : mask;
  if (secret !== masks) return { masked: replace(sent, found, masks), secret, keeps: false };
  const before = stored && find(stored);
  if (before?.kind === kind && before.recipient === recipient) return { masked: sent, secret: undefined, keeps: true };
  const why = before === undefined ? 'nothing is stored that the mask could stand for' : 'they go to somebody else now';
  throw badValue(`/NotificationDocument/action/${kind}/${field}`, `the credentials themselves, because ${why}`, mask);
}

/** The document as its action is carried out. */
export function unmask(notification: PlaceholderNotification, secret: string): PlaceholderNotification {
  const found = find(notification);
  return found === undefined ? notification : replace(notification, found, secret);
}

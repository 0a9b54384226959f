import { badValue } from '../../../core/documents/error.ts';
import type { ActionKind, PlaceholderNotification } from '../documents/notification.ts';
import { actionOf } from '../documents/notification.ts';
import { splitCredentials, splitPair, withCredentials } from './endpoint.ts';

/** Replacement for a secret in a document. */
const mask = '***';
const maskedCredentials = `${mask}:${mask}`;
/** Address part that decodes to the mask: receivers get name and password decoded. */
const maskInAddress = /^(?:\*|%2a){3}$/i;

/** The only secret of an action: credentials of an address, a password, or a key. */
interface SecretField {
  readonly field: string;
  /** Recipient of the secret: a user who changes the recipient must know the secret. */
  readonly recipient: readonly string[];
}

const secretFields: Readonly<Partial<Record<ActionKind, SecretField>>> = {
  http: { field: 'url', recipient: [] },
  jms: { field: 'password', recipient: ['queueFactory', 'username'] },
  sqs: { field: 'secret', recipient: ['endpoint', 'accessKey'] },
  sns: { field: 'secret', recipient: ['endpoint', 'accessKey'] },
  smtp: { field: 'url', recipient: [] },
};

/** Whether the secret is a part of an address: name and password. */
const isInAddress = (kind: ActionKind): boolean => secretFields[kind]?.field === 'url';

type Fields = Readonly<Record<string, string | undefined>>;

interface LocatedSecret {
  readonly kind: ActionKind;
  readonly field: string;
  readonly secret: string;
  readonly recipient: string;
}

/** The secret in a document, or the mask of one. */
function find(notification: PlaceholderNotification): LocatedSecret | undefined {
  const { kind } = actionOf(notification);
  const place = secretFields[kind];
  if (place === undefined) return undefined;
  const { field } = place;
  const action = notification.action[kind] as unknown as Fields;
  const text = action[field];
  if (text === undefined || text === '') return undefined;
  if (!isInAddress(kind)) {
    return { kind, field, secret: text, recipient: JSON.stringify(place.recipient.map((each) => action[each] ?? '')) };
  }
  const { bare, credentials } = splitCredentials(text);
  const { protocol, host } = new URL(bare);
  return credentials === undefined
    ? undefined
    : { kind, field, secret: credentials, recipient: `${protocol}//${host}` };
}

/** Name and password, or the one secret of other actions: each is a mask, or is not. */
const partsOf = ({ kind, secret }: LocatedSecret): readonly string[] =>
  isInAddress(kind) ? splitPair(secret) : [secret];

const isMask = (kind: ActionKind, part: string): boolean =>
  isInAddress(kind) ? maskInAddress.test(part) : part === mask;

function replace(
  notification: PlaceholderNotification,
  { kind, field }: LocatedSecret,
  secret: string,
): PlaceholderNotification {
  const action = notification.action[kind] as unknown as Fields;
  const text = isInAddress(kind) ? withCredentials(splitCredentials(action[field]!).bare, secret) : secret;
  return { ...notification, action: { [kind]: { ...action, [field]: text } } } as PlaceholderNotification;
}

export interface Masked {
  /** The document as it is stored and read. */
  readonly masked: PlaceholderNotification;
  readonly secret: string | undefined;
  /** Set if the document has the mask: the stored secret is kept. */
  readonly keeps: boolean;
  /** Completes the secret with the stored one, if only the name or only the password is masked. */
  readonly complete?: (stored: string) => string;
}

/**
 * Extracts the secret from a document. A mask keeps the stored secret, as long as the recipient stays the same.
 * Otherwise a user with write access but without read access could redirect the secret.
 */
export function maskSecret(sent: PlaceholderNotification, stored: PlaceholderNotification | undefined): Masked {
  const place = find(sent);
  if (place === undefined) return { masked: sent, secret: undefined, keeps: false };
  const { kind, secret, recipient } = place;
  const masked = replace(sent, place, isInAddress(kind) ? maskedCredentials : mask);
  const parts = partsOf(place);
  const masks = parts.map((part) => isMask(kind, part));
  if (!masks.includes(true)) return { masked, secret, keeps: false };
  const before = stored && find(stored);
  if (before === undefined) throw nothingStored(place);
  if (before.kind !== kind || before.recipient !== recipient) throw unusable(place, 'they go to somebody else now');
  if (!masks.includes(false)) return { masked, secret: undefined, keeps: true };
  const complete = (whole: string): string => {
    const storedParts = splitPair(whole);
    if (masks.some((stands, index) => stands && storedParts[index] === '')) throw nothingStored(place);
    return parts.map((part, index) => (masks[index] ? storedParts[index] : part)).join(':');
  };
  return { masked, secret: undefined, keeps: false, complete };
}

const nothingStored = (found: LocatedSecret) => unusable(found, 'nothing is stored that the mask could stand for');

const unusable = ({ kind, field }: LocatedSecret, why: string) =>
  badValue(`/NotificationDocument/action/${kind}/${field}`, `the credentials themselves, because ${why}`, mask);

/** The document as its action is carried out. */
export function unmask(notification: PlaceholderNotification, secret: string): PlaceholderNotification {
  const place = find(notification);
  return place === undefined ? notification : replace(notification, place, secret);
}

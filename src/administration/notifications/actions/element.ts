import { Secret } from '../../../core/lib/secret.ts';
import type { ActionElement, ActionKind } from '../../../spi/index.ts';
import { actionOf } from '../action.ts';
import type { PlaceholderNotification } from '../documents/notification.ts';

/** Elements of every action, handled by the service itself. */
const common = new Set(['synchronous', 'group', 'extradata', 'retry', 'contentType']);
const secrets = new Set(['password', 'secret']);

/** The action of a notification in the form for plugins. Undefined for HTTP, which the service handles itself. */
export function elementOf(sent: PlaceholderNotification): ActionElement | undefined {
  const { kind } = actionOf(sent);
  if (kind === 'http') return undefined;
  const own = Object.entries(sent.action[kind]!).filter(([name]) => !common.has(name));
  const texts = own.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const secret = texts.find(([name]) => secrets.has(name))?.[1];
  return {
    kind: kind satisfies ActionKind,
    texts: Object.fromEntries(texts.filter(([name]) => !secrets.has(name))),
    data: (sent.action.ejb?.data ?? []).map(({ key = '', value = '' }) => [key, value] as const),
    ...(secret === undefined ? {} : { secret: new Secret(secret) }),
  };
}

import { quoted } from '../../../core/documents/error.ts';
import { isRecord } from '../../../core/lib/checks.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { nearest, sentenceOf } from '../../../core/lib/messages.ts';
import { Secret } from '../../../core/lib/secret.ts';
import { withTimeLimit } from '../../../core/outbound/request.ts';
import { OutboundError } from '../../../core/outbound/wire.ts';
import type { NamedAction } from '../../../security/ini/security-parts.ts';
import type { ActionElement, ActionKind, NotificationAction } from '../../../spi/index.ts';
import { actionOf, type PlaceholderNotification } from '../documents/notification.ts';
import { type ActionOrder, type DeliveryResult, resultOfError } from './order.ts';
import { maxScriptLength } from './script.ts';

/** The first that knows the kind; of beans, the one of that name. */
export function findAction(actions: readonly NamedAction[], { kind, texts }: ActionElement) {
  return actions.find(({ name, className, action }) => {
    if (!(action.kinds ?? ['ejb']).includes(kind)) return false;
    return kind !== 'ejb' || texts['bean'] === name || texts['bean'] === className;
  })?.action;
}

/** True: the service carries out the script, since no plugin does. */
export const isScript = (actions: readonly NamedAction[], element: ActionElement): boolean =>
  element.kind === 'javascript' && !findAction(actions, element);

/** Failure kind for an action that no plugin supports. */
export const noAction = 'no-action';

const missing = ({ kind, texts }: ActionElement): string =>
  `Expected a plugin that carries out ${quoted(texts['bean'] ?? kind)}: none is there`;

/** A plugin that brought it may be gone since the notification was created. */
export const missingActionOf = (actions: readonly NamedAction[], element: ActionElement): string | undefined =>
  findAction(actions, element) || isScript(actions, element) ? undefined : missing(element);

/** Why an element cannot be carried out, and which part of it is to blame. */
interface ElementDefect {
  readonly field: string | undefined;
  readonly expected: string;
  readonly found: string;
}

export function actionDefect(actions: readonly NamedAction[], element: ActionElement): ElementDefect | undefined {
  const { kind, texts } = element;
  const action = findAction(actions, element);
  if (isScript(actions, element)) return scriptDefect(texts['script'] ?? '');
  if (!action) {
    const from = 'that a plugin brings among its "actions"';
    if (kind !== 'ejb') return { field: undefined, expected: `a kind of action ${from}`, found: kind };
    const bean = texts['bean'] ?? '';
    const meant = nearest(
      bean,
      actions.flatMap(({ name, className }) => [name, className]),
    );
    return { field: 'bean', expected: `a bean ${from}${meant ? `, such as ${quoted(meant)}` : ''}`, found: bean };
  }
  const method = texts['method'] ?? '';
  if (kind === 'ejb' && action.methods && !action.methods.includes(method)) {
    return { field: 'method', expected: `one of ${action.methods.map(quoted).join(', ')}`, found: method };
  }
  const complaint = action.defect?.(element);
  if (complaint === undefined) return undefined;
  return { field: undefined, expected: String(complaint).replace(/^Expected /, ''), found: kind };
}

const scriptDefect = ({ length }: string): ElementDefect | undefined =>
  length > maxScriptLength
    ? { field: 'script', expected: `at most ${maxScriptLength} characters`, found: String(length) }
    : undefined;

/** Hands an order to a plugin, which may throw, hang and answer anything. */
export async function performByPlugin(
  action: NotificationAction | undefined,
  element: ActionElement,
  order: ActionOrder,
  {
    clock,
    milliseconds,
    signal,
  }: { readonly clock: Clock; readonly milliseconds: number; readonly signal: AbortSignal },
): Promise<DeliveryResult> {
  if (!action) return { verdict: 'again', error: noAction, says: missing(element), localFault: true };
  const { event, fields, body, contentType, notificationId: notification, id, number: attempt, trial = false } = order;
  try {
    const answer = await withTimeLimit(clock, milliseconds, signal, async (own) =>
      action.perform({
        ...element,
        event,
        fields,
        body,
        contentType,
        notification,
        id,
        attempt,
        test: trial,
        signal: own,
      }),
    );
    return resultOfPlugin(answer, element);
  } catch (error) {
    if (signal.aborted || error instanceof OutboundError) return resultOfError(error, signal);
    return { verdict: 'again', error: 'plugin', says: `Expected no error: ${saidBy(error, element)}` };
  }
}

function resultOfPlugin(given: unknown, element: ActionElement): DeliveryResult {
  const { answer, reason, after, text } = isRecord(given) ? given : {};
  const says = typeof reason === 'string' && reason !== '' ? saidBy(reason, element) : 'Expected a reason: none';
  switch (answer) {
    case 'delivered':
      return { verdict: 'delivered', ...(typeof text === 'string' ? { text } : {}) };
    case 'again':
      return { verdict: 'again', error: 'plugin', says, ...(isPause(after) ? { after } : {}) };
    case 'refused':
      return { verdict: 'refused', error: 'plugin', says, text: says };
    default:
      return { verdict: 'again', error: 'junk', says: 'Expected "delivered", "again" or "refused": something else' };
  }
}

const isPause = (after: unknown): after is number => typeof after === 'number' && after >= 0 && after <= 86_400_000;

/** Error text of a plugin, for display and logs. The secret is removed. */
function saidBy(thrown: unknown, { secret }: ActionElement): string {
  const hidden = secret?.reveal();
  return sentenceOf(thrown, (text) => (hidden ? text.replaceAll(hidden, '[redacted]') : text));
}

/** Elements of every action, handled by the service itself. */
const common = new Set(['synchronous', 'group', 'extradata', 'retry', 'contentType']);
const secrets = new Set(['password', 'secret']);

/** The action of a notification in the form for plugins. Undefined for HTTP and mail, which the service handles itself. */
export function elementOf(sent: PlaceholderNotification): ActionElement | undefined {
  const { kind } = actionOf(sent);
  if (kind === 'http' || kind === 'smtp') return undefined;
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

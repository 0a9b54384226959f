import type { PlaceholderNotification } from './documents/notification.ts';
import { type ActionKind, actionKinds } from './documents/notification-action.ts';

interface ActionOfKind {
  readonly kind: ActionKind;
  readonly extradata?: string | undefined;
  readonly contentType?: string | undefined;
}

/** The one action that a notification has, and what several kinds of them share. */
export function actionOf({ action }: PlaceholderNotification): ActionOfKind {
  const kind = actionKinds.find((each) => action[each] !== undefined)!;
  return { ...action[kind]!, kind };
}

/**
 * Action for answers. Clients require the flag `synchronous`, and a time limit of an HTTP action. Defaults are added if
 * the document had none.
 */
export function asShown(notification: PlaceholderNotification): PlaceholderNotification {
  const { kind } = actionOf(notification);
  const usual = { synchronous: false, ...(kind === 'http' && { timeout: '0' }) };
  return { ...notification, action: { [kind]: { ...usual, ...notification.action[kind] } } };
}

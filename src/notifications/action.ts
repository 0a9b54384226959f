import type { PlaceholderNotification } from './documents/notification.ts';
import { type ActionKind, actionKinds } from './documents/notification-action.ts';

export interface ActionFound {
  readonly kind: ActionKind;
  readonly extradata?: string | undefined;
  readonly contentType?: string | undefined;
}

/** The one action that a notification has, and what several kinds of them share. */
export function actionOf({ action }: PlaceholderNotification): ActionFound {
  const kind = actionKinds.find((each) => action[each] !== undefined)!;
  return { ...action[kind]!, kind };
}

/**
 * As a caller reads it back. Clients refuse an action that does not say whether it is synchronous, and an HTTP action
 * without a time limit. Where the document had none, the answer has the default.
 */
export function asShown(notification: PlaceholderNotification): PlaceholderNotification {
  const { kind } = actionOf(notification);
  const usual = { synchronous: false, ...(kind === 'http' && { timeout: '0' }) };
  return { ...notification, action: { [kind]: { ...usual, ...notification.action[kind] } } };
}

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

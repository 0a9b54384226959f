import type { SecretText } from './credentials.ts';

/** Elements of a NotificationDocument whose actions plugins carry out. The service itself handles `http`. */
export type ActionKind = 'ejb' | 'javascript' | 'jms' | 'sqs' | 'sns';

/** Content of a notification's action element. */
export interface ActionElement {
  readonly kind: ActionKind;
  /** Texts by element name: `bean` and `method`, `queue`, `topic`, `script`. */
  readonly texts: Readonly<Record<string, string>>;
  /** Pairs of `data` in an `ejb` element, in order. */
  readonly data: readonly (readonly [key: string, value: string])[];
  /** Password or secret key. */
  readonly secret?: SecretText | undefined;
}

/** Delivery of one event for one notification. */
export interface ActionCall extends ActionElement {
  /** Trigger of the event, such as `group/create`. */
  readonly event: string;
  /** Fields of the event. A key with several values occurs several times. */
  readonly fields: readonly (readonly [key: string, value: string])[];
  /** Fields as a body, in the format that the notification chooses. */
  readonly body: string;
  readonly contentType: string;
  /** The id of the notification. */
  readonly notification: string;
  /** Id of the delivery, the same for all attempts: the receiver can use it to drop duplicates. */
  readonly id: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Whether the event is a sample, requested by a user as a trial. */
  readonly test: boolean;
  /** Aborted on timeout or stop: the answer no longer counts. */
  readonly signal: AbortSignal;
}

export type ActionAnswer =
  /** `text`: answer of the receiver, for synchronous notifications, such as the name of a file. */
  | { readonly answer: 'delivered'; readonly text?: string }
  /** Worth a retry, after at least `after` milliseconds. */
  | { readonly answer: 'again'; readonly reason: string; readonly after?: number }
  /** Permanent failure or rejection: no further attempt. For a synchronous notification: a veto. */
  | { readonly answer: 'refused'; readonly reason: string };

/**
 * Action of a plugin. `ejb` finds it by its bean: the name of the object in `[main]`, or its class name. Other elements
 * use the first object that supports their kind. An exception counts as `again`.
 */
export interface NotificationAction {
  /** Supported elements. Default: `ejb`. */
  readonly kinds?: readonly ActionKind[];
  /** Allowed methods of `ejb`. Unset: any. */
  readonly methods?: readonly string[];
  /** Defect of an element, as a sentence without its secret, for the user who creates the notification. */
  defect?(element: ActionElement): string | undefined;
  perform(call: ActionCall): Promise<ActionAnswer> | ActionAnswer;
  /** Called when a new configuration is active, or the service stops. */
  close?(): Promise<void> | void;
}

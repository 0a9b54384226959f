import type { SecretText } from './credentials.ts';

/** The elements of a NotificationDocument that actions carry out. Those of `http` the service carries out itself. */
export type ActionKind = 'ejb' | 'javascript' | 'jms' | 'sqs' | 'sns';

/** What a notification says about its action. */
export interface ActionElement {
  readonly kind: ActionKind;
  /** Texts by the names of their elements: `bean` and `method`, `queue`, `topic`, `script`. */
  readonly texts: Readonly<Record<string, string>>;
  /** Of `ejb`: the pairs of `data`, in their order. */
  readonly data: readonly (readonly [key: string, value: string])[];
  /** Its password or its secret key. */
  readonly secret?: SecretText | undefined;
}

/** One event that one notification tells. */
export interface ActionCall extends ActionElement {
  /** The trigger: `group/create`. */
  readonly event: string;
  /** What is told. A key with several values comes several times. */
  readonly fields: readonly (readonly [key: string, value: string])[];
  /** The same as a body, in the form that the notification asks for. */
  readonly body: string;
  readonly contentType: string;
  /** The id of the notification. */
  readonly notification: string;
  /** The same whenever this event is told to this notification: the other side knows by it what it has seen. */
  readonly id: string;
  /** Counts the attempts from 1. */
  readonly attempt: number;
  /** A sample that somebody asked for, to see whether it arrives: nothing has happened. */
  readonly test: boolean;
  /** Aborted when the time is up or the service stops: the answer no longer counts. */
  readonly signal: AbortSignal;
}

export type ActionAnswer =
  /** `text`: what the other side said, where somebody waits for it: the name of a file. */
  | { readonly answer: 'delivered'; readonly text?: string }
  /** It may work later; `after` is the least number of milliseconds. */
  | { readonly answer: 'again'; readonly reason: string; readonly after?: number }
  /** It will never work, or the other side does not want it: no further attempt; of a synchronous notification, a veto. */
  | { readonly answer: 'refused'; readonly reason: string };

/**
 * Tells somebody what happened. `ejb` finds it by its bean: the name of the object in `[main]`, or its class name. The
 * other elements take the first object that knows their kind. What it throws counts as `again`.
 */
export interface NotificationAction {
  /** The elements that it carries out. Unset: `ejb`. */
  readonly kinds?: readonly ActionKind[];
  /** Of `ejb`: what may be named as method. Unset: anything. */
  readonly methods?: readonly string[];
  /** What is wrong with an element, as a sentence without its secret: told to the user who creates the notification. */
  defect?(element: ActionElement): string | undefined;
  perform(call: ActionCall): Promise<ActionAnswer> | ActionAnswer;
  /** Called when another configuration has taken over, or the service stops. */
  close?(): Promise<void> | void;
}

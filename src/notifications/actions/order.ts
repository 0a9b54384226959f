import type { BodyField } from '../body/fields.ts';
import type { PlaceholderNotification } from '../documents/notification.ts';
import type { SigningKey } from './http/signature.ts';

/** One call that is to be made: what is told, to whom, and for which time. */
export interface Order {
  readonly notificationId: string;
  /** With its secrets. */
  readonly sent: PlaceholderNotification;
  readonly keys: readonly SigningKey[];
  /** The same for each attempt to tell this event to this notification. */
  readonly id: string;
  readonly event: string;
  readonly fields: readonly BodyField[];
  readonly contentType: string;
  readonly body: string;
  /** Counts the attempts from 1. */
  readonly number: number;
  /** How many deliveries led to the event. */
  readonly depth: number;
  /** What made the event happen: the same for all events of a request. */
  readonly cause: string;
  /** A sample: nothing has happened. */
  readonly trial?: boolean | undefined;
  /** Milliseconds that are left for it, where somebody waits. */
  readonly within?: number | undefined;
}

import type { BodyField } from '../body/fields.ts';
import type { PlaceholderNotification } from '../documents/notification.ts';
import type { SigningKey } from './http/signature.ts';

/** Call to a receiver: content, receiver and time limit. */
export interface ActionOrder {
  readonly notificationId: string;
  /** The notification with its secrets. */
  readonly sent: PlaceholderNotification;
  readonly keys: readonly SigningKey[];
  /** Id of the delivery, the same for all attempts to deliver this event to this notification. */
  readonly id: string;
  readonly event: string;
  readonly fields: readonly BodyField[];
  readonly contentType: string;
  readonly body: string;
  /** Number of the attempt, from 1. */
  readonly number: number;
  /** Length of the chain of deliveries that caused the event. */
  readonly depth: number;
  /** Cause of the event, the same for all events of a request. */
  readonly cause: string;
  /** Set for a sample event of a trial. */
  readonly trial?: boolean | undefined;
  /** Remaining milliseconds, if a caller waits. */
  readonly within?: number | undefined;
}

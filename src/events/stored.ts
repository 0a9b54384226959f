import type { EventName, Happening } from './catalogue.ts';

/** An event as it is read back. */
export interface StoredEvent<N extends EventName = EventName> extends Happening<N> {
  readonly sequence: number;
  readonly user: string;
  readonly runAs?: string | undefined;
  readonly at: number;
}

/** Who is told to have done it: the user whose rights counted. */
export const actorName = (event: Pick<StoredEvent, 'user'>): string => event.user;

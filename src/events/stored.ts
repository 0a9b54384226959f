import type { EventName, Happening } from './catalogue.ts';

/** An event as it is read back. */
export interface StoredEvent<N extends EventName = EventName> extends Happening<N> {
  readonly sequence: number;
  /** Who was let in. */
  readonly user: string;
  /** Whom they acted for. Never left out: whoever forgets it tells of the wrong one. */
  readonly runAs: string | undefined;
  readonly at: number;
}

/** Who is told to have done it: the user whose rights counted, and not the application that acted for them. */
export const actorName = ({ user, runAs }: Pick<StoredEvent, 'user' | 'runAs'>): string => runAs ?? user;

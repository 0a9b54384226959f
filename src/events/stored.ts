import type { Happening } from './define.ts';

/** An event as it is read back. */
export interface StoredEvent extends Happening {
  readonly sequence: number;
  /** User whose credentials the request had. */
  readonly user: string;
  /** User that the caller acted for. Required, so that no reader forgets it and names the wrong user. */
  readonly runAs: string | undefined;
  readonly at: number;
}

/** Public author of an event: the user whose rights counted, and not the application that acted for them. */
export const actorName = ({ user, runAs }: Pick<StoredEvent, 'user' | 'runAs'>): string => runAs ?? user;

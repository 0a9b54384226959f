import type { Happening } from './define.ts';

/** An event as it is read back. */
export interface StoredEvent extends Happening {
  readonly sequence: number;
  /** Who was let in. */
  readonly user: string;
  /** Whom they acted for. Never left out: a reader who forgets it would tell of the wrong user. */
  readonly runAs: string | undefined;
  readonly at: number;
}

/** Who is told to have done it: the user whose rights counted, and not the application that acted for them. */
export const actorName = ({ user, runAs }: Pick<StoredEvent, 'user' | 'runAs'>): string => runAs ?? user;

import type { Sent } from '../../support/matrix.ts';

/** Every route: who may use it, and a request that somebody who may gets 200 for. */
export interface Rule {
  readonly route: string;
  readonly needs: 'nothing' | 'any caller' | `_${string}`;
  /** What must be there before. */
  readonly given?: (who: string) => readonly Sent[];
  readonly request: (who: string) => Pick<Sent, 'request' | 'body'>;
}

import type { Maybe } from '../../core/lib/maybe.ts';
import type { Reader } from '../../core/store/statement.ts';
import { command } from '../../http/command.ts';
import { hook } from '../../room/hook.ts';

interface CommentCount {
  readonly itemId: string;
  readonly count: number;
}

/** Numbers of comments on items that belong to the guests of a share: their own, and the replies to them. */
export const guestCommentsHook =
  hook<
    (reader: Reader, of: { readonly guest: string; readonly ids: readonly string[] }) => Maybe<readonly CommentCount[]>
  >('review');

/** Comment as guests of a share read it. */
export interface Comment {
  readonly id: string;
  readonly parent: string | null;
  readonly start: string | null;
  readonly end: string | null;
  readonly rectangle: string | null;
  readonly drawing: string | null;
  readonly text: string | null;
  /** Name of a user, or the one that a guest gave. */
  readonly user: string;
  readonly createdAt: number;
}

/** Comment as a guest writes it. An empty text is none. */
type Written = { readonly [K in keyof Omit<Comment, 'id' | 'user' | 'createdAt'>]?: string | undefined };

const path = '/item/:item/annotation';
const one = `${path}/:annotation` as const;

/** Commands of annotations. Those of guests are asked for with `guest` of the call. */
export const annotations = {
  list: command<{ readonly hits: number; readonly rows: readonly Comment[] }>()('GET', path),
  create: command<{ readonly rows: readonly Comment[] }, Written>()('POST', path),
  change: command<Comment, Written>()('PUT', one),
  delete: command<void>()('DELETE', one),
};

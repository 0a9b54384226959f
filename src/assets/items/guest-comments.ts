import type { Maybe } from '../../core/lib/maybe.ts';
import type { Reader } from '../../core/store/statement.ts';
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

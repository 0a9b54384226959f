import { choice, type QueryOf, text } from '../../../http/parameters/index.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import type { Reader } from '../../../store/statement.ts';
import { type Guarded, levels, operationTypes } from '../levels.ts';
import { mergedForUser } from './merge.ts';

/** Query parameters for effective access entries in documents of entities. */
export const mergedView = {
  mergedType: choice('With merged access: the kind of operation', operationTypes, { usual: 'GENERIC' }),
  mergedPermission: choice('With merged access: the level that is asked for', levels, { usual: 'NONE' }),
  mergedExtradata: text('With merged access: the field, the shape tag, or the type of the container'),
};

/** Access entries that apply to the caller by id, in order of precedence. */
export async function mergedAccessOf(
  reader: Reader,
  call: Caller,
  type: Guarded,
  ids: readonly string[],
  { mergedType, mergedPermission: permission, mergedExtradata: extradata }: QueryOf<typeof mergedView>,
) {
  const { user, name: username } = subjectOf(call);
  const asked = { type: mergedType, ...(extradata !== undefined && { extradata }) };
  const merged = new Map<string, object>();
  for (const item of ids) {
    const access = user ? await mergedForUser(reader, { type, id: item }, user, asked) : [];
    merged.set(item, { query: { username, permission, ...asked, item }, access });
  }
  return merged;
}

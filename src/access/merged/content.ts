import { choice, type QueryOf, text } from '../../http/parameters/index.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import type { Reader } from '../../store/statement.ts';
import { type Guarded, levels, operationTypes } from '../levels.ts';
import { mergedForUser } from './merge.ts';

/** Query parameters for effective access entries in documents of entities. */
export const mergedView = {
  mergedType: choice('For merged access: kind of operation', operationTypes, { usual: 'GENERIC' }),
  mergedPermission: choice('For merged access: required level', levels, { usual: 'NONE' }),
  mergedExtradata: text('For merged access: field, shape tag, or type of the container'),
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

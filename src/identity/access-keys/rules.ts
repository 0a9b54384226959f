import { ServiceError } from '../../core/lib/errors.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import { happened } from '../events.ts';
import { noSuchUser } from '../users/rules.ts';
import {
  deleteKey,
  endTokensOfKey,
  insertKey,
  type KeyRow,
  keyThere,
  renameKey,
  roomForKey,
  switchKey,
} from './store.ts';

/** Enough for any machine park; a list of them is one page. */
export const mostKeys = 1000;
const longestName = 255;

interface NewKey {
  readonly id: string;
  readonly userId: string;
  readonly name: string | null;
  /** The digest of the secret. */
  readonly secret: string;
}

export function createKey(key: NewKey, user: string, now: number): CommitPlan {
  checkName(key.name, 'parameter name');
  const full = new ServiceError('not-allowed', {
    id: user,
    explanation: `Expected at most ${mostKeys} access keys of a user`,
  });
  return {
    changes: [
      roomForKey({ userId: key.userId, most: mostKeys }, full),
      insertKey({ ...key, createdAt: now }, noSuchUser(user)),
    ],
    events: [happened('user/modify', user, { user, changed: ['accessKey'] })],
  };
}

interface ChangeKey {
  readonly name: string | undefined;
  readonly status: 'ACTIVE' | 'INACTIVE' | undefined;
}

/** The key as it will be, and the work that it takes: none where the document says nothing. Only what it says is written. */
export function changeKey(
  row: KeyRow,
  user: string,
  { name: given, status }: ChangeKey,
): { readonly key: KeyRow; readonly work: CommitPlan | undefined } {
  const name = given === undefined ? row.name : given || null;
  checkName(name, '/AccessKeyDocument/name');
  const active = status === undefined ? row.active : Number(status === 'ACTIVE');
  const { id } = row;
  const changes = [
    ...(given === undefined ? [] : [renameKey({ id, name })]),
    ...(status === undefined ? [] : [switchKey({ id, active })]),
    ...(status === 'INACTIVE' ? [endTokensOfKey({ keyId: id })] : []),
  ];
  const key = { ...row, name, active };
  if (changes.length === 0) return { key, work: undefined };
  const events = [happened('user/modify', user, { user, changed: ['accessKey'] })];
  return { key, work: { changes: [keyThere({ id }, noSuchAccessKey(id)), ...changes], events } };
}

export const removeKey = (row: KeyRow, user: string): CommitPlan => ({
  changes: [
    keyThere({ id: row.id }, noSuchAccessKey(row.id)),
    deleteKey({ id: row.id }),
    endTokensOfKey({ keyId: row.id }),
  ],
  events: [happened('user/modify', user, { user, changed: ['accessKey'] })],
});

export const noSuchAccessKey = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'AccessKey', id: id.slice(0, 80) });

function checkName(name: string | null, context: string): void {
  if (name === null || (name.length <= longestName && !/[\0-\x1f\x7f]/.test(name))) return;
  const explanation = `Expected at most ${longestName} characters, and no control characters`;
  throw new ServiceError('bad-value', { context, explanation, value: name.slice(0, 80) });
}

import { toBase64 } from '../../core/lib/bytes.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import type { Random } from '../../core/lib/random.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import { text } from '../../http/parameters/index.ts';
import { type Route, route } from '../../http/route.ts';
import { administrator } from '../../security/subject.ts';
import { roleOrOwn, withPassword } from '../access-checks.ts';
import { type AccessKey, accessKeyDocument, accessKeyListDocument } from '../documents.ts';
import { identityEvent } from '../events.ts';
import { newKeyId } from '../names.ts';
import type { IdentityParts } from '../parts.ts';
import { userAt } from '../users/change.ts';
import { noSuchUser } from '../users/rules.ts';
import type { UserRow } from '../users/store.ts';
import {
  accessKeysOf,
  deleteKey,
  endTokensOfKey,
  findKey,
  insertKey,
  type KeyRow,
  keyThere,
  renameKey,
  roomForKey,
  switchKey,
} from './store.ts';

/** Enough for any machine park; a list of them is one page. */
const maxKeys = 1000;
const maxNameLength = 255;

interface NewKey {
  readonly id: string;
  readonly userId: string;
  readonly name: string | null;
  /** The digest of the secret. */
  readonly secret: string;
}

function createKey(key: NewKey, user: string, now: number): CommitPlan {
  checkName(key.name, 'parameter name');
  const full = new ServiceError('not-allowed', {
    id: user,
    explanation: `Expected at most ${maxKeys} access keys of a user`,
  });
  return {
    changes: [
      roomForKey({ userId: key.userId, max: maxKeys }, full),
      insertKey({ ...key, active: 1, createdAt: now }, noSuchUser(user)),
    ],
    events: [identityEvent('user/modify', user, { user, changed: ['accessKey'] })],
  };
}

interface ChangeKey {
  readonly name: string | undefined;
  readonly status: 'ACTIVE' | 'INACTIVE' | undefined;
}

/** The key as it will be, and the work that it takes: none where the document says nothing. Only what it says is written. */
function changeKey(
  row: KeyRow,
  user: string,
  { name: newName, status }: ChangeKey,
): { readonly key: KeyRow; readonly work: CommitPlan | undefined } {
  const name = newName === undefined ? row.name : newName || null;
  checkName(name, '/AccessKeyDocument/name');
  const active = status === undefined ? row.active : Number(status === 'ACTIVE');
  const { id } = row;
  const changes = [
    ...(newName === undefined ? [] : [renameKey({ id, name })]),
    ...(status === undefined ? [] : [switchKey({ id, active })]),
    ...(status === 'INACTIVE' ? [endTokensOfKey({ keyId: id })] : []),
  ];
  const key = { ...row, name, active };
  if (changes.length === 0) return { key, work: undefined };
  const events = [identityEvent('user/modify', user, { user, changed: ['accessKey'] })];
  return { key, work: { changes: [keyThere({ id }, noSuchAccessKey(id)), ...changes], events } };
}

const removeKey = (row: KeyRow, user: string): CommitPlan => ({
  changes: [
    keyThere({ id: row.id }, noSuchAccessKey(row.id)),
    deleteKey({ id: row.id }),
    endTokensOfKey({ keyId: row.id }),
  ],
  events: [identityEvent('user/modify', user, { user, changed: ['accessKey'] })],
});

const noSuchAccessKey = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'AccessKey', id: id.slice(0, 80) });

function checkName(name: string | null, context: string): void {
  if (name === null || (name.length <= maxNameLength && !/[\0-\x1f\x7f]/.test(name))) return;
  const explanation = `Expected at most ${maxNameLength} characters, and no control characters`;
  throw new ServiceError('bad-value', { context, explanation, value: name.slice(0, 80) });
}

const accessKeyOf = (row: KeyRow): AccessKey => ({
  id: row.id,
  name: row.name ?? undefined,
  status: row.active === 1 ? 'ACTIVE' : 'INACTIVE',
  created: row.createdAt,
});

export interface AccessKeyParts extends IdentityParts {
  readonly random: Random;
  fingerprint(text: string): string;
}

/** 240 bits, which base64 writes as 40 characters. */
const secretBytes = 30;

export function accessKeyRoutes(parts: AccessKeyParts): readonly Route[] {
  const { store, clock, random } = parts;
  const own = roleOrOwn(administrator, store);
  const path = '/user/:name/key';
  const entities = { name: userAt(parts) };
  return [
    route({
      method: 'GET',
      path,
      says: 'The access keys of a user, without their secrets.',
      entities,
      answers: accessKeyListDocument,
      access: own,
      async handle(_call, { name: user }) {
        const rows = await accessKeysOf(store, { userId: user.id, limit: maxKeys });
        return { hits: rows.length, key: rows.map(accessKeyOf) };
      },
    }),
    route({
      method: 'POST',
      path,
      says: 'Creates an access key. Only this answer has its secret.',
      entities,
      query: { name: text('A name for the key') },
      answers: accessKeyDocument,
      location: ({ id = '' }, { name: user }) => ['user', user.name, 'key', id],
      noStore: true,
      access: withPassword(own, 'an access key', parts.settings),
      acting: 'refused',
      isDangerous: true,
      async handle(call, { name: user }) {
        const id = newKeyId(random);
        const secret = toBase64(random.bytes(secretBytes));
        const name = call.query.name ?? null;
        const now = clock.now();
        const key = { id, userId: user.id, name, secret: parts.fingerprint(secret) };
        await call.commit(createKey(key, user.name, now));
        return { ...accessKeyOf({ id, userId: user.id, name, active: 1, createdAt: now }), secret };
      },
    }),
    route({
      method: 'GET',
      path: `${path}/:key`,
      says: 'One access key, without its secret.',
      entities,
      answers: accessKeyDocument,
      access: own,
      handle: async (_call, { name: user, key }) => accessKeyOf(await keyOf(user, key)),
    }),
    route({
      method: 'PUT',
      path: `${path}/:key`,
      says: 'Changes the name or the status of an access key.',
      entities,
      reads: accessKeyDocument,
      answers: accessKeyDocument,
      access: own,
      acting: 'refused',
      isDangerous: true,
      async handle(call, { name: user, key: id }) {
        const { name, status } = call.body;
        const { work, key } = changeKey(await keyOf(user, id), user.name, { name, status });
        if (work) await call.commit(work);
        return accessKeyOf(key);
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/:key`,
      says: 'Deletes an access key.',
      entities,
      access: own,
      acting: 'refused',
      handle: async (call, { name: user, key }) => call.commit(removeKey(await keyOf(user, key), user.name)),
    }),
  ];

  /** 404 for a key of another user. */
  async function keyOf(user: UserRow, id: string) {
    const row = await findKey(store, { id });
    if (row?.userId !== user.id) throw noSuchAccessKey(id);
    return row;
  }
}

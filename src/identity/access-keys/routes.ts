import { toBase64 } from '../../core/lib/base64.ts';
import type { Random } from '../../core/lib/random.ts';
import { text } from '../../http/parameters/index.ts';
import { type Route, route } from '../../http/route.ts';
import { administrator } from '../../security/subject.ts';
import { type AccessKey, accessKeyDocument, accessKeyListDocument } from '../documents/access-key.ts';
import { roleOrOwn } from '../own-account.ts';
import type { IdentityParts } from '../parts.ts';
import { withPassword } from '../proof.ts';
import { userAt } from '../users/change.ts';
import type { UserRow } from '../users/store.ts';
import { newKeyId } from './key-id.ts';
import { changeKey, createKey, mostKeys, noSuchAccessKey, removeKey } from './rules.ts';
import { accessKeysOf, findKey, type KeyRow } from './store.ts';

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
        const rows = await accessKeysOf(store, { userId: user.id, limit: mostKeys });
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
      access: withPassword(own, 'an access key'),
      acting: 'refused',
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

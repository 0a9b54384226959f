import { requireDocument } from '../../http/call.ts';
import { documentTypes } from '../../http/negotiation.ts';
import { text } from '../../http/parameters/index.ts';
import { done, located, notStored } from '../../http/reply.ts';
import { type Params, type Route, route } from '../../http/route.ts';
import { toBase64 } from '../../lib/base64.ts';
import type { Random } from '../../lib/random.ts';
import { administrator } from '../../security/subject.ts';
import { accessKeyDocument, accessKeyListDocument } from '../documents/access-key.ts';
import { roleOrOwn } from '../own-account.ts';
import type { IdentityParts } from '../parts.ts';
import { withPassword } from '../proof.ts';
import { userNamed } from '../users/change.ts';
import { accessKeyOf } from './documents.ts';
import { newKeyId } from './key-id.ts';
import { changeKey, createKey, mostKeys, noSuchKey, removeKey } from './rules.ts';
import { findKey, keysOf } from './store.ts';

export interface AccessKeyParts extends IdentityParts {
  readonly random: Random;
  fingerprint(text: string): string;
}

/** 240 bits, which base64 writes as 40 characters. */
const secretBytes = 30;

export function accessKeyRoutes(parts: AccessKeyParts): readonly Route[] {
  const { store, clock, random, render } = parts;
  const own = roleOrOwn(administrator, store);
  return [
    route({
      method: 'GET',
      path: '/user/:name/key',
      says: 'The access keys of a user, without their secrets.',
      answers: accessKeyListDocument,
      access: own,
      produces: documentTypes,
      async handle(_call, type, params) {
        const user = await userNamed(parts, params.name);
        const rows = await keysOf(store, { userId: user.id, limit: mostKeys });
        return render(type, accessKeyListDocument, { hits: rows.length, key: rows.map(accessKeyOf) });
      },
    }),
    route({
      method: 'POST',
      path: '/user/:name/key',
      says: 'Creates an access key. Only this answer has its secret.',
      query: { name: text('A name for the key') },
      answers: accessKeyDocument,
      access: withPassword(own, 'an access key'),
      acting: 'refused',
      produces: documentTypes,
      async handle(call, type, params) {
        const user = await userNamed(parts, params.name);
        const id = newKeyId(random);
        const secret = toBase64(random.bytes(secretBytes));
        const name = call.query.name ?? null;
        const now = clock.now();
        const key = { id, userId: user.id, name, secret: parts.fingerprint(secret) };
        await call.commit(createKey(key, user.name, now));
        const made = { ...accessKeyOf({ id, userId: user.id, name, active: 1, createdAt: now }), secret };
        return located(notStored(render(type, accessKeyDocument, made)), call, 'user', user.name, 'key', id);
      },
    }),
    route({
      method: 'GET',
      path: '/user/:name/key/:key',
      says: 'One access key, without its secret.',
      answers: accessKeyDocument,
      access: own,
      produces: documentTypes,
      async handle(_call, type, params) {
        const { row } = await existingKey(params);
        return render(type, accessKeyDocument, accessKeyOf(row));
      },
    }),
    route({
      method: 'PUT',
      path: '/user/:name/key/:key',
      says: 'Changes the name or the status of an access key.',
      reads: accessKeyDocument,
      answers: accessKeyDocument,
      access: own,
      acting: 'refused',
      produces: documentTypes,
      async handle(call, type, params) {
        const { row, user } = await existingKey(params);
        const { name, status } = await requireDocument(call, accessKeyDocument, parts.limits);
        const { work, key } = changeKey(row, user.name, { name, status });
        if (work) await call.commit(work);
        return render(type, accessKeyDocument, accessKeyOf(key));
      },
    }),
    route({
      method: 'DELETE',
      path: '/user/:name/key/:key',
      says: 'Deletes an access key.',
      access: own,
      acting: 'refused',
      produces: [],
      async handle(call, _type, params) {
        const { row, user } = await existingKey(params);
        await call.commit(removeKey(row, user.name));
        return done;
      },
    }),
  ];

  /** Access key of the user in the path. 404 for a key of another user. */
  async function existingKey(params: Params<'/:name/:key'>) {
    const user = await userNamed(parts, params.name);
    const row = await findKey(store, { id: params.key });
    if (row?.userId !== user.id) throw noSuchKey(params.key);
    return { user, row };
  }
}

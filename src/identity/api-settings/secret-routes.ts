import { existing } from '../../core/lib/checks.ts';
import { page, pageOf } from '../../http/parameters/index.ts';
import { textOf } from '../../http/reads.ts';
import { type Route, role, route } from '../../http/route.ts';
import { administrator } from '../../security/subject.ts';
import { type SecretKeys, secretDocument, secretListDocument } from './documents.ts';
import type { ConfigurationParts } from './parts.ts';
import { createSecret, keyNamed, noSuchSecret, removeSecret, removeValue, setValue } from './secrets.ts';
import { findSecret, listSecrets } from './store.ts';

type Parts = Pick<ConfigurationParts, 'store' | 'clock' | 'settings'> & {
  seal(alias: string, key: string, text: string): Promise<string>;
};

/** Private keys are the longest. */
const maxLength = 65_536;

const documentOf = ({ alias, keys }: { readonly alias: string; readonly keys: string }): SecretKeys => ({
  alias,
  key: JSON.parse(keys) as string[],
});

/** Secrets by alias: their values are written and never read. */
export function secretRoutes({ store, clock, settings, seal }: Parts): readonly Route[] {
  const writing = { access: role(administrator), acting: 'refused', isDangerous: true } as const;
  const one = '/secret/:alias';

  async function shown(alias: string): Promise<SecretKeys> {
    const row = existing(await findSecret(store, { alias }), noSuchSecret, alias);
    return documentOf(row);
  }

  return [
    route({
      method: 'GET',
      path: '/secret',
      says: 'The secrets with the keys that have a value. No answer has a value.',
      query: page(settings.maxPage),
      answers: secretListDocument,
      access: role(administrator),
      handle: async ({ query }) => ({ secret: (await listSecrets(store, { ...pageOf(query) })).map(documentOf) }),
    }),
    route({
      method: 'GET',
      path: one,
      says: 'One secret with the keys that have a value.',
      answers: secretDocument,
      access: role(administrator),
      handle: (_call, { alias }) => shown(alias),
    }),
    route({
      method: 'PUT',
      path: one,
      says: 'Makes a secret without values. One that is there stays as it is.',
      answers: secretDocument,
      ...writing,
      async handle(call, { alias }) {
        await call.commit(createSecret(alias, clock.now()));
        return shown(alias);
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      says: 'Deletes a secret with its values. What names it stops working.',
      ...writing,
      handle: (call, { alias }) => call.commit(removeSecret(alias)),
    }),
    route({
      method: 'PUT',
      path: `${one}/:key`,
      says: 'Sets a value of a secret: username, password, private_key or private_key_password.',
      reads: textOf(maxLength),
      ...writing,
      async handle(call, { alias, key }) {
        const named = keyNamed(key);
        const sealed = await seal(alias, named, call.body);
        await call.commit(setValue(alias, named, sealed, clock.now()));
      },
    }),
    route({
      method: 'DELETE',
      path: `${one}/:key`,
      says: 'Removes a value of a secret.',
      ...writing,
      handle: (call, { alias, key }) => call.commit(removeValue(alias, keyNamed(key))),
    }),
  ];
}

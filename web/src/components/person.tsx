import { signal } from '@preact/signals';
import type { SessionPeopleDocument } from 'portico/types';
import { firstView, get } from '../api/client.ts';
import { me } from '../api/session.ts';
import { t } from '../texts/index.ts';

/** Real names by user names. Empty: not read yet, or there is none. */
const realNames = signal<ReadonlyMap<string, string>>(new Map());
const requested = new Set<string>();
const waiting: string[] = [];
const maxNames = 100;

async function ask(): Promise<void> {
  await firstView;
  const name = waiting.splice(0, maxNames);
  if (name.length === 0) return;
  const { person = [] } = await get<SessionPeopleDocument>('/session/people', { query: { name: name.join() } });
  realNames.value = new Map([...realNames.value, ...person.map((each) => [each.userName, each.realName] as const)]);
}

/** Name of a person: the real name, or else the user name. Components that draw it draw again when it is read. */
export function personName(user: string): string {
  if (user === 'guest:') return t('word.someGuest');
  if (user.startsWith('guest:')) return t('word.guest', { name: user.slice('guest:'.length) });
  if (user === me.value?.userName) return me.value.realName || user;
  if (user !== '' && user !== 'system' && !requested.has(user)) {
    requested.add(user);
    waiting.push(user);
    // Names of one drawing are asked for together.
    if (waiting.length % maxNames === 1)
      void Promise.resolve()
        .then(ask)
        .catch(() => undefined);
  }
  return realNames.value.get(user) ?? user;
}

/** A person by name, with the user name in the tip. Undefined: the service itself. */
export function Person({ user }: { readonly user: string | undefined }) {
  return user === undefined ? t('word.service') : <span title={user}>{personName(user)}</span>;
}

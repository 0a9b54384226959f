import { signal } from '@preact/signals';
import type {
  LoginProviderListDocument,
  LoginProviderType,
  SecondStepDocument,
  SessionDocument,
  SimpleMetadataType,
} from 'portico/types';
import { store, stored } from '../browser-storage.ts';
import { forgetDrafts } from '../comments/drafts.ts';
import { forgetRecent } from '../recent.ts';
import { get, type Refusal, refusalOf, send, sendOnce, whenUnknown } from './client.ts';

/** The person who is logged in. Undefined: nobody. */
export const me = signal<SessionDocument | undefined>(undefined);

/** The name of a person whose session has ended, while the dialog asks for the password. */
export const expiredUser = signal<string | undefined>(undefined);

/** Whether the dialog asks because a change needs a more recent login. */
export const loginIsOld = signal(false);

let answer: ((worked: boolean) => void) | undefined;
let pendingLogin: Promise<boolean> | undefined;

whenUnknown((isOld) => {
  if (!me.value) return Promise.resolve(false);
  if (!pendingLogin) loginIsOld.value = isOld;
  expiredUser.value = me.value.userName;
  pendingLogin ??= new Promise<boolean>((done) => {
    answer = done;
  }).finally(() => {
    expiredUser.value = undefined;
    pendingLogin = undefined;
  });
  return pendingLogin;
});

/** Ends the dialog. Requests that wait for it are sent again, or refused. */
export const endLogin = (worked: boolean): void => answer?.(worked);

/** Asks who the caller is. Needed at the start, after a login, and when rights may have changed. */
export async function loadMe(): Promise<SessionDocument | undefined> {
  const response = await sendOnce('GET', '/session');
  if (response.status !== 401 && !response.ok) throw await refusalOf(response);
  me.value = response.ok ? ((await response.json()) as SessionDocument) : undefined;
  keepIn(me.value?.role?.includes('_item_search') ?? false);
  return me.value;
}

/** Reads the session again: changes of this page, of others and of commands are in it. A person who is out is asked to log in. */
export async function reloadMe(): Promise<void> {
  me.value = await get<SessionDocument>('/session');
}

const keptIn = 'portico.in';
const keepIn = (isIn: boolean): void => store(keptIn, isIn || undefined);
/** Whether a person who searches was logged in with this browser when it was last seen, and probably still is. */
export const wasIn = (): boolean => stored(keptIn) !== undefined;

/** Logs in. Gives the refusal, the second step that follows, or undefined when it worked. */
export async function logIn(
  name: string,
  password: string,
  stay: boolean,
): Promise<Refusal | SecondStepDocument | undefined> {
  const headers = { authorization: basic(name, password) };
  const response = await sendOnce('POST', '/session', undefined, { query: { stay: stay || undefined }, headers });
  if (!response.ok) return refusalOf(response);
  if (response.status === 200) return (await response.json()) as SecondStepDocument;
  await loadMe();
  return undefined;
}

/** Providers by which people log in. None where the service has none. */
export async function loginProviders(): Promise<readonly LoginProviderType[]> {
  const answer = await sendOnce('GET', '/APInoauth/login');
  if (!answer.ok) return [];
  const { provider = [] } = (await answer.json()) as LoginProviderListDocument;
  return provider;
}

/** Leaves for the provider, which sends the browser back to this page. `isAgain`: the provider asks the person again. */
export function goToProvider(name: string, isAgain = false): void {
  const page = `${location.pathname}${isAgain ? location.search : ''}`;
  const query = new URLSearchParams({ page, ...(isAgain && { prompt: 'login' }) });
  location.assign(`/APInoauth/login/${encodeURIComponent(name)}?${query}`);
}

let lastWork: () => Promise<unknown> = async () => undefined;
/** Sets what is done before the session ends. */
export const beforeLogOut = (work: () => Promise<unknown>): void => {
  lastWork = work;
};

export async function logOut(): Promise<void> {
  await lastWork();
  const answer = await sendOnce('DELETE', '/session');
  forgetRecent();
  keepIn(false);
  forgetDrafts(me.value?.userName ?? '');
  // A new document: nothing of the old person stays in memory. A provider ends its own session first.
  location.assign(answer.headers.get('portico-logout') ?? '/ui/');
}

export function basic(name: string, password: string): string {
  const bytes = new TextEncoder().encode(`${name}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

let preferenceCache: { readonly of: SessionDocument; readonly answer: Promise<Map<string, string>> } | undefined;

/** Preferences of the person by their names after `portico.ui.`, read once for each login. */
export function preferences(): Promise<ReadonlyMap<string, string>> {
  const of = me.value!;
  if (preferenceCache?.of !== of) {
    const answer = get<SimpleMetadataType>(ownPath('/metadata')).then(
      ({ field = [] }) =>
        new Map(field.map(({ key = '', value = '' }) => [key.replace('portico.ui.', ''), String(value)])),
    );
    preferenceCache = { of, answer };
  }
  return preferenceCache.answer;
}

/** Changes one preference. Key by key: that needs no role. */
export async function setPreference(name: string, value: string): Promise<void> {
  await send('PUT', ownPath(`/metadata/portico.ui.${name}`), value);
  const cached = await preferenceCache?.answer.catch(() => undefined);
  cached?.set(name, value);
}

/** Path of the person in the API. */
export const ownPath = (rest = ''): string => `/user/${encodeURIComponent(me.value!.userName)}${rest}`;

/** Whether the address had a login link that is over, or was used. */
export const linkIsOver = signal(false);
/** The second step behind a login link. */
export const linkStep = signal<SecondStepDocument | undefined>(undefined);
/** Folder that the start proposes for the first storage. */
export const proposedFolder = signal('');

/** Logs in by the link of a first start. It leaves the address at once, so that it gets into no history. Gives whether it worked. */
export async function takeLink(): Promise<boolean> {
  if (location.pathname !== '/ui/first' || location.hash === '') return false;
  const fragment = new URLSearchParams(location.hash.slice(1));
  history.replaceState(null, '', '/ui/first');
  proposedFolder.value = fragment.get('folder') ?? '';
  const link = fragment.get('link');
  if (!link) return false;
  const answer = await sendOnce('POST', '/APInoauth/session', link);
  linkIsOver.value = !answer.ok;
  if (answer.status === 200) linkStep.value = (await answer.json()) as SecondStepDocument;
  return answer.ok;
}

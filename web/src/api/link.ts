import { signal } from '@preact/signals';
import { fetched } from './client.ts';

/** Whether the address had a login link that is over, or was used. */
export const linkIsOver = signal(false);
/** Folder that the start proposes for the first storage. */
export const proposedFolder = signal('');

/** Logs in by the link of a first start. It leaves the address at once, so that it gets into no history. */
export async function takeLink(): Promise<void> {
  if (location.pathname !== '/ui/first' || location.hash === '') return;
  const fragment = new URLSearchParams(location.hash.slice(1));
  history.replaceState(null, '', '/ui/first');
  proposedFolder.value = fragment.get('folder') ?? '';
  const link = fragment.get('link');
  if (!link) return;
  const answer = await fetched('POST', '/APInoauth/session', link);
  linkIsOver.value = !answer.ok;
}

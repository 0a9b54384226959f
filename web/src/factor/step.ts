import { refusalOf, sendOnce } from '../api/client.ts';

/** A request of the login itself: it opens no dialog to log in. */
export async function sendStep<T = unknown>(name: string, body: object, stay = false): Promise<T> {
  const response = await sendOnce('POST', `/APInoauth/session/${name}`, body, { query: { stay: stay || undefined } });
  if (!response.ok) throw await refusalOf(response);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

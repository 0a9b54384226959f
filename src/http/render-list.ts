import type { Description } from '../documents/index.ts';
import { nextTurn } from '../lib/turn.ts';
import type { MediaType } from './negotiation.ts';
import type { Reply } from './reply.ts';

type Render = <T>(type: MediaType, description: Description<T>, value: T) => Reply;

/** Entries that are written in one turn of the loop. */
const sliceLength = 100;

/**
 * Renders a document whose last field is a long list, and gives the loop back between its slices. The text is the one
 * that `render` gives: a slice is written as a document of its own, of which the entries are taken.
 */
export async function renderList<K extends string, T extends { readonly [N in K]?: readonly unknown[] | undefined }>(
  render: Render,
  type: MediaType,
  description: Description<T>,
  value: T,
  list: K,
): Promise<Reply> {
  const entries = value[list] ?? [];
  const whole = (part: object): string => render(type, description, part as T).body as string;
  if (entries.length <= sliceLength) return render(type, description, value);
  const isJson = type === 'application/json';
  // Around the entries: `{"user":[` and `]}`, or the open and the closed root element.
  const close = isJson ? ']}' : `</${description.name}>`;
  const open = isJson ? `{${JSON.stringify(list)}:[` : whole({}).slice(0, -close.length);
  const written: string[] = [];
  for (let at = 0; at < entries.length; at += sliceLength) {
    if (at > 0) await nextTurn();
    const slice = whole({ [list]: entries.slice(at, at + sliceLength) });
    written.push(slice.slice(open.length, slice.length - close.length));
  }
  const rest = render(type, description, { ...value, [list]: undefined });
  const head = rest.body as string;
  const before = isJson
    ? `${head.slice(0, -1)}${head === '{}' ? '' : ','}${open.slice(1)}`
    : head.slice(0, -close.length);
  return { ...rest, body: `${before}${written.join(isJson ? ',' : '')}${close}` };
}

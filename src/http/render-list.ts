import { type Description, heavy, jsonPieces, weightOf, xmlPieces } from '../documents/index.ts';
import { textStream } from '../lib/text-stream.ts';
import { nextTurn } from '../lib/turn.ts';
import type { MediaType } from './negotiation.ts';
import type { Render } from './render.ts';
import type { Reply } from './reply.ts';

/** A document that has the list. */
type With<K extends string> = { readonly [N in K]?: readonly unknown[] | undefined };

/** Entries that are written in one turn of the loop. */
const sliceLength = 100;
/** Characters after which the loop gets its turn. */
const longSlice = 256 * 1024;
const longPiece = 64 * 1024;

/**
 * Renders a document with a long list, and gives the loop back between its slices. The text is the one that `render`
 * gives: a slice is written as a document of its own, of which the entries are taken. An entry that is as long as
 * thousands of others is written in pieces.
 */
export async function renderList<K extends string, T extends With<K>>(
  render: Render,
  type: MediaType,
  description: Description<T>,
  value: T,
  list: K,
): Promise<Reply> {
  const entries = value[list] ?? [];
  if (entries.length <= sliceLength && weightOf(entries, heavy) < heavy) return render(type, description, value);
  const { open, close, between, textOf } = inSlices(render, type, description, list);
  const { before, after } = around(description, value, list, type);
  const head = render(type, description, before);
  const tail = render(type, description, after).body as string;
  const [front, back] = framed(head.body as string, tail);
  const body = [front];
  if (front.length > longSlice) await nextTurn();
  for (let at = 0; at < entries.length; ) {
    if (at > 0 && between !== '') body.push(between);
    const end = endOfSlice(entries, at);
    if (end > at) body.push(textOf(entries.slice(at, end)));
    else await piecewise(entries[at]);
    await nextTurn();
    at = Math.max(end, at + 1);
  }
  return { ...head, body: [...body, back] };

  async function piecewise(entry: unknown): Promise<void> {
    const pieces = type === 'application/json' ? jsonPieces : xmlPieces;
    let text = '';
    for (const piece of pieces(description, list, entry)) {
      text += piece;
      if (text.length < longPiece) continue;
      body.push(text);
      text = '';
      await nextTurn();
    }
    body.push(text);
  }

  /** What stands around the list: in JSON the fields of both documents, between commas. */
  function framed(first: string, last: string): readonly [string, string] {
    if (between === '') return [first.slice(0, -close.length), last.slice(open.length)];
    const comma = (fields: string): string => (fields === '{}' ? '' : ',');
    return [`${first.slice(0, -1)}${comma(first)}${open.slice(1)}`, `]${comma(last)}${last.slice(1)}`];
  }
}

/** Where the slice ends that begins at an entry: there itself, when that entry is too long for a slice. */
function endOfSlice(entries: readonly unknown[], begin: number): number {
  let weight = 0;
  let end = begin;
  while (end < entries.length && end - begin < sliceLength) {
    weight += weightOf(entries[end], heavy);
    if (weight >= heavy) return end;
    end++;
  }
  return end;
}

/** The fields that are written before the list, and those behind it. XML has attributes first, JSON last. */
function around<T>(description: Description<T>, value: T, list: string, type: MediaType) {
  const { fields } = description.structure;
  const before: Record<string, unknown> = {};
  const after: Record<string, unknown> = {};
  const names = Object.keys(fields);
  for (const [index, name] of names.entries()) {
    if (name === list) continue;
    const isFirst =
      fields[name]!.data.place === 'attribute' ? type !== 'application/json' : index < names.indexOf(list);
    (isFirst ? before : after)[name] = (value as Record<string, unknown>)[name];
  }
  return { before: before as T, after: after as T };
}

/**
 * The same for a document that is nothing but a list of any length, as a stream of its pages. A first page that fails is
 * a refusal; a later one breaks the stream off.
 */
export async function streamList<K extends string, T extends With<K>>(
  render: Render,
  type: MediaType,
  description: Description<T>,
  list: K,
  pages: AsyncGenerator<readonly unknown[], void>,
): Promise<Reply> {
  const first = await pages.next();
  const texts = textsOf(inSlices(render, type, description, list), first, pages);
  return { status: 200, type, body: textStream(texts, () => pages.return()) };
}

async function* textsOf(
  { open, close, between, textOf }: Slices,
  first: IteratorResult<readonly unknown[], void>,
  pages: AsyncGenerator<readonly unknown[], void>,
): AsyncGenerator<string, void> {
  let before = open;
  for (let page = first; !page.done; page = await pages.next()) {
    for (let at = 0; at < page.value.length; at += sliceLength) {
      yield before + textOf(page.value.slice(at, at + sliceLength));
      before = between;
      await nextTurn();
    }
  }
  yield before === open ? open + close : close;
}

interface Slices {
  readonly open: string;
  readonly close: string;
  readonly between: string;
  textOf(entries: readonly unknown[]): string;
}

/** What stands around, between and in the slices of a list: `{"user":[` and `]}`, or the open and the closed root element. */
function inSlices<T>(render: Render, type: MediaType, description: Description<T>, list: string): Slices {
  const isJson = type === 'application/json';
  const whole = (part: object): string => render(type, description, part as T).body as string;
  const close = isJson ? ']}' : `</${description.name}>`;
  const open = isJson ? `{${JSON.stringify(list)}:[` : whole({}).slice(0, -close.length);
  const textOf = (entries: readonly unknown[]): string => {
    const slice = whole({ [list]: entries });
    return slice.slice(open.length, slice.length - close.length);
  };
  return { open, close, between: isJson ? ',' : '', textOf };
}

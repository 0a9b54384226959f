import {
  type Description,
  heavy,
  jsonPieces,
  jsonPiecesOf,
  weightOf,
  xmlPieces,
  xmlPiecesWithin,
} from '../core/documents/index.ts';
import type { Maybe } from '../core/lib/maybe.ts';
import { LateText } from '../core/lib/text-stream.ts';
import { yieldTurn } from '../core/lib/turn.ts';
import { type MediaType, noForm } from './negotiation.ts';
import type { Render, Reply } from './reply.ts';

/** A document that has the list. */
type With<K extends string> = { readonly [N in K]?: readonly unknown[] | undefined };

/** Entries that are written in one turn of the loop. */
const sliceLength = 100;
/** Characters after which the loop gets its turn. */
const longSlice = 256 * 1024;
const longPiece = 64 * 1024;

/** Limit of an answer that is cached as text. Pieces of longer ones are made on demand. */
const maxKeptLength = 4 * 1024 * 1024;

/**
 * Renders a document with a long list, and yields to the event loop between its slices. The text equals that of
 * `render`: a slice is written as a document of its own, and its entries are extracted. An entry as long as thousands
 * of others is written in pieces. `maxKept`: all of it for a text that goes to another thread.
 */
export async function renderList<K extends string, T extends With<K>>(
  render: Render,
  type: MediaType,
  description: Description<T>,
  value: T,
  list: K,
  maxKept = maxKeptLength,
): Promise<Reply> {
  const entries = value[list] ?? [];
  if (type === noForm || (entries.length <= sliceLength && weightOf(entries, heavy) < heavy))
    return render(type, description, value);
  return gathered(type, textsOf(inSlices(render, type, description, value, list), once(entries)), maxKept);
}

/** Renders a document of any kind. A long one is written in pieces, with turns of the loop between them. */
export function renderWhole<T>(render: Render, type: MediaType, description: Description<T>, value: T): Maybe<Reply> {
  if (type === noForm || weightOf(value, heavy) < heavy) return render(type, description, value);
  return gathered(type, wholeTexts(render, type, description, value));
}

async function* wholeTexts<T>(
  render: Render,
  type: MediaType,
  description: Description<T>,
  value: T,
): AsyncGenerator<string, void> {
  if (type === 'application/json') return yield* piecewise('', jsonPiecesOf(description, value));
  const attributes: Record<string, unknown> = {};
  for (const [name, { data }] of Object.entries(description.structure.fields)) {
    if (data.place === 'attribute') attributes[name] = (value as Record<string, unknown>)[name];
  }
  const close = `</${description.name}>`;
  const empty = render(type, description, attributes as T).body as string;
  yield* piecewise(empty.slice(0, -close.length), xmlPiecesWithin(description, value));
  yield close;
}

/** An answer of texts. Those behind `maxKept` characters are made when they are sent. */
async function gathered(type: MediaType, texts: AsyncGenerator<string, void>, maxKept = maxKeptLength): Promise<Reply> {
  const body: string[] = [];
  let length = 0;
  for (let text = await texts.next(); !text.done; text = await texts.next()) {
    body.push(text.value);
    length += text.value.length;
    if (length > maxKept) return { status: 200, type, body: new LateText(body, texts) };
  }
  return { status: 200, type, body };
}

/**
 * Renders a list whose entries come in lots, each of which is loaded when the one before it is sent. So an answer of
 * any length takes the memory of one lot. A first lot that fails is a refusal; a later one breaks the answer off.
 */
export async function renderLots<K extends string, T extends With<K>, L>(
  render: Render,
  type: MediaType,
  description: Description<T>,
  value: Omit<T, K>,
  list: K,
  [first, ...more]: readonly L[],
  load: (lot: L) => Promise<readonly unknown[]>,
): Promise<Reply> {
  if (more.length === 0 || type === noForm) {
    const entries = first === undefined ? [] : [...(await load(first))];
    for (const lot of more) entries.push(...(await load(lot)));
    return renderList(render, type, description, { ...value, [list]: entries } as unknown as T, list);
  }
  const lots = async function* () {
    for (const lot of [first!, ...more]) yield await load(lot);
  };
  return streamed(type, inSlices(render, type, description, value as T, list), lots());
}

/** Renders a document whose list continues in further pages, each loaded when the one before is sent. */
export async function renderPages<K extends string, T extends With<K>>(
  render: Render,
  type: MediaType,
  description: Description<T>,
  value: T,
  list: K,
  more: Pages,
): Promise<Reply> {
  const second = await more.next();
  if (second.done) return renderList(render, type, description, value, list);
  if (type === noForm) {
    const entries = [...(value[list] ?? []), ...second.value];
    for await (const page of more) entries.push(...page);
    return render(type, description, { ...value, [list]: entries });
  }
  const pages = async function* (): Pages {
    yield value[list] ?? [];
    yield second.value;
    yield* more;
  };
  return streamed(type, inSlices(render, type, description, value, list), pages());
}

/** Streams a document that is nothing but a list of any length, page by page. */
export const streamList = <K extends string, T extends With<K>>(
  render: Render,
  type: MediaType,
  description: Description<T>,
  list: K,
  pages: Pages,
): Promise<Reply & { readonly body: LateText }> =>
  streamed(type, inSlices(render, type, description, {} as T, list), pages);

const streamed = async (type: MediaType, slices: Slices, pages: Pages) => ({
  status: 200,
  type,
  body: await LateText.begin(textsOf(slices, pages)),
});

type Pages = AsyncGenerator<readonly unknown[], void>;

async function* once(entries: readonly unknown[]): Pages {
  yield entries;
}

async function* textsOf(
  { front, back, between, textOf, piecesOf }: Slices,
  pages: Pages,
): AsyncGenerator<string, void> {
  let before = front;
  if (front.length > longSlice) await yieldTurn();
  for await (const entries of pages) {
    for (let at = 0; at < entries.length; ) {
      const end = endOfSlice(entries, at);
      if (end > at) yield before + textOf(entries.slice(at, end));
      else yield* piecewise(before, piecesOf(entries[at]));
      before = between;
      await yieldTurn();
      at = Math.max(end, at + 1);
    }
  }
  yield before === front ? front + back : back;
}

async function* piecewise(before: string, pieces: Iterable<string>): AsyncGenerator<string, void> {
  let text = before;
  for (const piece of pieces) {
    if (text.length + piece.length < longPiece) {
      text += piece;
      continue;
    }
    // Together they would be one text, and all of it copied.
    yield text;
    text = piece;
    await yieldTurn();
  }
  yield text;
}

/** End of the slice that begins at an entry. Equal to the beginning if the entry alone is too long. */
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

interface Slices {
  /** Text before the list, behind it, and between its entries. */
  readonly front: string;
  readonly back: string;
  readonly between: string;
  textOf(entries: readonly unknown[]): string;
  /** Parts of an entry that is too long for one slice. */
  piecesOf(entry: unknown): Iterable<string>;
}

function inSlices<T>(render: Render, type: MediaType, description: Description<T>, value: T, list: string): Slices {
  const isJson = type === 'application/json';
  const whole = (part: object): string => render(type, description, part as T).body as string;
  const close = isJson ? ']}' : `</${description.name}>`;
  const open = isJson ? `{${JSON.stringify(list)}:[` : whole({}).slice(0, -close.length);
  const { before, after } = around(description, value, list, type);
  const [first, last] = [whole(before as object), whole(after as object)];
  /** In JSON the fields of both documents, between commas. */
  const comma = (fields: string): string => (fields === '{}' ? '' : ',');
  const pieces = isJson ? jsonPieces : xmlPieces;
  return {
    front: isJson ? `${first.slice(0, -1)}${comma(first)}${open.slice(1)}` : first.slice(0, -close.length),
    back: isJson ? `]${comma(last)}${last.slice(1)}` : last.slice(open.length),
    between: isJson ? ',' : '',
    textOf(entries) {
      const slice = whole({ [list]: entries });
      return slice.slice(open.length, slice.length - close.length);
    },
    piecesOf: (entry) => pieces(description, list, entry),
  };
}

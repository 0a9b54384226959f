import { type Signal, signal } from '@preact/signals';
import type { SharedItemListDocument, SharedItemType, ShareGuestDocument } from 'portico/types';

/** A document of the service. Throws the status of a refusal. */
export async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(path, { ...init, headers: { accept: 'application/json', ...init.headers } });
  if (!response.ok) throw response.status;
  return (await response.json()) as T;
}

/** Whether a text can be the secret of a link. One that was cut cannot. */
export const isToken = (text: string): boolean => /^[\w-]{22}$/.test(text);

/** Seconds until the next question, which double while nothing is new. */
const [soonest, latest] = [10, 60];

/** Asks again and again while the page is seen. `ask` tells whether something was new. Gives the function that ends it. */
export function keepAsking(ask: () => Promise<boolean>): () => void {
  let seconds = soonest;
  let timer: ReturnType<typeof setTimeout>;
  let isOver = false;
  const rest = () => {
    clearTimeout(timer);
    if (!isOver && !document.hidden) timer = setTimeout(run, seconds * 1000);
  };
  const run = async () => {
    // Without an answer nothing is new.
    const isNew = await ask().catch(() => false);
    seconds = isNew ? soonest : Math.min(seconds * 2, latest);
    rest();
  };
  const turn = () => {
    seconds = soonest;
    clearTimeout(timer);
    if (!document.hidden) void run();
  };
  document.addEventListener('visibilitychange', turn);
  rest();
  return () => {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', turn);
  };
}

export const send = <T>(method: 'POST' | 'PUT', path: string, document: object): Promise<T> =>
  ask(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(document) });

/** The secret, and an item: both behind `#`, which browsers send nowhere. */
export interface Place {
  readonly token: string;
  readonly item: string | undefined;
}

export function placeOf(hash: string): Place {
  const [token = '', item] = hash.replace(/^#/, '').split('/');
  return { token, item: item || undefined };
}

export const hrefOf = (token: string, item?: string): string =>
  item === undefined ? `#${token}` : `#${token}/${item}`;

export const pageSize = 50;

/** A share that is open in this tab. Another address opens another one. */
export class OpenShare {
  readonly token: string;
  readonly guest: ShareGuestDocument;
  readonly items = signal<readonly SharedItemType[]>([]);
  /** Undefined: all items are there. */
  readonly cursor = signal<string | undefined>('*');
  readonly upload = signal<ShareGuestDocument['upload']>(undefined);
  readonly mark: Signal<ShareGuestDocument['mark']>;
  /** Name of the guest. Empty: none yet. */
  readonly name: Signal<string>;
  /** Name that is told with what is sent first. */
  readonly typedName = signal('');
  /** Asks for what is new on the page of an item. */
  news: (() => Promise<boolean>) | undefined;
  #loading: Promise<void> | undefined;

  constructor(token: string, guest: ShareGuestDocument) {
    this.token = token;
    this.guest = guest;
    this.upload.value = guest.upload;
    this.name = signal(guest.name ?? '');
    this.mark = signal(guest.mark);
    if (!guest.look) this.cursor.value = undefined;
  }

  at = (path = ''): string => `/APInoauth/share/${encodeURIComponent(this.guest.id ?? '')}${path}`;
  pictureOf = (id: string): string => this.atItem(id, `/picture${this.mark.peek()?.burn ? '?small=true' : ''}`);
  atItem = (id: string, path = ''): string => this.at(`/item/${encodeURIComponent(id)}${path}`);

  /** Whether there is something new. Throws 404 where the link has ended. */
  ask = async (): Promise<boolean> => {
    this.mark.value = (await ask<ShareGuestDocument>(this.at())).mark;
    const isNew = await this.news?.().catch((error) => {
      // The item may have left the share, which is open.
      if (error !== 404) throw error;
    });
    return isNew === true;
  };

  /** Tells the service the typed name of a guest who came in without one. */
  sign = async (): Promise<void> => {
    const name = this.typedName.peek().trim();
    if (name === '' || this.name.peek() !== '') return;
    const guest = await send<ShareGuestDocument>('POST', '/APInoauth/share', { token: this.token, name });
    this.name.value = guest.name ?? '';
    this.mark.value = guest.mark;
  };

  /** The list says how many comments the page of an item has. */
  tellComments = (id: string, comments: number): void => {
    this.items.value = this.items.peek().map((item) => (item.id === id ? { ...item, comments } : item));
  };

  /** Adds the next page. */
  more = (): Promise<void> => {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  };

  /** Reads the items from the first one on, after an upload. */
  again = async (): Promise<void> => {
    await this.#loading?.catch(() => undefined);
    if (!this.guest.look) return;
    await this.#page('*', []);
  };

  async #load(): Promise<void> {
    const cursor = this.cursor.peek();
    if (cursor === undefined) return;
    await this.#page(cursor, this.items.peek());
  }

  /** Reads a page behind the items of others. Fewer items than asked for end the list, and so does the same cursor. */
  async #page(cursor: string, before: readonly SharedItemType[]): Promise<void> {
    const path = this.at(`/item?number=${pageSize}&cursor=${encodeURIComponent(cursor)}`);
    const { item = [], nextCursor } = await ask<SharedItemListDocument>(path);
    this.items.value = [...before, ...item];
    this.cursor.value = item.length < pageSize || nextCursor === cursor ? undefined : nextCursor;
  }
}

/** Kind of an item for guests: by its medium, or by the first of its files before it was looked into. */
export function kindOf({
  mediaType = '',
  shape: [shape] = [],
}: SharedItemType): 'film' | 'sound' | 'picture' | 'document' {
  const type = `${mediaType} ${shape?.mimeType ?? ''}`;
  if (/video/i.test(type)) return 'film';
  if (/audio/i.test(type)) return 'sound';
  return /image/i.test(type) ? 'picture' : 'document';
}

/** `PDF` of a name or of a type of media. Undefined: neither tells. */
export function endingOf({ title = '', shape: [shape] = [] }: SharedItemType): string | undefined {
  const [, ending] = /\.([a-z0-9]{2,5})$/i.exec(title) ?? [];
  const [, type] = /\/(?:x-|vnd\.)?([a-z0-9]{2,8})$/i.exec(shape?.mimeType ?? '') ?? [];
  return (ending ?? type)?.toUpperCase();
}

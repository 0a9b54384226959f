import { signal } from '@preact/signals';
import { endUpload, sendFile } from 'portico/client/tus';
import type { SharedFileListDocument, ShareGuestDocument } from 'portico/types';
import { useEffect, useState } from 'preact/hooks';
import { pause, Refusal } from '../api/client.ts';
import { byBrowser } from '../api/tus.ts';
import { dropStored, store, stored } from '../browser-storage.ts';
import { IconButton } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { Bar } from '../components/values.tsx';
import { sizeText, t } from '../texts/index.ts';
import { ask, type OpenShare } from './guest.ts';

/** Files that are sent at a time. */
const maxAtOnce = 2;
const none: SharedFileListDocument = {};
/** Seconds of the last wait for what the service makes of a file. */
const latest = 120;
const keyPrefix = 'portico-sent-';
/** Milliseconds for which a browser remembers what it has sent. */
const memory = 30 * 24 * 3_600_000;

const going = ['waiting', 'sending', 'paused'] as const;
/** `lost`: the page was left before all of the file had come. Who chooses it again goes on where it was. */
const unsent = ['failed', 'lost'] as const;
const refused = ['empty', 'big', 'many', 'full', 'gone'] as const;
/** `reading`: the service looks into what has arrived. `unread`: its media cannot be read. */
const arrived = ['reading', 'done', 'unread'] as const;
type State = (typeof going | typeof unsent | typeof refused | typeof arrived)[number] | 'cancelled';

const isIn = (states: readonly State[], state: State): boolean => states.includes(state);

interface Row {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  /** When the file was changed: with name and size it tells the file again. */
  readonly modified: number;
  readonly state: State;
  /** From 0 to 1. */
  readonly sent: number;
  /** Undefined: the browser has the file no more. */
  readonly file?: File | undefined;
  /** Address of the upload, once it has begun. */
  readonly url?: string | undefined;
}

interface Memory {
  readonly until: number;
  readonly rows: readonly Pick<Row, 'name' | 'size' | 'modified' | 'url' | 'state'>[];
}

/** Files that a guest sends, a row each: all of them stay, with what became of them, also when the page is left. */
function createUploads(share: OpenShare) {
  const key = `${keyPrefix}${share.guest.id}`;
  dropStored((each, value) => each.startsWith(keyPrefix) && !((value as Memory).until > Date.now()));
  const { rows: before = [] } = (stored(key) ?? {}) as Partial<Memory>;
  let last = 0;
  /** Number of the last question for what became of the files. */
  let asking = 0;
  const rows = signal<readonly Row[]>(before.map((row) => ({ ...row, id: ++last, sent: 0 })));
  const running = new Map<number, AbortController>();
  /** End the waits of uploads whose connection broke. */
  const wakes = new Set<() => void>();
  /** Requests that give places of cancelled files back. */
  let ending: Promise<unknown> = Promise.resolve();
  const wake = () => {
    for (const end of wakes) end();
  };

  if (before.some(({ state }) => isIn(arrived, state))) void learn();

  const find = (id: number) => rows.peek().find((row) => row.id === id);

  function set(next: readonly Row[]): void {
    rows.value = next;
    const keptRows = next
      .filter(({ state }) => isIn(arrived, state) || isIn(going, state) || isIn(unsent, state))
      .map(({ name, size, modified, url, state }) => ({
        ...{ name, size, modified, url },
        state: isIn(arrived, state) ? state : ('lost' as const),
      }));
    store(key, keptRows.length > 0 ? ({ until: Date.now() + memory, rows: keptRows } satisfies Memory) : undefined);
  }

  /** A row that was cancelled stays so, whatever is still on its way. */
  const change = (id: number, changes: Partial<Row>) => {
    const isProgress = changes.state === find(id)?.state && changes.url === undefined;
    const next = rows.peek().map((row) => (row.id === id && row.state !== 'cancelled' ? { ...row, ...changes } : row));
    if (isProgress) rows.value = next;
    else set(next);
  };

  function next(): void {
    const row = rows.peek().find(({ state }) => state === 'waiting');
    if (!row?.file || running.size >= maxAtOnce) return;
    void send(row, row.file);
    next();
  }

  async function send({ id, url }: Row, file: File): Promise<void> {
    const own = new AbortController();
    running.set(id, own);
    change(id, { state: 'sending' });
    // A name that is refused keeps no file from its way. The places of cancelled files are given back first.
    await Promise.all([share.sign().catch(() => undefined), ending]);
    const wait = (milliseconds: number, signal?: AbortSignal) => {
      let end = (): void => undefined;
      const woken = new Promise<void>((resolve) => {
        end = resolve;
      });
      wakes.add(end);
      return Promise.race([pause(milliseconds, signal), woken]).finally(() => wakes.delete(end));
    };
    const options = {
      endpoint: share.at('/upload'),
      ...{ file, url, metadata: { filename: file.name }, signal: own.signal },
      onUrl: (begun: string) => {
        change(id, { url: begun });
        // Cancelled while it began: only now can its place be given back.
        if (find(id)?.state === 'cancelled') end(id, begun);
      },
      onProgress: (sent: number) => change(id, { state: 'sending', sent: file.size > 0 ? sent / file.size : 1 }),
      onWait: () => change(id, { state: 'paused' }),
    };
    let refusal: unknown;
    try {
      await sendFile(options, { transport: byBrowser, wait });
      change(id, { state: 'reading', sent: 1 });
    } catch (error) {
      refusal = error;
    }
    running.delete(id);
    if (refusal !== undefined && !own.signal.aborted) {
      const isForgotten = url !== undefined && refusal instanceof Refusal && refusal.status === 404;
      // The service forgets an upload that waited too long, and one of an earlier visit.
      change(id, isForgotten ? { state: 'waiting', url: undefined, sent: 0 } : { state: await stateOf(refusal, file) });
    }
    next();
    void learn();
    const telling = tell();
    if (running.size === 0) await telling.then(share.again, () => undefined);
  }

  /** Asks whether files that have arrived can be read, until the service knows it of each. A later call takes over. */
  async function learn(): Promise<void> {
    const own = ++asking;
    for (let seconds = 1; own === asking; seconds *= 2) {
      const { file = [] } = await ask<SharedFileListDocument>(share.at('/upload')).catch(() => none);
      for (const row of rows.peek().filter(({ state }) => isIn(arrived, state))) {
        const { state } = file.find(({ upload }) => row.url?.endsWith(`/upload/${upload}`)) ?? {};
        // An answer that never comes is no reason to doubt a file that is there.
        const isOver = state === 'READ' || (row.state === 'reading' && seconds > latest);
        if (isOver || state === 'UNREADABLE') change(row.id, { state: isOver ? 'done' : 'unread' });
      }
      if (!rows.peek().some(({ state }) => state === 'reading')) return;
      await pause(seconds * 1000);
    }
  }

  /** Files and bytes that the bounds leave. */
  async function tell(): Promise<void> {
    const guest = await ask<ShareGuestDocument>(share.at());
    share.upload.value = guest.upload;
  }

  async function stateOf(error: unknown, { size }: File): Promise<State> {
    const status = error instanceof Refusal ? error.status : 0;
    if (status === 404) return 'gone';
    if (status !== 507 && status !== 413) return 'failed';
    await tell().catch(() => undefined);
    return boundOf(size) ?? 'full';
  }

  /** The bound that a file does not fit. */
  function boundOf(size: number): State | undefined {
    const { files = 0, bytes = 0 } = share.upload.peek() ?? {};
    if (size === 0) return 'empty';
    if (files <= 0) return 'many';
    return size > bytes ? 'big' : undefined;
  }

  function end(id: number, url: string): void {
    running.get(id)?.abort();
    const ended = endUpload(url, byBrowser).then(tell, () => undefined);
    ending = Promise.all([ending, ended]);
  }

  return {
    rows,
    wake,
    tell: () => void tell().catch(() => undefined),
    /** Whether a file that was refused would fit by now. */
    fits: ({ state, size, file }: Row) =>
      (state === 'big' || state === 'many') && file !== undefined && boundOf(size) === undefined,
    add(files: readonly File[]) {
      let list = rows.peek();
      for (const file of files) {
        const { name, size, lastModified: modified } = file;
        const row = list.find(
          (each) => isIn(unsent, each.state) && each.name === name && each.size === size && each.modified === modified,
        );
        const begun: Row = row
          ? { ...row, file, state: 'waiting' }
          : { ...{ id: ++last, name, size, modified, sent: 0, file }, state: boundOf(size) ?? 'waiting' };
        list = row ? list.map((each) => (each.id === row.id ? begun : each)) : [...list, begun];
      }
      set(list);
      next();
    },
    /** Goes on where the file was. */
    retry(id: number) {
      if (find(id)?.state === 'paused') return wake();
      change(id, { state: 'waiting' });
      return next();
    },
    /** Ends what is under way, and says so. A row that is at its end is removed. */
    remove(id: number) {
      const row = find(id);
      if (!row || !(isIn(going, row.state) || isIn(unsent, row.state)))
        return set(rows.peek().filter((each) => each.id !== id));
      change(id, { state: 'cancelled' });
      wake();
      if (row.url !== undefined) end(id, row.url);
      return next();
    },
  };
}

const isOpen = ({ state }: Row): boolean => isIn(going, state);

/** Takes files by drop on the page or choice, within the bounds of the share. */
export function Uploads({ share }: { readonly share: OpenShare }) {
  const [uploads] = useState(() => createUploads(share));
  const [isOver, setOver] = useState(false);
  const rows = uploads.rows.value;
  const { files = 0, bytes = 0 } = share.upload.value ?? {};
  const isSending = rows.some(isOpen);
  // A file that misses the frame would else take the place of the page.
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setOver(event.type === 'dragover');
      if (event.type === 'drop') uploads.add([...event.dataTransfer.files]);
    };
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    const ending = new AbortController();
    const { signal } = ending;
    for (const name of ['dragover', 'drop'] as const) addEventListener(name, over, { signal });
    addEventListener('dragleave', leave, { signal });
    addEventListener('online', uploads.wake, { signal });
    // A guest who comes back may have been given more room.
    addEventListener('focus', uploads.tell, { signal });
    return () => ending.abort();
  }, [uploads]);
  useEffect(() => {
    if (!isSending) return undefined;
    const stay = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', stay);
    return () => removeEventListener('beforeunload', stay);
  }, [isSending]);
  const lost = rows.filter(({ state }) => state === 'lost').length;
  const done = rows.filter(({ state }) => isIn(arrived, state)).length;
  return (
    <section class="uploads" aria-label={t('guest.upload.title')}>
      <div class={isOver ? 'drop over' : 'drop'}>
        <label class={files > 0 || lost > 0 ? 'button main' : 'button off'}>
          <Icon name="upload" />
          {t(matchMedia('(pointer: coarse)').matches ? 'guest.choose' : 'guest.drop')}
          <input
            class="unseen"
            type="file"
            multiple
            disabled={files <= 0 && lost === 0}
            onChange={(event) => {
              uploads.add([...(event.currentTarget.files ?? [])]);
              event.currentTarget.value = '';
            }}
          />
        </label>
        <span class="muted">
          {files > 0 ? t('guest.left', { count: files, size: sizeText(bytes) }) : t('guest.upload.many')}
        </span>
      </div>
      {lost > 0 && <p>{t('guest.upload.goOn', { count: lost })}</p>}
      {rows.length > 0 && (
        <>
          <p class="muted small" role="status">
            {t('guest.upload.total', { count: rows.filter(({ state }) => state !== 'cancelled').length, done })}
          </p>
          <ul class="sent">
            {rows.map((row) => (
              <Sent
                key={row.id}
                row={row}
                left={bytes}
                fits={uploads.fits(row)}
                retry={uploads.retry}
                remove={uploads.remove}
              />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

interface SentProps {
  readonly row: Row;
  /** Bytes that are left of the bounds. */
  readonly left: number;
  readonly fits: boolean;
  readonly retry: (id: number) => void;
  readonly remove: (id: number) => void;
}

function Sent({ row, left, fits, retry, remove }: SentProps) {
  const { id, name, size, state, sent } = row;
  const isTried = state === 'paused' || state === 'failed' || fits;
  const ends = isOpen(row) || isIn(unsent, state);
  return (
    <li class={isIn(refused, state) || state === 'failed' || state === 'unread' ? 'is-bad' : `is-${state}`}>
      <span class="name">{name}</span>
      <span class="muted small">
        {state === 'sending'
          ? sizeText(size)
          : t(`guest.upload.${state}`, { size: sizeText(size), left: sizeText(left) })}
      </span>
      <span class="buttons">
        {isTried && <IconButton icon="refresh" label={t('guest.upload.retry', { name })} onClick={() => retry(id)} />}
        {state === 'done' ? (
          <Icon name="check" />
        ) : (
          state !== 'reading' && (
            <IconButton
              icon="x"
              label={t(ends ? 'guest.upload.cancel' : 'guest.upload.hide', { name })}
              onClick={() => remove(id)}
            />
          )
        )}
      </span>
      {(state === 'sending' || state === 'paused') && <Bar value={sent} label={t('guest.upload.progress', { name })} />}
    </li>
  );
}

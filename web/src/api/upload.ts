import { signal } from '@preact/signals';
import { endUpload, readUpload, sendFile } from 'portico/client/tus';
import type { JobDocument } from 'portico/types';
import { get, Refusal } from './client.ts';
import { onEvent } from './events.ts';
import { me } from './session.ts';
import { byBrowser } from './tus.ts';
import {
  hasFailed,
  lostEntryOf,
  nextToSend,
  optionsFor,
  percentRead,
  type Sample,
  speedOf,
  type UploadEntry,
  type UploadOptions,
  uploadMetadata,
  withSample,
} from './upload-list.ts';
import { uploads } from './uploads.ts';

const [database, table] = ['portico', 'uploads'];

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(database, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(table, { keyPath: 'id' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function runRequest<T>(
  mode: IDBTransactionMode,
  use: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  try {
    const db = await openDatabase();
    return await new Promise<T>((resolve, reject) => {
      const request = use(db.transaction(table, mode).objectStore(table));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    }).finally(() => db.close());
  } catch {
    // A private window may have no database: uploads then end with the page.
    return undefined;
  }
}

/** Uploads whose items are not in the library yet, for the next time the page is loaded. `user`: whose these are. */
const storedUploads = {
  put: (user: string, entries: readonly UploadEntry[]) =>
    runRequest('readwrite', (store) => entries.map((entry) => store.put({ ...entry, user })).at(-1)!),
  remove: (id: string) => runRequest('readwrite', (store) => store.delete(id)),
  async list(user: string): Promise<readonly UploadEntry[]> {
    const all = (await runRequest('readonly', (store) => store.getAll())) as
      | (UploadEntry & { user: string })[]
      | undefined;
    return (all ?? []).filter((each) => each.user === user);
  },
};

interface Running {
  readonly file: File;
  stop?: AbortController | undefined;
  samples: readonly Sample[];
}
const running = new Map<string, Running>();

function change(id: string, to: Partial<UploadEntry>): void {
  uploads.value = uploads.value.map((each) => (each.id === id ? { ...each, ...to } : each));
}

const keep = (...ids: readonly string[]): void => {
  const idSet = new Set(ids);
  const entries = uploads.value.filter(({ id }) => idSet.has(id));
  const user = me.value?.userName;
  // Plain values: a database holds no files of this page.
  const plain = entries.map(({ error: _error, ended: _ended, speed: _speed, ...entry }) => entry);
  if (plain.length > 0 && user !== undefined) void storedUploads.put(user, plain);
};

/** Adds files. One that was begun before goes on where it was. */
export function addUploads(files: readonly File[], options: UploadOptions): void {
  const added: UploadEntry[] = [];
  for (const file of files) {
    const facts = { name: file.name, size: file.size, modified: file.lastModified };
    const lost = lostEntryOf(uploads.value, facts);
    const id = lost?.id ?? crypto.randomUUID();
    running.set(id, { file, samples: [] });
    if (lost) change(id, { state: 'waiting', error: undefined });
    else added.push({ id, ...facts, state: 'waiting', sent: 0, options: optionsFor(file, options) });
  }
  uploads.value = [...uploads.value, ...added];
  keep(...added.map(({ id }) => id));
  followImports();
  sendNext();
}

export function pauseUpload(id: string): void {
  running.get(id)?.stop?.abort();
  change(id, { state: 'paused', speed: undefined, error: undefined });
  sendNext();
}

export function resumeUpload(id: string): void {
  change(id, { state: running.has(id) ? 'waiting' : 'lost', error: undefined, isSeen: false });
  sendNext();
}

/** Takes a file off the list. What the service has of an unfinished one goes. */
export async function removeUpload(id: string): Promise<void> {
  const entry = uploads.value.find((each) => each.id === id);
  uploads.value = uploads.value.filter((each) => each.id !== id);
  void storedUploads.remove(id);
  running.get(id)?.stop?.abort();
  running.delete(id);
  if (entry?.url && entry.state !== 'done') await endUpload(entry.url, byBrowser).catch(() => undefined);
  sendNext();
}

/** Notes that the person sees which uploads have failed. */
export function seeFailed(): void {
  const ids = uploads.value.flatMap((each) => (hasFailed(each) && !each.isSeen ? [each.id] : []));
  for (const id of ids) change(id, { isSeen: true });
  keep(...ids);
}

export function forgetDone(): void {
  for (const { id, state } of uploads.value) if (state === 'done') void storedUploads.remove(id);
  uploads.value = uploads.value.filter(({ state }) => state !== 'done');
}

function sendNext(): void {
  for (const { id } of nextToSend(uploads.value)) {
    change(id, { state: 'sending' });
    void send(id);
  }
}

async function send(id: string): Promise<void> {
  const entry = uploads.value.find((each) => each.id === id);
  const own = running.get(id);
  if (!entry || !own) return;
  own.samples = [];
  own.stop = new AbortController();
  const { signal } = own.stop;
  try {
    const answer = await sendFile(
      {
        file: own.file,
        metadata: uploadMetadata(entry.name, entry.options),
        url: entry.url,
        signal,
        onUrl(url) {
          change(id, { url, error: undefined });
          keep(id);
        },
        onProgress(sent) {
          own.samples = withSample(own.samples, { at: Date.now(), sent });
          change(id, { sent, speed: speedOf(own.samples), error: undefined });
        },
        onWait(error) {
          own.samples = [];
          change(id, { speed: undefined, error });
        },
      },
      { transport: byBrowser },
    );
    if (!signal.aborted) ended(id, answer);
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof Refusal)) throw error;
    await failed(id, error);
  }
}

/** The last answer names the item and its job. */
function ended(id: string, { headers }: Response): void {
  const [item, job] = ['portico-item', 'portico-job'].map((name) => headers.get(name) ?? undefined);
  const { size, importing = 0 } = uploads.value.find((each) => each.id === id)!;
  change(id, { state: 'done', sent: size, speed: undefined, error: undefined, item, job, importing });
  running.delete(id);
  keep(id);
  if (job !== undefined) void readImport(id, job);
  sendNext();
}

/** How an import has ended, and why. It may have ended before the page knew its job. */
async function readImport(id: string, job: string): Promise<void> {
  const ended = await get<JobDocument>(`/job/${job}`).catch((error) => {
    // The service keeps no jobs for ever.
    if (error instanceof Refusal && error.status === 404) void storedUploads.remove(id);
    return undefined;
  });
  if (ended?.status.startsWith('FINISHED')) {
    change(id, { importing: 'finished', ended });
    void storedUploads.remove(id);
  } else if (ended?.status === 'FAILED_TOTAL' || ended?.status === 'ABORTED') {
    change(id, { importing: 'failed', ended });
    const { item } = uploads.value.find((each) => each.id === id) ?? {};
    // A failure goes with its item.
    if (item !== undefined)
      await get(`/item/${item}`).catch((error) => {
        if (error instanceof Refusal && error.status === 404) return removeUpload(id);
      });
  }
}

/** Follows the job that runs instead of a failed import. */
export function importAgain(id: string, job: string): void {
  followImports();
  change(id, { job, importing: 0, ended: undefined, isSeen: false });
  keep(id);
  void readImport(id, job);
}

async function failed(id: string, error: Refusal): Promise<void> {
  if (error.status === 401) {
    // The dialog of the login opens over the page. Afterwards the upload goes on.
    const isBack = await get('/session').then(
      () => true,
      () => false,
    );
    if (isBack) {
      change(id, { state: 'waiting' });
      return sendNext();
    }
  }
  const entry = uploads.value.find((each) => each.id === id);
  if (entry?.state !== 'sending') return;
  // An upload that the service has forgotten begins again.
  const isForgotten = error.status === 404 && entry.url !== undefined;
  change(
    id,
    isForgotten ? { state: 'waiting', url: undefined, sent: 0 } : { state: 'failed', speed: undefined, error },
  );
  sendNext();
}

/** Uploads that an earlier page began: what became of each, and how far it is. */
export async function restoreUploads(): Promise<void> {
  const user = me.value?.userName;
  if (user === undefined) return;
  const listedIds = new Set(uploads.value.map(({ id }) => id));
  const storedEntries = (await storedUploads.list(user)).filter(({ id }) => !listedIds.has(id));
  const entries = await Promise.all(storedEntries.map(readEntry));
  uploads.value = [...entries.flatMap((each) => each ?? []), ...uploads.value];
  if (entries.length > 0) followImports();
  for (const { id, job } of uploads.value) if (job !== undefined && !listedIds.has(id)) void readImport(id, job);
}

async function readEntry(entry: UploadEntry): Promise<UploadEntry | undefined> {
  const lost = { ...entry, state: 'lost' as const };
  if (entry.state === 'done') return { ...entry, isEarlier: true };
  if (entry.url === undefined) return lost;
  try {
    const { headers } = await readUpload(entry.url, byBrowser);
    const sent = Number(headers.get('upload-offset'));
    const item = headers.get('portico-item') ?? undefined;
    if (item === undefined) return { ...lost, sent };
    return {
      ...entry,
      state: 'done',
      sent,
      item,
      job: headers.get('portico-job') ?? undefined,
      importing: 0,
      isEarlier: true,
    };
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 404) return lost;
    void storedUploads.remove(entry.id);
    return undefined;
  }
}

let follows = false;

/** Follows the imports of finished uploads. */
function followImports(): void {
  if (follows) return;
  follows = true;
  onEvent('item/delete', ({ entityId }) => {
    for (const { id, item } of uploads.value) if (item === entityId) void removeUpload(id);
  });
  onEvent(['job/progress', 'job/finished', 'job/fail'], ({ name, entityId, data = [] }) => {
    const entry = uploads.value.find(({ job }) => job === entityId);
    if (!entry) return;
    const of = (key: string) => Number(data.find((each) => each.key === key)?.value);
    const importing =
      name === 'job/finished'
        ? 'finished'
        : name === 'job/fail'
          ? 'failed'
          : percentRead(entry.importing, of('progress'), of('total'));
    change(entry.id, { importing });
    if (name !== 'job/progress') void readImport(entry.id, entityId);
  });
}

/** Options that a person has chosen for the next files. They stay while the program is open. Undefined: none yet. */
export const nextOptions = signal<UploadOptions | undefined>(undefined);

/** Films also get a form for the web where a transcoder is there, unless a person takes it out. */
export const currentOptions = (): UploadOptions =>
  nextOptions.value ?? { tags: me.value?.webTag === undefined ? [] : [me.value.webTag], fields: {} };

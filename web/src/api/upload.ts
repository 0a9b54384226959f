import { signal } from '@preact/signals';
import type { JobDocument } from 'portico/types';
import type { DetailedError, HttpRequest, HttpResponse, Upload } from 'tus-js-client';
import { get, refusalOf } from './client.ts';
import { onEvent } from './events.ts';
import { me } from './session.ts';
import {
  lostEntryOf,
  nextToSend,
  type Sample,
  speedOf,
  type UploadEntry,
  type UploadWish,
  uploadMetadata,
  withSample,
} from './upload-list.ts';
import { keptUploads } from './upload-store.ts';

/** All uploads of this page, the newest last. */
export const uploads = signal<readonly UploadEntry[]>([]);

const endpoint = '/API/upload';
const headers = { 'portico-ui': '1', accept: 'application/json' };
/** Bytes of one request. Behind a proxy with a limit for bodies, large files arrive all the same. */
const chunkSize = 64 * 1024 * 1024;
const retryDelays = [0, 1_000, 3_000, 5_000, 10_000, 20_000, 30_000];

interface Running {
  readonly file: File;
  upload?: Upload | undefined;
  samples: readonly Sample[];
}
const running = new Map<string, Running>();

function change(id: string, to: Partial<UploadEntry>): void {
  uploads.value = uploads.value.map((each) => (each.id === id ? { ...each, ...to } : each));
}

const keep = (id: string): void => {
  const entry = uploads.value.find((each) => each.id === id);
  const user = me.value?.userName;
  if (entry && user !== undefined) void keptUploads.put(user, entry);
};

/** Adds files. One that was begun before goes on where it was. */
export function addUploads(files: readonly File[], wish: UploadWish): void {
  for (const file of files) {
    const facts = { name: file.name, size: file.size, modified: file.lastModified };
    const lost = lostEntryOf(uploads.value, facts);
    const id = lost?.id ?? crypto.randomUUID();
    running.set(id, { file, samples: [] });
    if (lost) change(id, { state: 'waiting', error: undefined });
    else uploads.value = [...uploads.value, { id, ...facts, state: 'waiting', sent: 0, wish }];
  }
  followImports();
  sendNext();
}

export function pauseUpload(id: string): void {
  void running.get(id)?.upload?.abort();
  change(id, { state: 'paused', speed: undefined });
  sendNext();
}

export function resumeUpload(id: string): void {
  change(id, { state: running.has(id) ? 'waiting' : 'lost', error: undefined });
  sendNext();
}

/** Takes a file off the list. What the service has of an unfinished one goes. */
export async function removeUpload(id: string): Promise<void> {
  const entry = uploads.value.find((each) => each.id === id);
  uploads.value = uploads.value.filter((each) => each.id !== id);
  void keptUploads.remove(id);
  await running.get(id)?.upload?.abort();
  running.delete(id);
  if (entry?.url && entry.state !== 'done') {
    const tus = await import('tus-js-client');
    await tus.Upload.terminate(entry.url, { headers }).catch(() => undefined);
  }
  sendNext();
}

export const forgetDone = (): void => {
  uploads.value = uploads.value.filter(({ state }) => state !== 'done');
};

function sendNext(): void {
  for (const { id } of nextToSend(uploads.value)) {
    change(id, { state: 'sending' });
    void send(id);
  }
}

async function send(id: string): Promise<void> {
  const { Upload: TusUpload } = await import('tus-js-client');
  const entry = uploads.value.find((each) => each.id === id);
  const own = running.get(id);
  if (!entry || !own || entry.state !== 'sending') return;
  own.samples = [];
  const upload = new TusUpload(own.file, {
    endpoint,
    headers,
    chunkSize,
    retryDelays,
    metadata: uploadMetadata(entry.name, entry.wish),
    storeFingerprintForResuming: false,
    ...(entry.url !== undefined && { uploadUrl: entry.url }),
    onUploadUrlAvailable() {
      change(id, { url: upload.url ?? undefined });
      keep(id);
    },
    onProgress(sent) {
      own.samples = withSample(own.samples, { at: Date.now(), sent });
      change(id, { sent, speed: speedOf(own.samples) });
    },
    onShouldRetry: (error) => isTransient(error),
    onAfterResponse: (_request: HttpRequest, response: HttpResponse) => noteImport(id, response),
    onSuccess: () => ended(id),
    onError: (error) => void failed(id, error as DetailedError),
  });
  own.upload = upload;
  upload.start();
}

/** The item and its job, which the last answer names. */
function noteImport(id: string, response: Pick<HttpResponse, 'getHeader'>): void {
  const item = response.getHeader('portico-item');
  const job = response.getHeader('portico-job');
  if (item) change(id, { item, ...(job && { job }) });
}

function ended(id: string): void {
  const entry = uploads.value.find((each) => each.id === id);
  change(id, { state: 'done', sent: entry?.size ?? 0, speed: undefined, importing: entry?.importing ?? 0 });
  running.delete(id);
  if (entry?.job) void lookAtJob(id, entry.job);
  void keptUploads.remove(id);
  sendNext();
}

/** The import may have ended before the page knew its job. */
async function lookAtJob(id: string, job: string): Promise<void> {
  const { status = '' } = await get<JobDocument>(`/job/${job}`).catch((): Partial<JobDocument> => ({}));
  if (status.startsWith('FINISHED')) change(id, { importing: 'finished' });
  else if (status === 'FAILED_TOTAL' || status === 'ABORTED') change(id, { importing: 'failed' });
}

const statusOf = (error: Error): number => (error as DetailedError).originalResponse?.getStatus() ?? 0;

/** A broken connection, and a service that is busy. */
const isTransient = (error: Error): boolean => {
  const status = statusOf(error);
  return status === 0 || status === 409 || status === 423 || status === 429 || status >= 502;
};

async function failed(id: string, error: DetailedError): Promise<void> {
  const status = statusOf(error);
  if (status === 401) {
    // The dialog of the login opens over the page. Afterwards the upload goes on.
    await get('/session').catch(() => undefined);
    if (me.value) {
      change(id, { state: 'waiting' });
      return sendNext();
    }
  }
  const entry = uploads.value.find((each) => each.id === id);
  if (entry?.state !== 'sending') return;
  // An upload that the service has forgotten begins again.
  if (status === 404 && entry.url !== undefined) {
    change(id, { state: 'waiting', url: undefined, sent: 0 });
    return sendNext();
  }
  const refusal = await refusalOf(new Response(error.originalResponse?.getBody(), { status: Math.max(200, status) }));
  const says = refusal.explanation ?? refusal.id ?? error.message;
  change(id, { state: 'failed', speed: undefined, error: status === 0 ? error.message : `${status}: ${says}` });
  sendNext();
}

/** Uploads that an earlier page began: what became of each, and how far it is. */
export async function restoreUploads(): Promise<void> {
  const user = me.value?.userName;
  if (user === undefined) return;
  const known = new Set(uploads.value.map(({ id }) => id));
  const kept = (await keptUploads.list(user)).filter(({ id }) => !known.has(id));
  const found = await Promise.all(kept.map(lookAt));
  uploads.value = [...found.flatMap((each) => each ?? []), ...uploads.value];
}

async function lookAt(entry: UploadEntry): Promise<UploadEntry | undefined> {
  const lost = { ...entry, state: 'lost' as const, speed: undefined };
  if (entry.url === undefined) return lost;
  const response = await fetch(entry.url, { method: 'HEAD', headers: { ...headers, 'tus-resumable': '1.0.0' } }).catch(
    () => undefined,
  );
  if (response?.status === 404) {
    void keptUploads.remove(entry.id);
    return undefined;
  }
  if (!response?.ok) return lost;
  const sent = Number(response.headers.get('upload-offset'));
  const item = response.headers.get('portico-item') ?? undefined;
  if (item === undefined) return { ...lost, sent };
  void keptUploads.remove(entry.id);
  return {
    ...entry,
    state: 'done',
    sent,
    item,
    job: response.headers.get('portico-job') ?? undefined,
    importing: 'finished',
  };
}

let follows = false;

/** Follows the imports of finished uploads. */
function followImports(): void {
  if (follows) return;
  follows = true;
  onEvent(['job/progress', 'job/finished', 'job/fail'], ({ name, entityId, data = [] }) => {
    const entry = uploads.value.find(({ job }) => job === entityId);
    if (!entry) return;
    const of = (key: string) => Number(data.find((each) => each.key === key)?.value);
    const importing =
      name === 'job/finished'
        ? 'finished'
        : name === 'job/fail'
          ? 'failed'
          : Math.floor((100 * of('progress')) / of('total'));
    change(entry.id, { importing });
  });
}

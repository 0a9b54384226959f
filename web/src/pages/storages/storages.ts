import type { StorageDocument } from 'portico/types';
import { get, pause, Refusal, send } from '../../api/client.ts';
import { reloadMe } from '../../api/session.ts';
import { lacks } from '../../rights.ts';
import { type Key, t } from '../../texts/index.ts';
import type { Tone } from '../jobs/jobs.ts';

export type Method = NonNullable<StorageDocument['method']>[number];

interface Usage {
  readonly used: number;
  readonly capacity: number;
  readonly percent: number;
  readonly tone: 'warn' | 'bad' | undefined;
}

/** Usage of a storage. Undefined: its capacity is unknown. */
export function usageOf({
  capacity,
  freeCapacity,
  lowWatermarkPercentage = 90,
  highWatermarkPercentage = 95,
}: StorageDocument): Usage | undefined {
  if (capacity === undefined || capacity <= 0) return undefined;
  const used = Math.max(0, capacity - (freeCapacity ?? 0));
  const percent = Math.min(100, Math.round((100 * used) / capacity));
  const tone = percent >= highWatermarkPercentage ? 'bad' : percent >= lowWatermarkPercentage ? 'warn' : undefined;
  return { used, capacity, percent, tone };
}

const tones: Readonly<Record<string, Tone>> = {
  READY: 'good',
  NONE: 'good',
  OFFLINE: 'bad',
  FAILED: 'bad',
  EVACUATING: 'live',
};
export const storageTone = (state = 'NONE'): Tone => tones[state];

/** Whether the last look at a method failed. */
export function isFailing({ lastSuccess, lastFailure }: Method): boolean {
  if (lastFailure === undefined) return false;
  return lastSuccess === undefined || Date.parse(lastFailure) > Date.parse(lastSuccess);
}

/** Whether a scan waits until a person says that what it found is right. */
export const waitsForApproval = ({ method = [] }: StorageDocument): boolean =>
  method.some((each) => isFailing(each) && /rescan\?confirm=true/.test(each.failureMessage ?? ''));

/** The time of the newest success of all methods. */
export function lastScan({ method = [] }: StorageDocument): string | undefined {
  const times = method.flatMap(({ lastSuccess }) => lastSuccess ?? []);
  return times.sort((one, other) => Date.parse(one) - Date.parse(other)).at(-1);
}

/** Folders of a path, each with its own path: `in/day 1/` has `in/` and `in/day 1/`. */
export function crumbsOf(path: string): readonly { readonly name: string; readonly path: string }[] {
  const parts = path.split('/').filter(Boolean);
  return parts.map((name, at) => ({ name, path: `${parts.slice(0, at + 1).join('/')}/` }));
}

/** Last part of a path, of a file or a folder. */
export const nameIn = (path: string): string => path.split('/').filter(Boolean).at(-1) ?? path;

/** Key of the metadata of a storage that has its name. */
export const nameKey = 'name';

/** Name of a storage as its document has it. */
export const nameOf = ({ name }: StorageDocument): string => name ?? t('storage.title');

/** The address of a folder: a path is one of this machine. */
export const addressOfFolder = (text: string): string => {
  const typed = text.trim();
  return (typed.startsWith('/') ? `file://${typed}` : typed).replace(/\/?$/, '/');
};

/** A proposed folder for a storage. Where another storage lies below all of them, a new folder beside it. */
export function freeFolder(proposed: readonly string[], storages: readonly StorageDocument[]): string {
  const inUse = storages.flatMap(({ method = [] }) => method.map(({ uri }) => uri));
  const free = proposed.find((folder) => !inUse.some((uri) => uri.startsWith(folder)));
  if (free !== undefined || proposed.length === 0) return free ?? '';
  const names = [...inUse.keys(), inUse.length].map((at) => `${proposed[0]}files-${at + 1}/`);
  return names.find((name) => !inUse.includes(name)) ?? '';
}

/** Why none of the methods works, in the words of the service. Undefined: one works, or none was looked at yet. */
export const failureOf = ({ state, method = [] }: StorageDocument): string | undefined =>
  state === 'OFFLINE' || state === 'FAILED' ? (method.find(isFailing)?.failureMessage ?? state) : undefined;

/** Milliseconds between two looks, and how often is looked. */
const [pauseMs, looks] = [400, 15];

/** Makes a storage and waits for its first look at the files. One that cannot work is taken away again. */
export async function makeStorage(document: StorageDocument, name = ''): Promise<string> {
  const { id = '', ...firstState } = await send<StorageDocument>('POST', '/storage', document);
  const at = `/storage/${encodeURIComponent(id)}`;
  let now: StorageDocument = firstState;
  for (let look = 0; look < looks && failureOf(now) === undefined && lastScan(now) === undefined; look += 1) {
    await pause(pauseMs);
    now = await get<StorageDocument>(at);
  }
  const failure = failureOf(now);
  if (failure !== undefined) {
    await send('DELETE', at);
    throw new Refusal(400, 'invalidInput', { explanation: failure });
  }
  if (name !== '') await send('PUT', `${at}/metadata/${nameKey}`, name);
  // With the first one uploads begin to be offered.
  if (lacks('storage')) await reloadMe();
  return id;
}

/** A storage with one method. */
export const newStorage = (uri: string, watched: boolean): StorageDocument => ({
  type: 'LOCAL',
  autoDetect: true,
  showImportables: true,
  scanInterval: watched ? 60 : -1,
  method: [{ uri, read: true, write: true, browse: true }],
});

const states = ['NONE', 'READY', 'OFFLINE', 'FAILED', 'DISABLED', 'EVACUATING', 'EVACUATED'];
export const storageWords = (state = 'NONE'): string =>
  states.includes(state) ? t(`storage.state.${state}` as Key) : state;

/** An address as people read it: a folder of this machine is a path, and others lose how their names are encoded. */
export function placeWords(uri: string): string {
  const readable = uri.replace(/^file:\/\/(?=\/)/, '').replace(/^([\w+.-]+:\/\/)[^/@]*@/, '$1');
  try {
    return decodeURI(readable);
  } catch {
    return readable;
  }
}

const fileStates = [
  'OPEN',
  'CLOSED',
  'UNKNOWN',
  'MISSING',
  'LOST',
  'TO_APPEAR',
  'TO_BE_DELETED',
  'BEING_READ',
  'ARCHIVED',
];
export const fileStateWords = (state = 'CLOSED'): string =>
  fileStates.includes(state) ? t(`storage.file.${state}` as Key) : state;

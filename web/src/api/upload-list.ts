import type { JobDocument } from 'portico/types';
import { mediaKind } from '../../../src/core/lib/mime-types.ts';
import type { Refusal } from './client.ts';

/** Tags, collection and metadata for all files of one drop. */
export interface UploadOptions {
  readonly tags: readonly string[];
  readonly collection?: string | undefined;
  /** Values of text fields, by name. */
  readonly fields: Readonly<Record<string, string>>;
}

/** `lost`: begun before the page was loaded. The person chooses the file again, since pages keep no bytes. */
type UploadState = 'waiting' | 'sending' | 'paused' | 'lost' | 'done' | 'failed';

export interface UploadEntry {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  /** Milliseconds of the last change of the file. */
  readonly modified: number;
  readonly state: UploadState;
  readonly sent: number;
  /** Bytes per second. */
  readonly speed?: number | undefined;
  /** Address of the upload on the service. */
  readonly url?: string | undefined;
  /** Why it failed, or why it waits for a next try. */
  readonly error?: Refusal | undefined;
  readonly item?: string | undefined;
  readonly job?: string | undefined;
  /** Percent of the import, and its end. */
  readonly importing?: number | 'finished' | 'failed' | undefined;
  /** The job of the import once it has ended, with what it says of that. */
  readonly ended?: JobDocument | undefined;
  readonly options: UploadOptions;
  /** Whether an earlier page made its item: lists have it. */
  readonly isEarlier?: boolean | undefined;
  /** Whether the person has seen among the uploads that it failed. */
  readonly isSeen?: boolean | undefined;
}

/** Whether it did not arrive, or the service could not take it in. */
export const hasFailed = ({ state, importing }: UploadEntry): boolean =>
  state === 'failed' || (state === 'done' && importing === 'failed');

const maxAtOnce = 3;
const speedWindow = 5_000;

export interface Sample {
  readonly at: number;
  readonly sent: number;
}

/** Samples of the last seconds, with the new one. */
export const withSample = (samples: readonly Sample[], sample: Sample): readonly Sample[] => [
  ...samples.filter(({ at }) => at > sample.at - speedWindow),
  sample,
];

/** Bytes per second over the samples. Undefined while there is too little to say. */
export function speedOf(samples: readonly Sample[]): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at - first.at < 500) return undefined;
  return Math.max(0, ((last.sent - first.sent) * 1000) / (last.at - first.at));
}

export function secondsLeft({ size, sent, speed }: Pick<UploadEntry, 'size' | 'sent' | 'speed'>): number | undefined {
  return speed === undefined || speed < 1 ? undefined : Math.ceil((size - sent) / speed);
}

type FileFacts = Pick<UploadEntry, 'name' | 'size' | 'modified'>;

/** The begun upload that these bytes belong to. */
export const lostEntryOf = (entries: readonly UploadEntry[], { name, size, modified }: FileFacts) =>
  entries.find(
    (each) => each.state === 'lost' && each.name === name && each.size === size && each.modified === modified,
  );

/** Entries that may begin now. Pictures, of which nothing is transcoded, go before films. */
export function nextToSend(entries: readonly UploadEntry[]): readonly UploadEntry[] {
  const free = maxAtOnce - entries.filter(({ state }) => state === 'sending').length;
  return entries
    .filter(({ state }) => state === 'waiting')
    .toSorted((one, other) => Math.sign(one.options.tags.length) - Math.sign(other.options.tags.length))
    .slice(0, Math.max(0, free));
}

/** Percent of an import. Each of its steps counts from 0: what was told goes not back. */
export const percentRead = (before: UploadEntry['importing'], progress: number, total: number): number =>
  Math.max(typeof before === 'number' ? before : 0, total > 0 ? Math.floor((100 * progress) / total) : 0);

interface UploadSums {
  readonly files: number;
  /** Files that are sent, or wait for it. */
  readonly open: number;
  readonly lost: number;
  /** Files that did not arrive, or that the service could not take in. */
  readonly failed: number;
  /** Files that have arrived, and are taken in. */
  readonly importing: number;
  /** Items of the library. */
  readonly ready: number;
  readonly percent: number;
}

export function sumsOf(entries: readonly UploadEntry[]): UploadSums {
  const count = (...states: readonly UploadState[]) => entries.filter(({ state }) => states.includes(state)).length;
  const arrived = (end: UploadEntry['importing']) =>
    entries.filter(({ state, importing }) => state === 'done' && importing === end).length;
  const size = entries.reduce((sum, each) => sum + each.size, 0);
  const sent = entries.reduce((sum, each) => sum + (each.state === 'done' ? each.size : each.sent), 0);
  return {
    files: entries.length,
    open: count('waiting', 'sending', 'paused'),
    lost: count('lost'),
    failed: entries.filter(hasFailed).length,
    importing: count('done') - arrived('failed') - arrived('finished'),
    ready: arrived('finished'),
    percent:
      size === 0 ? (entries.length > 0 && count('done') === entries.length ? 100 : 0) : Math.floor((100 * sent) / size),
  };
}

/** `Upload-Metadata` of an upload that becomes an item. */
export function uploadMetadata(name: string, { tags, collection, fields }: UploadOptions): Record<string, string> {
  const field = Object.entries(fields)
    .filter(([, value]) => value.trim() !== '')
    .map(([key, value]) => ({ name: key, value: [{ value }] }));
  return {
    import: 'true',
    filename: name,
    ...(tags.length > 0 && { tag: tags.join(',') }),
    ...(collection !== undefined && { collection }),
    ...(field.length > 0 && { metadata: JSON.stringify({ timespan: [{ start: '-INF', end: '+INF', field }] }) }),
  };
}

const filmTags = /^(?:__(?:mp4|webm|mov|mxf)|lowres$)/;

interface FileToSend {
  /** As the browser says it. Empty: it does not know. */
  readonly type: string;
  readonly name: string;
}

/** Formats of films are asked for films alone: a document has none. What nobody knows may be a film. */
export const optionsFor = ({ type, name }: FileToSend, options: UploadOptions): UploadOptions =>
  (mediaKind(type, name) ?? 'film') === 'film'
    ? options
    : { ...options, tags: options.tags.filter((tag) => !filmTags.test(tag)) };

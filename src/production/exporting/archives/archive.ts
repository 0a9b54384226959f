import { Recent } from '../../../core/lib/cache.ts';
import { GuestRefusal, ServiceError } from '../../../core/lib/errors.ts';
import { fileNameFrom } from '../../../core/lib/file-name.ts';
import { describeError } from '../../../core/lib/log.ts';
import { passing } from '../../../core/lib/streams.ts';
import { yieldTurn } from '../../../core/lib/turn.ts';
import { type CheckSums, type ZipEntry, zipOf } from '../../../core/lib/zip.ts';
import { type Bytes, type BytesRequest, bytesReply } from '../../../http/bytes.ts';
import type { Reply } from '../../../http/reply.ts';
import type { RoomContext } from '../../../room/context.ts';
import { downloadHeaders } from '../../../storage/public.ts';
import { ArchiveContent, type ArchiveFile } from './files.ts';

export const zipType = 'application/zip';

/** Files whose check sums are remembered, and those that were missing. */
const [maxSums, maxLost] = [50_000, 10_000];
const day = 24 * 60 * 60_000;
/** Milliseconds for which an archive leaves out a file whose bytes were missing. */
const lostFor = 10 * 60_000;
/** Bytes that are read again, for their check sums alone, to go on with an archive. Beyond them it begins anew. */
const maxReadAgain = 1024 ** 3;
/** Archives whose size is remembered for HEAD, and the milliseconds for which it is. */
const [maxHeads, headFor] = [1_000, 60_000];
/** Archives at a time of one caller, and of all callers of one share. */
const [maxOfOne, maxOfGroup] = [2, 50];

/** Receiver of an archive. */
interface Taker {
  readonly id: string;
  /** Share of a guest. */
  readonly group?: string;
}

/** A taker has the right to a file whose bytes are not there. */
export class MissingFile extends GuestRefusal {
  constructor() {
    super('no-such-entity', { type: 'File', explanation: 'Expected a file in its storage' });
  }
}

interface Archive {
  readonly taker: Taker;
  /** Names what it is made of. A HEAD that comes again soon is not planned again. Undefined: each one is. */
  readonly key?: string;
  /** Fills the content once there is a place for the archive. Gives its title. */
  plan(content: ArchiveContent): Promise<string>;
  /** The bytes of a file from `from` to its end, for a taker who still has the right to them. May throw `MissingFile`. */
  open(file: ArchiveFile, from: number): Promise<ReadableStream<Uint8Array>>;
}

type Parts = Pick<RoomContext, 'store' | 'hooks' | 'clock' | 'log' | 'fingerprint'>;

interface Entry extends ZipEntry {
  /** Version of the bytes. */
  readonly key: string;
}

const keyOf = ({ fileId, content }: Pick<ArchiveFile, 'fileId' | 'content'>): string => `${fileId} ${content}`;

/**
 * Archives that are made while they are sent: of each file its bytes as they are stored, with a known length. Nothing of
 * an archive is kept. This instance remembers check sums, by which a download goes on where it broke off.
 */
export class Archives {
  readonly #parts: Parts;
  readonly #sums = new Recent<string, number>(maxSums);
  readonly #lost = new Recent<string, true>(maxLost);
  readonly #heads = new Recent<string, Head>(maxHeads);
  readonly #open = new Set<Taker>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Content of a new archive, without files that were missing a short time ago. */
  content(): ArchiveContent {
    return new ArchiveContent(this.#parts, (file) => this.#lost.get(keyOf(file), this.#parts.clock.now()) ?? false);
  }

  /** Answers an archive, or a part of it. It counts from its plan on, which is work for HEAD, too. */
  async reply(request: BytesRequest, archive: Archive): Promise<Reply> {
    const { key = '' } = archive;
    const head = request.method === 'HEAD' ? this.#heads.get(key, this.#parts.clock.now()) : undefined;
    if (head) return bytesReply(request, { ...head, open: noBytes });
    const ends = this.#take(archive.taker);
    let isSent = false;
    try {
      const sends = () => {
        isSent = true;
        return ends;
      };
      return await this.#planned(request, archive, sends);
    } finally {
      if (!isSent) ends();
    }
  }

  /** Files are opened one after the other, while the taker reads. `sends`: called when bytes are about to leave. */
  async #planned(request: BytesRequest, archive: Archive, sends: () => () => void): Promise<Reply> {
    const { clock, log } = this.#parts;
    const content = this.content();
    const title = await archive.plan(content);
    const now = clock.now();
    const list = await content.list();
    const entries = [
      ...(list ? [textEntry(list.name, list.text)] : []),
      ...content.files.map((file): Entry => this.#entry(file, archive)),
    ];
    const sumOf = new Map<ZipEntry, number>();
    for (const entry of entries) {
      const sum = this.#sums.get(entry.key, now);
      if (sum !== undefined) sumOf.set(entry, sum);
    }
    const sums: CheckSums = {
      get: (entry) => sumOf.get(entry),
      set: (entry, sum) => {
        sumOf.set(entry, sum);
        this.#sums.set((entry as Entry).key, sum, clock.now() + day);
      },
    };
    const zip = zipOf(entries, sums);
    const fails = (error: unknown) => {
      log.write('warn', 'archive-broken', { id: request.requestId, ...describeError(error) });
      return brokenOff();
    };
    const head: Head = {
      size: zip.size,
      type: zipType,
      version: await this.#versionOf(entries),
      headers: downloadHeaders(fileNameFrom(title.trim() || 'files', '.zip')),
    };
    if (archive.key !== undefined) this.#heads.set(archive.key, head, now + headFor);
    const { method, headers } = request;
    const open = (from: number, end: number) => passing(zip.open(from, end), { fails, ends: sends() });
    return bytesReply({ method, headers: withoutFarRange(headers, zip.size, zip.unknownBefore) }, { ...head, open });
  }

  #entry(file: ArchiveFile, { open }: Archive): Entry {
    const { name, size, modified } = file;
    const key = keyOf(file);
    return {
      ...{ name, size, modified, key },
      open: async (from) => {
        try {
          return await open(file, from);
        } catch (error) {
          if (error instanceof MissingFile) this.#lost.set(key, true, this.#parts.clock.now() + lostFor);
          throw error;
        }
      },
    };
  }

  /** A digest of all that the bytes of the archive follow from. */
  async #versionOf(entries: readonly Entry[]): Promise<string> {
    let digest = '';
    for (let at = 0; at < entries.length; at += 500) {
      if (at > 0) await yieldTurn();
      const rows = entries.slice(at, at + 500).map(({ name, size, modified, key }) => [name, size, modified, key]);
      digest = this.#parts.fingerprint(digest + JSON.stringify(rows));
    }
    return digest.slice(0, 27);
  }

  /** Counts an archive until the function is called. */
  #take({ id, group }: Taker): () => void {
    const all = [...this.#open];
    if (all.filter((other) => other.id === id).length >= maxOfOne) throw tooMany(maxOfOne, 'one guest or user');
    const ofGroup = group === undefined ? [] : all.filter((other) => other.group === group);
    if (ofGroup.length >= maxOfGroup) throw tooMany(maxOfGroup, 'the guests of a share');
    const own = { id, ...(group !== undefined && { group }) };
    this.#open.add(own);
    return () => this.#open.delete(own);
  }
}

/** Size and headers of an archive, without its bytes. */
type Head = Required<Pick<Bytes, 'size' | 'type' | 'version' | 'headers'>>;

function noBytes(): never {
  throw new Error('Expected no bytes of a HEAD');
}

const utf8 = new TextEncoder();

function textEntry(name: string, text: string): Entry {
  const bytes = utf8.encode(text);
  const open = (from: number) => new Response(bytes.subarray(from)).body!;
  return { name, size: bytes.byteLength, open, key: text };
}

/** Headers without a range that would cost too much to begin at: the whole archive is the answer then. */
function withoutFarRange(headers: Headers, size: number, unknownBefore: (from: number) => number): Headers {
  const [, first, last] = /^\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(headers.get('range') ?? '') ?? [];
  // Several ranges at once are of no use to anybody, and each would count.
  const from = first === undefined ? size : first === '' ? size - Number(last) : Number(first);
  if (!headers.has('range') || (first !== undefined && unknownBefore(Math.min(from, size)) <= maxReadAgain))
    return headers;
  const others = new Headers(headers);
  others.delete('range');
  return others;
}

/** Error for the taker, whose connection ends early. Servers print it: one line, without a name of a file. */
function brokenOff(): Error {
  const error = new Error('An archive broke off: the log says why');
  error.stack = error.message;
  return error;
}

const tooMany = (max: number, whose: string): ServiceError =>
  new ServiceError('too-many-transfers', {
    context: 'archive',
    explanation: `Expected at most ${max} archives of ${whose} at a time: try again shortly`,
  });

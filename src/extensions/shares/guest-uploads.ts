import type { Clock } from '../../core/lib/clock.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { groupBy } from '../../core/lib/group-by.ts';
import type { ByteBody } from '../../http/body.ts';
import type { UseRow } from './store.ts';

/** Uploads at a time of one guest, and of all guests of a share. */
const maxOfGuest = 4;
const maxOfShare = 50;
/** Milliseconds in which an upload sends a stride of bytes, or else makes room for one that has none. */
const patience = 30_000;
const stride = 65_536;

type Uploader = Pick<UseRow, 'id' | 'shareId' | 'network'>;

/** An upload of a guest. Others displace it while it sends nothing. */
export class OpenUpload {
  readonly by: Uploader;
  /** When it last sent a stride of bytes. */
  movedAt: number;
  /** Why it was displaced. Undefined: it was not. */
  refusal: ServiceError | undefined;
  readonly ended: Promise<void>;
  readonly #clock: Pick<Clock, 'now'>;
  #bytes = 0;
  #stop: ((error: ServiceError) => void) | undefined;
  #end: () => void = () => undefined;

  constructor(by: Uploader, clock: Pick<Clock, 'now'>) {
    this.by = by;
    this.#clock = clock;
    this.movedAt = clock.now();
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  end(): void {
    this.#end();
  }

  displace(): Promise<void> {
    this.refusal ??= displaced;
    this.#stop?.(displaced);
    return this.ended;
  }

  streamOf(body: ByteBody): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#stop = (error) => {
            controller.error(error);
            void body.cancel().catch(() => undefined);
          };
        },
        pull: async (controller) => {
          const piece = await body.read();
          if (this.refusal) return;
          if (!piece) return controller.close();
          const before = this.#bytes;
          this.#bytes += piece.byteLength;
          if (Math.floor(before / stride) < Math.floor(this.#bytes / stride)) this.movedAt = this.#clock.now();
          controller.enqueue(piece);
        },
        cancel: () => body.cancel(),
      },
      { highWaterMark: 0 },
    );
  }
}

/** Uploads of guests that come in at this instance. */
export class GuestUploads {
  readonly #open = new Set<OpenUpload>();
  readonly #clock: Pick<Clock, 'now'>;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Throws where the guest, or all guests of the share, send as many files as they may. The caller ends it. */
  async begin(by: Uploader): Promise<OpenUpload> {
    const own = this.#of(by).filter((upload) => upload.by.id === by.id);
    if (own.length >= maxOfGuest) await this.#makeRoom(own, tooMany(maxOfGuest, 'one guest'));
    const all = this.#of(by);
    if (all.length >= maxOfShare) {
      const byNetwork = groupBy(all, (upload) => upload.by.network);
      const [largest = []] = [...byNetwork.values()].toSorted((one, other) => other.length - one.length);
      const ofNetwork = byNetwork.get(by.network)?.length ?? 0;
      // A network with many uploads makes room for one with fewer, however busy it is.
      if (largest.length > ofNetwork + 1) await slowest(largest)!.displace();
      else await this.#makeRoom(all, tooMany(maxOfShare, 'the guests of a share'));
    }
    const upload = new OpenUpload(by, this.#clock);
    this.#open.add(upload);
    void upload.ended.then(() => this.#open.delete(upload));
    return upload;
  }

  /** Ends the uploads of a share that send nothing, which gives back their places. Whether there were any. */
  async endIdle(by: Uploader): Promise<boolean> {
    const idle = this.#of(by).filter((upload) => upload.by.id !== by.id && this.#isIdle(upload));
    await Promise.all(idle.map((upload) => upload.displace()));
    return idle.length > 0;
  }

  #of({ shareId }: Uploader): readonly OpenUpload[] {
    return [...this.#open].filter((upload) => upload.by.shareId === shareId && upload.refusal === undefined);
  }

  #isIdle = ({ movedAt }: OpenUpload): boolean => this.#clock.now() - movedAt >= patience;

  async #makeRoom(uploads: readonly OpenUpload[], full: ServiceError): Promise<void> {
    const upload = slowest(uploads.filter(this.#isIdle));
    if (!upload) throw full;
    await upload.displace();
  }
}

const slowest = (uploads: readonly OpenUpload[]): OpenUpload | undefined =>
  uploads.toSorted((one, other) => one.movedAt - other.movedAt)[0];

const tooMany = (max: number, whose: string): ServiceError =>
  new ServiceError('too-many-transfers', {
    context: 'upload',
    explanation: `Expected at most ${max} uploads of ${whose} at a time: try again shortly`,
  });

const displaced = new ServiceError('request-timeout', {
  context: 'body',
  explanation: `Expected ${stride} bytes in ${patience / 1000} s: another upload needed the place`,
});

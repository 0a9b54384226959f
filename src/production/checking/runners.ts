import type { Statement } from '../../core/store/contract.ts';
import { hook } from '../../room/hook.ts';
import type { LeasedJob } from '../../room/jobs/job-type.ts';
import type { ProbeOptions, ProbeResult, Still, StillOrder, Transcoded, TranscodeOrder } from '../../spi/index.ts';
import type { FileRow } from '../../storage/public-reading.ts';

/** Bytes that lie on their storage already, and are published from there. */
export interface StagedOutput {
  readonly storageId: string;
  readonly methodId: string;
  readonly token: string;
  readonly size: number;
  readonly hash: string | null;
  readonly digest: string | null;
  /** Index of the segments of a stream, as JSON. */
  readonly segments?: string | undefined;
}

/** File that a transcoder of this server or a runner has made. */
export interface MadeFile extends Transcoded {
  readonly staged?: StagedOutput;
}

/** Part of a job that another machine may do. */
export interface RemotePart {
  readonly job: LeasedJob;
  /** Tells the part from others of the job. */
  readonly name: string;
  readonly source: FileRow;
  /** Labels that the machine must have. With any, this server does not do the part. */
  readonly labels: readonly string[];
}

/** Work as this server does it, where no runner takes it. */
export interface WorkHere<T> {
  /** Whether something of this server can do it. */
  isAble(): Promise<boolean>;
  /** Throws what the job waits for, or fails by, where nothing can. */
  run(): Promise<T>;
}

/** Progress and result of a transcode, for its job. */
export interface TranscodeReport {
  progress(part: number): void;
  /** Name of the transcoder or the runner. */
  by(name: string): void;
}

/** Keeps stills of an order, in one commit with these statements. */
export type KeepStills = (stills: readonly Still[], also: readonly Statement[]) => Promise<void>;

/** Machines that do media work. */
export interface Runners {
  transcode(
    part: RemotePart,
    order: TranscodeOrder,
    options: TranscodeReport & { readonly storageId: string },
    here: WorkHere<MadeFile>,
  ): Promise<MadeFile>;
  /** Number of stills of the order that are kept now, with those of earlier attempts. */
  stills(part: RemotePart, order: StillOrder, keep: KeepStills, here: WorkHere<number>): Promise<number>;
  /** Whether a still of media without pictures is drawn. `isHere`: whether this server can. */
  draws(media: string, isHere: boolean): Promise<boolean>;
  probe(
    part: RemotePart,
    order: Pick<ProbeOptions, 'maxBytes' | 'embedded'>,
    here: () => Promise<ProbeResult>,
  ): Promise<ProbeResult>;
}

export const runnersHook = hook<Runners>('runners');

/** Key of the metadata of shape tags that names the labels of runners, with commas. */
export const runnerLabelsKey = 'runnerLabels';

import { loadShapes, transcodePresetDocument } from '../../../assets/shapes/public.ts';
import { readJson } from '../../../core/documents/index.ts';
import type { Pairs } from '../../../core/events/payloads.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../../core/store/contract.ts';
import { keyValuesOf } from '../../../room/entities/key-values/store.ts';
import { JobFails, JobWaits, type LeasedJob, type StepResult } from '../../../room/jobs/job-type.ts';
import type { Transcoded } from '../../../spi/index.ts';
import {
  chooseStorage,
  discard,
  fileHashes,
  fileOfJob,
  finishPending,
  inventPath,
  jobError,
  keptAlgorithms,
  nameFile,
  newFile,
  noSuchStorage,
  ruledByHook,
  storageRefusal,
  storageThere,
  targetRow,
  type Writable,
} from '../../../storage/public.ts';
import { type FileRow, findFile } from '../../../storage/public-reading.ts';
import {
  type MadeFile,
  runnerLabelsKey,
  runnersHook,
  type StagedOutput,
  type TranscodeReport,
  type WorkHere,
} from '../../checking/public.ts';
import type { TranscodingParts } from '../parts.ts';
import { containerOf, transcodeOrder } from '../presets/order.ts';
import type { Preset } from '../presets/preset.ts';
import { failedBySource, openTranscodingSource, seenIn } from '../source.ts';
import { indexOutput, nameOutputFile, type OutputRow, outputsOf, outputWritten } from '../store.ts';
import { makesStream } from '../streams/ladder.ts';
import { readSegmentIndex } from '../streams/segment-index.ts';
import type { TranscodeRequest } from '../transcode-request.ts';
import { hasTranscoder, orRunner, transcoderFor } from '../transcoders.ts';
import { formatOfOutput } from './formats.ts';

/** Makes the file of an output. */
export type Maker = (output: OutputRow, preset: Preset, report: TranscodeReport) => Promise<MadeFile>;

/**
 * Makes the files of a job that are not written yet: each of the source of its output, unless told otherwise. The data
 * of the job say how far it is.
 */
export async function writeOutputs(
  parts: TranscodingParts,
  job: LeasedJob,
  request: TranscodeRequest,
  make: Maker = ofSource(parts, job, request),
): Promise<StepResult> {
  const all = await outputsOf(parts.store, { jobId: job.id });
  const left = all.filter(({ written }) => written === 0);
  const tell = teller(parts, job, (all.length - left.length) / Math.max(1, all.length));
  tell.far(0);
  await job.begins();
  for (const [at, output] of left.entries()) {
    const done = all.length - left.length + at;
    // A publication that an earlier attempt began belongs to the first unwritten output.
    if (await finishPending(parts, job, { actor: job.actor, commit: writing(parts, job, output, []) })) continue;
    const report: TranscodeReport = {
      by: tell.by,
      progress(part) {
        tell.far((done + part) / all.length);
        job.progress(Math.round((100 * (done + part)) / all.length), 100, 'percent');
      },
    };
    await writeOutput(parts, job, request, output, make, report);
  }
  return { data: tell.far(1) };
}

/** Progress of the job, with its duration and who transcodes. `from`: share done by an earlier attempt. */
function teller({ clock }: TranscodingParts, job: LeasedJob, from: number) {
  const began = clock.now();
  const names = new Set(job.data.flatMap(([key, value]) => (key === transcoderKey ? value : [])));
  const far = (part: number): Pairs => {
    const [seconds, madePart] = [(clock.now() - began) / 1_000, part - from];
    const data: Pairs = [
      ...[...names].map((name) => [transcoderKey, name] as const),
      ['transcodeProgress', String(Math.floor(100 * Math.max(part, from)))],
      ['transcodeWallTime', seconds.toFixed(1)],
    ];
    const left: Pairs =
      madePart > 0 && part < 1 ? [['transcodeEstimatedTimeLeft', ((seconds * (1 - part)) / madePart).toFixed(1)]] : [];
    job.tells([...data, ...left]);
    return data;
  };
  return { far, by: (name: string) => void names.add(name) };
}

const transcoderKey = 'transcoder';

const writing =
  ({ store }: TranscodingParts, job: LeasedJob, { tag, rendition }: OutputRow, warnings: readonly string[]) =>
  ({ changes, events }: CommitPlan) =>
    store.commit(
      {
        changes: [
          job.mine,
          ...changes,
          outputWritten({ jobId: job.id, tag, rendition, warnings: JSON.stringify(warnings) }),
        ],
        events,
      },
      job.actor,
    );

const ofSource =
  (parts: TranscodingParts, job: LeasedJob, request: TranscodeRequest): Maker =>
  async (output, preset, report) => {
    const { store } = parts;
    const shape = (await loadShapes(store, request.itemId)).find(({ id }) => id === output.shapeId);
    const seconds = shape && (await seenIn(store, shape)).seconds;
    const order = transcodeOrder(preset, { ...request, seconds });
    const row = await fileOfJob(store, output.sourceId, 'source');
    const find = () => transcoderFor(parts.transcoders(), order, orRunner);
    const here: WorkHere<MadeFile> = {
      isAble: () => hasTranscoder(find),
      async run() {
        const transcoder = await find();
        report.by(transcoder.name);
        const source = await openTranscodingSource(parts, row, job.signal);
        return transcoder.run(source, order, { signal: job.signal, progress: report.progress });
      },
    };
    const runners = parts.hooks.find(runnersHook);
    return failedBySource(job, async () => {
      if (!runners) return here.run();
      const part = {
        job,
        name: `transcode ${output.tag} ${output.rendition}`,
        source: row,
        labels: await labelsOf(parts, output.tag),
      };
      const storageId = await storageOf(parts, request, output);
      return runners.transcode(part, order, { storageId, ...report }, here);
    });
  };

/** Labels that a shape tag asks of the machine. */
async function labelsOf({ store }: Pick<TranscodingParts, 'store'>, tag: string): Promise<readonly string[]> {
  const pairs = (await keyValuesOf(store, 'shape-tag', [tag])).get(tag) ?? [];
  const values = pairs.filter(({ key }) => key === runnerLabelsKey).flatMap(({ value }) => value.split(','));
  return values.map((value) => value.trim()).filter((value) => value !== '');
}

async function writeOutput(
  parts: TranscodingParts,
  job: LeasedJob,
  request: TranscodeRequest,
  output: OutputRow,
  make: Maker,
  report: TranscodeReport,
): Promise<void> {
  const preset = readJson(transcodePresetDocument, output.preset, parts.limits);
  const rendition = await make(output, preset, report);
  try {
    const { staged } = rendition;
    const wanted = staged ? { ...request, storageId: staged.storageId } : request;
    if (makesStream(preset)) await keepIndex(parts, job, output, rendition);
    const target = await targetOf(parts, job, wanted, output, containerOf(preset));
    await publishOutput(parts, job, target, output, rendition);
  } finally {
    await rendition.close();
  }
}

/** Stored before the file is published: a publication that a crash cuts off is finished without its bytes here. */
async function keepIndex(
  { store }: TranscodingParts,
  job: LeasedJob,
  { tag, rendition }: OutputRow,
  { body, size, staged }: MadeFile,
): Promise<void> {
  const segments = staged?.segments ?? JSON.stringify(await readSegmentIndex(body(), size));
  await store.commit(changing(job.mine, indexOutput({ jobId: job.id, tag, rendition, segments })), job.actor);
}

/** The file that an output goes to: its row is there before its bytes. */
async function targetOf(
  parts: TranscodingParts,
  job: LeasedJob,
  request: TranscodeRequest,
  { tag, rendition, fileId, newShapeId }: OutputRow,
  format: string,
): Promise<FileRow> {
  const { store, destinations, clock } = parts;
  const file = await begunFile(parts, { fileId });
  if (file) return file;
  const storageId = request.storageId ?? (await chosenStorage(parts, request, tag));
  try {
    const storage = await destinations.storageOf(storageId);
    const { driver } = await destinations.writableOf(storage);
    const id = await store.nextId('file');
    const unnamed = {
      storageId,
      fileId: id,
      itemId: request.destination,
      shapeId: newShapeId,
      shapeTag: [tag],
      tell: (sentence: string) => job.subStep(sentence),
      extension: formatOfOutput(format).ending,
      preferredPaths: [],
    };
    const path = await inventPath(parts, unnamed, driver, job.actor);
    const insertTarget = newFile(targetRow(id, storageId, path, clock.now()), changedMeanwhile('File', id));
    const changes: Statement[] = [
      job.mine,
      storageThere({ id: storageId }, noSuchStorage(storageId)),
      ...insertTarget.changes,
      nameFile({ fileId: id, jobId: job.id }),
      nameOutputFile({ jobId: job.id, tag, rendition, fileId: id }),
    ];
    await store.commit({ changes, events: insertTarget.events }, job.actor);
    return (await findFile(store, { id }))!;
  } catch (error) {
    throw jobError(error, storageId);
  }
}

/** The row of an earlier attempt, whose bytes have not come. */
async function begunFile({ store }: TranscodingParts, { fileId }: Pick<OutputRow, 'fileId'>) {
  const file = fileId === null ? undefined : await findFile(store, { id: fileId });
  return file?.state === 'TO_APPEAR' ? file : undefined;
}

/** Storage that an output goes to. */
const storageOf = async (parts: TranscodingParts, request: TranscodeRequest, output: OutputRow): Promise<string> =>
  (await begunFile(parts, output))?.storageId ?? request.storageId ?? (await chosenStorage(parts, request, output.tag));

async function chosenStorage({ store, hooks }: TranscodingParts, { destination }: TranscodeRequest, tag: string) {
  const ruled = await hooks.need(ruledByHook)(store, { item: destination });
  const id = await chooseStorage(store, { ...ruled, tags: [tag] });
  if (id !== undefined) return id;
  throw new JobWaits({ resourceType: 'STORAGE', resourceId: tag, requirement: 'StorageFull' });
}

async function publishOutput(
  parts: TranscodingParts,
  job: LeasedJob,
  target: FileRow,
  output: OutputRow,
  transcoded: MadeFile,
): Promise<void> {
  const { destinations, publishing } = parts;
  const { storageId, path, id } = target;
  try {
    const to = await destinations.writableOf(await destinations.storageOf(storageId));
    const { token, size, hash, digest } = transcoded.staged ?? (await stagedHere(parts, to, transcoded, job));
    if (size !== transcoded.size) {
      await discard(to.driver, token);
      throw new JobFails(`Expected ${transcoded.size} bytes from the transcoder: found ${size}`);
    }
    // Bytes are staged at one method of a storage: its other methods do not know them.
    if (transcoded.staged && transcoded.staged.methodId !== to.method.id) throw changedMeanwhile('Storage', storageId);
    const place = { methodId: to.method.id, storageId, path, fileId: id, mode: 'create' as const };
    const bytes = { token, size, hash, digest, state: 'CLOSED', transferId: null, jobId: job.id };
    const by = { actor: job.actor, commit: writing(parts, job, output, transcoded.warnings) };
    await publishing.publish({ ...bytes, ...place }, to.driver, by, [job.mine]);
  } catch (error) {
    throw jobError(error, storageId);
  }
}

async function stagedHere(
  { space }: TranscodingParts,
  { method, driver }: Writable,
  transcoded: Transcoded,
  job: LeasedJob,
): Promise<Pick<StagedOutput, 'token' | 'size' | 'hash' | 'digest'>> {
  const storage = method.storageId;
  await space.mustHold(method, driver, transcoded.size);
  try {
    const options = { hashes: keptAlgorithms, size: transcoded.size, signal: job.signal };
    const { token, size, hashes } = await driver.stage!(transcoded.body(), options);
    return { token, size, ...fileHashes(hashes) };
  } catch (error) {
    throw storageRefusal(error, { storage });
  }
}

import { joined } from '../../core/lib/bytes.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { systemActor } from '../../core/store/contract.ts';
import type { ByteBody } from '../../http/body.ts';
import { bytesRequest } from '../../http/bytes.ts';
import { sentBytesOf } from '../../http/form-body.ts';
import { raw } from '../../http/forms.ts';
import { badParameter, whole } from '../../http/parameters/index.ts';
import { anybody, type Route, route } from '../../http/route.ts';
import {
  maxHeadBytes,
  mostBytes,
  type SegmentIndex,
  segmentIndexOf,
  streamFormat,
} from '../../production/transcoding/public.ts';
import { JobFails } from '../../room/jobs/job-type.ts';
import type { StillOrder, TranscodeOrder } from '../../spi/index.ts';
import {
  ByteSource,
  discard,
  download,
  extensionOf,
  fileHashes,
  keptAlgorithms,
  sourceStream,
  storageRefusal,
  type Writable,
} from '../../storage/public.ts';
import { findFile } from '../../storage/public-reading.ts';
import { type Addresses, bytesPath, signedQuery } from './addresses.ts';
import type { RunnerParts } from './parts.ts';
import { type Ended, noSuchTask } from './rules.ts';
import { claimHolds, heldTask, keepResult, putStill, resultStands, type TaskRow } from './store.ts';

const octets = ['application/octet-stream'] as const;

/** The bytes of tasks, for callers with their addresses. No answer tells a path, a name or another file. */
export function byteRoutes(parts: RunnerParts, addresses: Addresses): readonly Route[] {
  const { store, clock, destinations, space, settings } = parts;

  async function held(claim: string): Promise<TaskRow> {
    const row = await heldTask(store, claim, clock.now());
    if (row) return row;
    throw noSuchTask(claim);
  }

  /** Errors of storages name their paths. */
  async function nameless<T>(claim: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ServiceError) || !ofStorage.has(error.code)) throw error;
      throw new ServiceError(error.code, { type: 'runner-task', id: claim });
    }
  }

  const stays = (claim: string) => claimHolds({ claim, now: clock.now() }, noSuchTask(claim));

  async function takeStill({ key, claim, request }: TaskRow, number: number, body: ByteBody) {
    if (number >= (JSON.parse(request) as StillOrder).seconds.length) {
      throw badParameter('still', 'Expected a still of the order', String(number));
    }
    const pieces: Uint8Array[] = [];
    let size = 0;
    for (let piece = await body.read(); piece; piece = await body.read()) {
      size += piece.byteLength;
      if (size > mostBytes) throw badSize(`Expected at most ${mostBytes} bytes`);
      pieces.push(piece.slice());
    }
    const bytes = joined(pieces);
    await commit(changing(stays(claim!), putStill({ key, number, bytes })), key);
  }

  const commit = (plan: ReturnType<typeof changing>, key: string) =>
    store.commit({ ...plan, touches: [{ kind: 'runner-task', id: key, aspect: 'state' }] }, systemActor);

  /** Results that come in at this instance, by claim. A runner that sends one again has given up the one before. */
  const coming = new Map<string, ByteBody>();

  async function takeFile(task: TaskRow, size: number, body: ByteBody) {
    const claim = task.claim!;
    const earlier = coming.get(claim);
    coming.set(claim, body);
    await earlier?.cancel();
    try {
      await stageFile(task, size, body);
    } finally {
      if (coming.get(claim) === body) coming.delete(claim);
    }
  }

  async function stageFile({ claim, key, storageId, request }: TaskRow, size: number, body: ByteBody) {
    if (size > settings.maxTransferBytes) throw badSize(`Expected at most ${settings.maxTransferBytes} bytes`);
    const { method, driver } = await destinations.writableOf(await destinations.storageOf(storageId!));
    await space.mustHold(method, driver, size);
    const source = new ByteSource(body);
    const isStream = (JSON.parse(request) as TranscodeOrder).format === streamFormat;
    const head: Uint8Array[] = [];
    const stream = sourceStream(source, Number.POSITIVE_INFINITY, (piece) => {
      if (source.taken > size) throw badSize(`Expected ${size} bytes, as the header size says`);
      if (isStream && source.taken - piece.byteLength < maxHeadBytes) head.push(piece.slice());
    });
    let staged: Awaited<ReturnType<NonNullable<typeof driver.stage>>>;
    try {
      staged = await driver.stage!(stream, { hashes: keptAlgorithms, size });
    } catch (error) {
      throw source.failure ?? storageRefusal(error, { storage: storageId! });
    }
    const { token, hashes } = staged;
    try {
      const segments = isStream ? JSON.stringify(indexOf(joined(head), size)) : undefined;
      const staged = { methodId: method.id, token, size, ...fileHashes(hashes) };
      const result: Ended = { outcome: { staged: { ...staged, ...(segments && { segments }) } }, warnings: [] };
      const before = (await held(claim!)).result;
      const resultRow = { claim: claim!, result: JSON.stringify(result) };
      await commit(
        changing(stays(claim!), resultStands({ claim: claim!, before }, sentAgain), keepResult(resultRow)),
        key,
      );
      if (before !== null) await discardResult(JSON.parse(before) as Ended, { method, driver });
    } catch (error) {
      await discard(driver, token);
      throw error;
    }
  }

  return [
    route({
      method: 'GET',
      path: `${bytesPath}/source`,
      says: 'The media of a task of a runner, for callers with its address.',
      query: signedQuery,
      answers: raw('bytes', octets),
      access: anybody,
      async handle(call, { claim }) {
        await addresses.check(call.query, claim, 'source');
        const { fileId } = await held(claim);
        const row = await findFile(store, { id: fileId });
        if (!row) throw noSuchTask(claim);
        const name = `source${extensionOf(row.path)}`;
        return nameless(claim, () => download(parts, bytesRequest(call), { ...row, name }));
      },
    }),
    route({
      method: 'PUT',
      path: `${bytesPath}/target`,
      says: 'Takes the result of a task of a runner, from callers with its address.',
      query: { ...signedQuery, still: whole('Number of the still in the order, from 0') },
      reads: raw('bytes'),
      access: anybody,
      acting: 'allowed',
      async handle(call, { claim }) {
        await addresses.check(call.query, claim, 'target');
        const task = await held(claim);
        const sent = sentBytesOf(call);
        const { size } = sent.extent();
        const { still } = call.query;
        const body = sent.open(parts.hasher);
        try {
          if (task.kind === 'stills' && still !== undefined) await takeStill(task, still, body);
          else if (task.storageId === null) throw badParameter('still', 'Expected the number of a still', '');
          else if (size === undefined) throw badSize('Expected the number of bytes in the header size');
          else await nameless(claim, () => takeFile(task, size, body));
        } finally {
          await body.cancel();
        }
      },
    }),
  ];
}

const ofStorage: ReadonlySet<string> = new Set([
  'no-such-entity',
  'storage-unable',
  'storage-denied',
  'storage-offline',
  'no-space',
]);

/** Bytes that were sent before. Those of another way to the storage are for its sweep. */
async function discardResult({ outcome }: Ended, { method, driver }: Writable): Promise<void> {
  if ('staged' in outcome && outcome.staged.methodId === method.id) await discard(driver, outcome.staged.token);
}

const sentAgain = changedMeanwhile('Task', 'runner-task');

/** The index of a stream, which players need. */
function indexOf(head: Uint8Array, size: number): SegmentIndex {
  try {
    return segmentIndexOf(head, size);
  } catch (error) {
    if (error instanceof JobFails) throw badSize(error.message);
    throw error;
  }
}

const badSize = (explanation: string): ServiceError => new ServiceError('bad-value', { context: 'body', explanation });

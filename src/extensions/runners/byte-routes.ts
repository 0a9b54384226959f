import { joined } from '../../core/lib/bytes.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { systemActor } from '../../core/store/contract.ts';
import type { ByteBody } from '../../http/body.ts';
import { bytesRequest } from '../../http/bytes.ts';
import { sentBytesOf } from '../../http/form-body.ts';
import { raw } from '../../http/forms.ts';
import { badParameter, whole } from '../../http/parameters/index.ts';
import { anybody, type Route, route } from '../../http/route.ts';
import { mostBytes } from '../../production/transcoding/public.ts';
import type { StillOrder } from '../../spi/index.ts';
import { ByteSource, discard, download, extensionOf, sourceStream, storageRefusal } from '../../storage/public.ts';
import { findFile } from '../../storage/public-reading.ts';
import { type Addresses, bytesPath, signedQuery } from './addresses.ts';
import type { RunnerParts } from './parts.ts';
import { type Ended, noSuchTask } from './rules.ts';
import { claimHolds, heldTask, keepResult, putStill, type TaskRow } from './store.ts';

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

  async function takeFile({ claim, key, storageId }: TaskRow, size: number, body: ByteBody) {
    if (size > settings.maxTransferBytes) throw badSize(`Expected at most ${settings.maxTransferBytes} bytes`);
    const { method, driver } = await destinations.writableOf(await destinations.storageOf(storageId!));
    await space.mustHold(method, driver, size);
    const source = new ByteSource(body);
    const stream = sourceStream(source, Number.POSITIVE_INFINITY, () => {
      if (source.taken > size) throw badSize(`Expected ${size} bytes, as the header size says`);
    });
    let staged: Awaited<ReturnType<NonNullable<typeof driver.stage>>>;
    try {
      staged = await driver.stage!(stream, { hashes: ['SHA-1'], size });
    } catch (error) {
      throw source.failure ?? storageRefusal(error, { storage: storageId! });
    }
    const { token, hashes } = staged;
    const result: Ended = {
      outcome: { staged: { methodId: method.id, token, size, hash: hashes['SHA-1'] ?? null } },
      warnings: [],
    };
    try {
      await commit(changing(stays(claim!), keepResult({ claim: claim!, result: JSON.stringify(result) })), key);
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

const badSize = (explanation: string): ServiceError => new ServiceError('bad-value', { context: 'body', explanation });

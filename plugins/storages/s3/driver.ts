import type { Component, Host, PropertyTable, StorageDriver, StorageScheme } from '../../../src/spi/index.ts';
import { fault } from '../faults.ts';
import { lazyBody } from '../lazy-body.ts';
import { byteLength, isPath, shortPath } from '../paths.ts';
import { type BucketFolder, bucketFolder } from './address.ts';
import { notStaged, StoreRefusal } from './answers.ts';
import { restoreRequest, restoreTiers, staysRestored } from './archive.ts';
import { createClient, type StoreLimits } from './client.ts';
import { listObjects, listPage, ownPrefix } from './listing.ts';
import { changedFault, createObjects } from './objects.ts';
import { multipartSink } from './part-sink.ts';
import { createPublish, type PublishParts } from './publish.ts';
import { createS3Staging, stageBody } from './staging.ts';
import { createUploads } from './uploads.ts';

interface BucketOptions extends StoreLimits, Pick<PublishParts, 'leastPart' | 'conditional'> {
  /** Milliseconds until the store has put all parts together. */
  readonly completeWithin: number;
}

/** Bytes of a key. */
const maxKeyLength = 1024;
/** Seconds that a signed address can last. */
const maxSignedLength = 7 * 24 * 3600;

/** Files in a bucket of S3, or of a store that speaks as it does. */
function openBucket(host: Host, folder: BucketFolder, options: BucketOptions): StorageDriver {
  const client = createClient(host, folder, { answerWithin: options.answerWithin, idle: options.idle });
  const objects = createObjects(client, host.now);
  const uploads = createUploads(client, options.completeWithin);
  const staging = createS3Staging(client, uploads, host);
  const publish = createPublish({ ...options, client, objects, staging, uploads });

  function check(path: string): void {
    if (!isPath(path) || path.startsWith(ownPrefix))
      throw fault('bad-path', 'Expected a path without empty parts, "." and ".."');
    if (byteLength(folder.prefix + path) > maxKeyLength)
      throw fault('bad-path', `Expected a key of at most ${maxKeyLength} bytes`);
  }

  return {
    can: { list: true, write: true, parts: true, createOnly: options.conditional, sign: true },

    async check(signal) {
      await listPage(client, { limit: 1, signal });
      return { identity: folder.base + folder.prefix };
    },

    async stat(path, signal) {
      check(path);
      return (await objects.look(path, signal))?.file;
    },

    async read(path, { range, version, signal } = {}) {
      check(path);
      const file = (await objects.look(path, signal))?.file;
      if (!file) throw fault('not-found', `Expected a file at "${shortPath(path)}"`);
      if (version !== undefined && version !== file.version) throw changedFault(file);
      if (file.archive?.state === 'archived' || file.archive?.state === 'restoring')
        throw fault('archived', `Expected a file that can be read: its class is ${file.archive.storageClass}`);
      const { from, end } = range ?? { from: 0, end: file.size };
      if (!(from >= 0 && from <= end && end <= file.size))
        throw fault('range', `Expected a range within the ${file.size} bytes of the file`);
      return {
        file,
        body: lazyBody({ range: { from, end }, signal, ask: (part) => objects.bytes(file, part, signal) }),
      };
    },

    list: (options) => listObjects(client, options),
    stage: (body, given) => stageBody(staging, host, body, { ...given, leastPart: options.leastPart }),

    async openParts({ size, token: earlier }) {
      if (earlier !== undefined) {
        const waiting = await staging.find(earlier);
        if (waiting?.size !== size) throw notStaged();
        return multipartSink(staging, earlier, size);
      }
      const token = staging.newToken();
      await staging.putSize(token, size);
      return multipartSink(staging, token, size);
    },

    async publish(token, path, mode) {
      check(path);
      return publish(token, path, mode);
    },

    discard: (token) => staging.discard(token),
    staged: () => staging.staged(),

    async remove(path) {
      check(path);
      // S3 reports success for missing objects, too, so the object is looked up first.
      if (!(await objects.look(path))) return false;
      await client.headers({ method: 'DELETE', key: path });
      return true;
    },

    restoreTiers,

    async restore(path, { days, tier, signal }) {
      check(path);
      const storageClass = (await objects.look(path, signal))?.file.archive?.storageClass ?? '';
      const text = restoreRequest(staysRestored(storageClass) ? undefined : days, tier);
      const request = {
        method: 'POST',
        key: path,
        query: { restore: '' },
        body: new TextEncoder().encode(text),
      } as const;
      await client.headers({ ...request, signal }).catch((error: unknown) => {
        if (!(error instanceof StoreRefusal) || error.code !== 'RestoreAlreadyInProgress') throw error;
      });
    },

    async sign(path, { method, seconds }) {
      check(path);
      return client.sign(method, path, Math.min(seconds, maxSignedLength));
    },
  };
}

interface Properties {
  readonly answerWithin: number;
  readonly completeWithin: number;
  readonly idle: number;
  readonly conditionalWrites: boolean;
  readonly leastPart: number;
}

const mebibyte = 1024 * 1024;

const properties: PropertyTable = {
  answerWithin: { type: 'duration', fallback: 30_000, says: 'Maximum time until the store answers.' },
  completeWithin: {
    type: 'duration',
    fallback: 600_000,
    says: 'Maximum time to assemble the parts of a file.',
  },
  idle: { type: 'duration', fallback: 60_000, says: 'Maximum time between two bytes, in either direction.' },
  conditionalWrites: {
    type: 'boolean',
    fallback: true,
    says: 'False for stores without If-None-Match. A file that another program writes at the same time may then be lost.',
  },
  leastPart: {
    type: 'integer',
    fallback: 5 * mebibyte,
    says: 'Minimum size in bytes of each part of an upload except the last, as the store requires.',
    check: (bytes: number) => (bytes >= 1 ? undefined : 'Expected at least one byte'),
  },
};

/** Keeps files in buckets of S3 and of stores that speak as it does. */
export const bucketStorage: Component<StorageScheme> = {
  says: 'Stores files in buckets of S3 and compatible stores. Methods: s3://KEY:SECRET@bucket/folder/.',
  properties,
  create: ({ conditionalWrites, ...limits }: Properties, host): StorageScheme => ({
    schemes: ['s3'],
    hosts: ['server', 'edge'],
    defect(address) {
      const folder = bucketFolder(address);
      return 'defect' in folder ? folder.defect : undefined;
    },
    open(address) {
      const folder = bucketFolder(address);
      if ('defect' in folder) throw fault('offline', folder.defect);
      return openBucket(host, folder, { ...limits, conditional: conditionalWrites });
    },
  }),
};

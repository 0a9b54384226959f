import { JobFails, type LeasedJob } from '../../../room/jobs/job-type.ts';
import { sha256Of } from '../../../storage/public.ts';
import { findFile } from '../../../storage/public-reading.ts';
import type { ExportParts } from '../parts.ts';
import { type ExportedFile, type ExportRow, payloadOf } from '../store.ts';
import type { ExportMemo } from './export-job.ts';
import { type ExportedBytes, textBytes } from './write.ts';

/** Bags of BagIt 1.0 (RFC 8493). Files of items are its payload, and their metadata are tag files. */

const declaration = 'bagit.txt';
const manifest = 'manifest-sha256.txt';
const information = 'bag-info.txt';
const tagManifest = 'tagmanifest-sha256.txt';

const tag = (name: string, itemId = ''): ExportedFile => [itemId, '', '', name];

/** The declaration comes first: its name takes the folder of the bag. What has the hashes of others comes last. */
export const firstOfBag: readonly ExportedFile[] = [tag(declaration)];
export const lastOfBag: readonly ExportedFile[] = [manifest, information, tagManifest].map((name) => tag(name));
export const metadataInBag = (itemId: string): ExportedFile => tag(`metadata/${itemId}.xml`, itemId);

/** Programs differ in how they read a percent sign in a manifest. */
export const payloadName = (itemId: string, name: string): string => `data/${itemId}/${name.replaceAll('%', '_')}`;

export const isDeclaration = ({ wished, fileId }: Pick<ExportRow, 'wished' | 'fileId'>): boolean =>
  fileId === '' && wished === declaration;

interface BagParts {
  readonly parts: ExportParts;
  readonly job: LeasedJob<ExportMemo>;
  readonly memo: ExportMemo;
  /** Path of the bag below the destination, with "/" at its end. */
  readonly folder: string;
  /** The exported files of the job, in pages. */
  rows(): AsyncIterable<ExportRow>;
}

/** Bytes of a tag file. `metadata`: those of an item. */
export async function tagBytes(
  bag: BagParts,
  { wished, itemId }: ExportRow,
  metadata: (itemId: string) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<ExportedBytes> {
  switch (wished) {
    case declaration:
      return textBytes('BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n');
    case information:
      return textBytes(await informationOf(bag));
    case manifest:
      return linesOf(bag, ({ fileId }) => fileId !== '');
    case tagManifest:
      return linesOf(bag, ({ fileId }) => fileId === '');
    default: {
      const bytes = await metadata(itemId);
      return { body: new Blob([bytes]).stream(), size: bytes.byteLength };
    }
  }
}

async function informationOf({ parts: { store, clock }, job, memo }: BagParts): Promise<string> {
  const { files, bytes } = (await payloadOf(store, { jobId: job.id }))!;
  return [
    `Bag-Software-Agent: Portico`,
    `Bagging-Date: ${new Date(clock.now()).toISOString().slice(0, 10)}`,
    `External-Identifier: ${memo.id}`,
    `Payload-Oxum: ${bytes}.${files}`,
    '',
  ].join('\n');
}

/** Hash and path of each exported file that is wanted, a line each. A large bag has more lines than memory should. */
function linesOf({ folder, rows }: BagParts, isWanted: (row: ExportRow) => boolean): ExportedBytes {
  const encoder = new TextEncoder();
  const iterator = rows()[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
          const { name, sha256 } = next.value;
          if (!isWanted(next.value)) continue;
          return controller.enqueue(encoder.encode(`${sha256}  ${name!.slice(folder.length)}\n`));
        }
        controller.close();
      },
      cancel: async () => void (await iterator.return?.()),
    },
    { highWaterMark: 0 },
  );
  return { body, size: undefined };
}

/** Fails the job where bytes are not those that the service knows: a manifest would vouch for them. */
export async function requireKnownBytes(
  { store }: ExportParts,
  { fileId }: Pick<ExportRow, 'fileId'>,
  sha256: string,
): Promise<void> {
  const row = await findFile(store, { id: fileId });
  const expected = row && sha256Of(row);
  if (expected === undefined || expected === sha256) return;
  throw new JobFails(`Expected the SHA-256 "${expected}" of the file ${fileId}: found "${sha256}"`);
}

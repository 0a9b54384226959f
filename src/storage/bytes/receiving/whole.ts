import { ServiceError } from '../../../core/lib/errors.ts';
import type { ByteBody } from '../../../http/body.ts';
import type { Staged } from '../../../spi/index.ts';
import { storageRefusal } from '../../places/refusals.ts';
import { discard } from '../publishing/publish.ts';
import { stride } from '../transfers/write-part.ts';
import { ByteSource, sourceStream } from './byte-source.ts';
import type { Writable } from './destination.ts';
import type { Space } from './space.ts';
import type { Uploads } from './uploads.ts';

interface StagingParts {
  readonly uploads: Uploads;
  readonly space: Space;
}

/** Bytes that come in one go. */
interface WholeBody {
  readonly body: ByteBody;
  readonly owner: string;
  /** Size as announced by the client. */
  readonly size: number | undefined;
}

/** Takes bytes that come in one go. Nothing stays where they do not all come. */
export async function stageWhole(
  { uploads, space }: StagingParts,
  { method, driver }: Writable,
  { body, owner, size }: WholeBody,
): Promise<Staged> {
  const source = new ByteSource(body);
  const upload = uploads.begin(owner, size ?? 0);
  let refusal: unknown;

  async function look(count: number): Promise<void> {
    if (size === undefined) upload.take(count);
    else if (source.taken > size) throw otherSize(size);
    const crosses = Math.floor(source.taken / stride) > Math.floor((source.taken - count) / stride);
    if (crosses) await space.mustHold(method, driver, 0);
  }

  try {
    await space.mustHold(method, driver, size ?? 0);
    const stream = sourceStream(source, Number.POSITIVE_INFINITY, async ({ byteLength }) => {
      try {
        await look(byteLength);
      } catch (error) {
        refusal = error;
        throw error;
      }
    });
    const announced = body.length === undefined ? {} : { size: body.length };
    const staged = await driver.stage!(stream, { hashes: ['SHA-1'], ...announced });
    if (size === undefined || staged.size === size) return staged;
    await discard(driver, staged.token);
    throw otherSize(size);
  } catch (error) {
    throw refusal ?? source.failure ?? storageRefusal(error, { storage: method.storageId });
  } finally {
    upload.end();
  }
}

const otherSize = (size: number): ServiceError =>
  new ServiceError('bad-value', { context: 'body', explanation: `Expected ${size} bytes, as the header size says` });

import { ServiceError } from '../../../core/lib/errors.ts';

export interface UploadLimits {
  readonly maxTransfers: number;
  readonly maxTransferBytes: number;
}

interface Running {
  uploads: number;
  bytes: number;
}

export type Uploads = ReturnType<typeof createUploads>;

/** Counts what each user uploads in one go just now: uploads in parts are counted by their rows. */
export function createUploads({ maxTransfers, maxTransferBytes }: UploadLimits) {
  const users = new Map<string, Running>();

  return {
    /** Throws where the user uploads too much at once. The caller ends it. */
    begin(owner: string, announced: number) {
      const running = users.get(owner) ?? { uploads: 0, bytes: 0 };
      let bytes = 0;

      function take(count: number): void {
        if (bytes + count > maxTransferBytes) throw tooLarge(maxTransferBytes);
        if (running.bytes + count > maxTransferBytes) throw tooManyBytes(maxTransferBytes);
        bytes += count;
        running.bytes += count;
      }

      if (running.uploads >= maxTransfers) throw tooManyUploads(maxTransfers);
      take(announced);
      running.uploads++;
      users.set(owner, running);
      return {
        /** Takes bytes of an upload that does not say how many come. */
        take,
        end(): void {
          running.uploads--;
          running.bytes -= bytes;
          if (running.uploads === 0) users.delete(owner);
        },
      };
    },
  };
}

export const tooManyUploads = (most: number): ServiceError =>
  new ServiceError('too-many-transfers', {
    context: 'upload',
    explanation: `Expected at most ${most} open uploads of one user (setting maxTransfers): finish or end one`,
  });

export const tooManyBytes = (most: number): ServiceError =>
  new ServiceError('too-many-transfers', {
    context: 'upload',
    explanation: `Expected at most ${most} bytes in all open uploads of one user (setting maxTransferBytes): finish or end one`,
  });

export const tooLarge = (most: number): ServiceError =>
  new ServiceError('body-too-large', {
    context: 'body',
    explanation: `Expected at most ${most} bytes (setting maxTransferBytes)`,
  });

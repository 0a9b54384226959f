import { ServiceError } from '../../core/lib/errors.ts';

export const noSuchFile = (name: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'File', id: name.slice(0, 80) });

interface TakenPath {
  readonly storageId: string;
  readonly path: string;
  /** Undefined: no row knows the file. */
  readonly fileId?: string;
}

/** Error for a taken path, with the id of the existing file: clients continue with that file. */
export const fileTaken = ({ storageId, path, fileId }: TakenPath): ServiceError =>
  new ServiceError('file-exists', {
    type: 'File',
    storageId,
    path,
    ...(fileId !== undefined && { id: fileId, fileId }),
    explanation: 'Expected a path that no file has',
  });

export const pathTaken = ({ id, ...place }: { readonly id: string } & TakenPath): ServiceError =>
  fileTaken({ ...place, fileId: id });

/** Error for a request that the storage cannot fulfil. */
export const unable = (storageId: string, explanation: string): ServiceError =>
  new ServiceError('storage-unable', { context: 'storage', id: storageId, explanation });

export const isTaken = (error: unknown): boolean => error instanceof ServiceError && error.code === 'file-exists';

import { ServiceError } from '../../lib/errors.ts';

export const noSuchStorage = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'Storage', id: id.slice(0, 80) });

export const noSuchFile = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'File', id: id.slice(0, 80) });

export const noSuchTransfer = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'Transfer', id: id.slice(0, 80) });

interface Taken {
  readonly storageId: string;
  readonly path: string;
  /** Undefined: no row knows the file. */
  readonly fileId?: string;
}

/** Clients go on with the file whose id they are told. */
export const fileTaken = ({ storageId, path, fileId }: Taken): ServiceError =>
  new ServiceError('file-exists', {
    type: 'File',
    storageId,
    path,
    ...(fileId !== undefined && { id: fileId, fileId }),
    explanation: 'Expected a path that no file has',
  });

export const unable = (storageId: string, explanation: string): ServiceError =>
  new ServiceError('storage-unable', { context: 'storage', id: storageId, explanation });

export const badHeader = (name: string, explanation: string, value: string): ServiceError =>
  new ServiceError('bad-header', { context: `header ${name}`, explanation, value: value.slice(0, 80) });

export const partConflict = (id: string, explanation: string): ServiceError =>
  new ServiceError('part-conflict', { type: 'Transfer', id, explanation });

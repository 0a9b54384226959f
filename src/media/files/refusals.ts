import { ServiceError } from '../../lib/errors.ts';

export const noSuchFile = (name: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'File', id: name.slice(0, 80) });

export const noSuchStorage = (name: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'Storage', id: name.slice(0, 80) });

interface Taken {
  readonly storageId: string;
  readonly path: string;
  readonly id: string;
}

/** Clients go on with the file whose id they are told. */
export const pathTaken = ({ storageId, path, id }: Taken): ServiceError =>
  new ServiceError('file-exists', {
    type: 'File',
    id,
    storageId,
    fileId: id,
    path,
    explanation: 'Expected a path that no file has',
  });

/** The storage cannot do what is asked. */
export const unable = (storageId: string, explanation: string): ServiceError =>
  new ServiceError('storage-unable', { context: 'storage', id: storageId, explanation });

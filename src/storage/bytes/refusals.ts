import { ServiceError } from '../../core/lib/errors.ts';

export const noSuchTransfer = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'Transfer', id: id.slice(0, 80) });

export const badHeader = (name: string, explanation: string, value: string): ServiceError =>
  new ServiceError('bad-header', { context: `header ${name}`, explanation, value: value.slice(0, 80) });

export const partConflict = (id: string, explanation: string): ServiceError =>
  new ServiceError('part-conflict', { type: 'Transfer', id, explanation });

import { oneLine } from '../../http/reply.ts';
import type { WaitReason } from '../job-type.ts';
import type { GoingJob } from './store.ts';

/** A job as a line for people: what it is, and how far. */
export function lineOf({ id, type, status, step, waiting, description, progress, total, unit }: GoingJob): string {
  const parts = [id, type, status];
  if (step !== null) parts.push(`${step} ${description ?? ''}`.trim());
  if (progress !== null && total !== null && total > 0) {
    parts.push(`${Math.floor((100 * progress) / total)} %${unit === 'bytes' ? ` of ${total} bytes` : ''}`);
  }
  if (waiting !== null) {
    const { requirement, resourceId } = JSON.parse(waiting) as WaitReason;
    parts.push(`waits: ${requirement} ${resourceId}`);
  }
  return parts.map(oneLine).join('\t');
}

import { badParameter } from '../../http/parameters/index.ts';
import { ServiceError } from '../../lib/errors.ts';
import { type ComponentRow, type ExpectedKind, kindFull } from '../../shapes/public.ts';

/** The components of a kind that a placeholder still expects: that with the index, or all of them. */
export function expectedOf(
  components: readonly ComponentRow[],
  kind: ExpectedKind,
  index: number | undefined,
): readonly ComponentRow[] {
  const ofKind = components.filter((each) => each.kind === kind);
  if (index === undefined) {
    const open = ofKind.filter(({ expected }) => expected === 1);
    if (open.length === 0) throw kindFull(kind);
    return open;
  }
  const named = ofKind[index];
  if (!named) throw badParameter('index', `Expected an index below ${ofKind.length}`, String(index));
  if (named.expected === 0) throw kindFull(kind);
  return [named];
}

/** Clients read the id of the job out of the last brackets. */
export const beingImported = (kind: ExpectedKind, jobId: string): ServiceError =>
  new ServiceError('bad-value', {
    context: 'job',
    explanation: `Expected a component that no job imports now: every ${kind} has one [${jobId}]`,
    value: `${kind.toUpperCase()}_COMPONENT`,
  });

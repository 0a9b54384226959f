import { ServiceError } from '../../core/lib/errors.ts';
import type { Maybe } from '../../core/lib/maybe.ts';
import type { RoomContext } from '../../room/context.ts';
import { hook } from '../../room/hook.ts';
import type { Caller } from '../../security/caller.ts';
import type { Shape } from './load.ts';

/** Part of a shape by which it is told whether it may leave the service. */
export type ReviewedShape = Pick<Shape, 'id' | 'itemId' | 'essenceVersion' | 'tags' | 'createdAt'>;

/** Rule that some shapes leave the service only in an approved version. */
interface Approvals {
  /** Refusals by the ids of shapes whose version is not approved. Empty: all may leave. */
  refused(shapes: readonly ReviewedShape[]): Promise<ReadonlyMap<string, ServiceError>>;
  /** Whether the caller gives approvals, and so must see what is not approved. */
  isReviewer(caller: Caller): Maybe<boolean>;
}

export const approvalHook = hook<Approvals>('review');

type Parts = Pick<RoomContext, 'hooks'>;

const nothing: ReadonlyMap<string, ServiceError> = new Map();

/** Refusals of shapes that may not be exported or shared, by their ids. */
export const refusedShapes = async (
  { hooks }: Parts,
  shapes: readonly ReviewedShape[],
): Promise<ReadonlyMap<string, ServiceError>> => (await hooks.find(approvalHook)?.refused(shapes)) ?? nothing;

/** Throws unless each of the shapes may be exported and shared. `reviewer`: who may be one, and then gets all of them. */
export async function mustBeApproved(parts: Parts, shapes: readonly ReviewedShape[], reviewer?: Caller): Promise<void> {
  const [refusal] = (await refusedShapes(parts, shapes)).values();
  if (refusal && !(reviewer && (await parts.hooks.need(approvalHook).isReviewer(reviewer)))) throw refusal;
}

/** Refusal of a shape. `state`: of its version, in words. */
export function notApproved({ itemId, essenceVersion }: ReviewedShape, state: string): ServiceError {
  const explanation = `Expected an approved version of the item: version ${essenceVersion} ${state}`;
  return new ServiceError('not-approved', { type: 'Item', id: itemId, explanation });
}

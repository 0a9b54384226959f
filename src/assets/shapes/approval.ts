import { ServiceError } from '../../core/lib/errors.ts';
import type { Maybe } from '../../core/lib/maybe.ts';
import type { RoomContext } from '../../room/context.ts';
import { hook } from '../../room/hook.ts';
import type { Caller } from '../../security/caller.ts';
import { closedByTerms, mediaOfShape } from '../usage/public.ts';
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

type Parts = Pick<RoomContext, 'store' | 'hooks' | 'clock'>;

/**
 * Refusals of shapes that may not be exported or shared, by their ids: their version is not approved, or terms of use
 * close them to the caller now. Undefined: a guest.
 */
export async function refusedShapes(
  { store, hooks, clock }: Parts,
  caller: Caller | undefined,
  shapes: readonly ReviewedShape[],
): Promise<ReadonlyMap<string, ServiceError>> {
  const [closed, unapproved = []] = await Promise.all([
    closedByTerms(store, caller, shapes.map(mediaOfShape), clock.now()),
    hooks.find(approvalHook)?.refused(shapes),
  ]);
  return new Map([...closed, ...unapproved]);
}

/** Throws unless the caller may export and share each of the shapes. Undefined: a guest. */
export async function mayLeave(
  parts: Parts,
  caller: Caller | undefined,
  shapes: readonly ReviewedShape[],
): Promise<void> {
  const [refusal] = (await refusedShapes(parts, caller, shapes)).values();
  if (refusal) throw refusal;
}

/** Throws unless the version of a shape is approved, or the caller gives approvals. */
export async function mustBeApproved({ hooks }: Parts, shape: ReviewedShape, reviewer: Caller): Promise<void> {
  const approvals = hooks.find(approvalHook);
  const [refusal] = (await approvals?.refused([shape]))?.values() ?? [];
  if (refusal && !(await approvals!.isReviewer(reviewer))) throw refusal;
}

/** Refusal of a shape. `state`: of its version, in words. */
export function notApproved({ itemId, essenceVersion }: ReviewedShape, state: string): ServiceError {
  const explanation = `Expected an approved version of the item: version ${essenceVersion} ${state}`;
  return new ServiceError('not-approved', { type: 'Item', id: itemId, explanation });
}

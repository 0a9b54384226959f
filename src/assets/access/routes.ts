import { accessControlDocument } from '../../core/documents/index.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { systemActor } from '../../core/store/contract.ts';
import type { Call } from '../../http/call.ts';
import { type Route, role, route } from '../../http/route.ts';
import type { CoreContext } from '../../room/context.ts';
import type { EntityKind } from '../../room/entity.ts';
import { administrator } from '../../security/subject.ts';
import { bulkOf, insertBulk } from './bulk-sql.ts';
import { type BulkEntry, carryOutSlice } from './bulk-work.ts';
import { granteeOf, grantorOf } from './entries/change.ts';
import { entryRoutes } from './entries/routes.ts';
import { entryRequest } from './entries/rules.ts';
import { mergedRoutes } from './merged/routes.ts';

/** Access routes for one kind of entity. */
export const accessRoutes = (parts: CoreContext, kind: EntityKind): readonly Route[] => [
  ...entryRoutes(parts, kind),
  ...mergedRoutes(parts, kind),
];

/** Routes that change the access entries of all items at once. */
export function bulkAccessRoutes(parts: CoreContext): readonly Route[] {
  const { store } = parts;
  const shared = { path: '/item/access', access: role(administrator), acting: 'refused' } as const;

  /** Ends when all items are changed. Background work completes the change if the request is interrupted. */
  async function carryOut(call: Call, entry: BulkEntry | undefined): Promise<void> {
    const { user = systemActor.user, runAs = null, id: requestId } = call.trace;
    const text = entry === undefined ? null : JSON.stringify(entry);
    await call.commit(changing(insertBulk({ entry: text, user, runAs, requestId })));
    while ((await bulkOf(store, { requestId })) && !call.request.signal.aborted) await carryOutSlice(parts);
  }

  return [
    route({
      ...shared,
      method: 'POST',
      says: 'Grants a user or group a level on every item, or revokes it.',
      reads: accessControlDocument,
      async handle(call) {
        const request = entryRequest(call.body, '/AccessControlDocument');
        const { guard: _, ...grantee } = await granteeOf(store, request.grantee);
        const id = await store.nextId('access');
        await carryOut(call, { id, wish: request, grantee, ...(await grantorOf(call)) });
      },
    }),
    route({
      ...shared,
      method: 'DELETE',
      says: 'Removes all access entries from all items, except those of the owners.',
      handle: (call) => carryOut(call, undefined),
    }),
  ];
}

import { unmarked } from '../../../src/http/opaque.ts';
import type { Route } from '../../../src/http/route.ts';
import { notificationDocument } from '../../administration/notifications/support.ts';
import type { World } from '../../support/matrix.ts';
import { admin } from '../../support/service.ts';
import { assetRowsOf, numberOf } from '../roles/assets.ts';
import type { Case, Guarded, Named } from './case.ts';
import { one } from './rows.ts';

/** Resources with notifications about one entity, and what that entity is or belongs to. */
const places: Readonly<Record<string, { readonly on: Guarded; readonly trigger: object }>> = {
  '/item/:entity/notification': { on: 'item', trigger: { item: { delete: '' } } },
  '/collection/:entity/notification': { on: 'collection', trigger: { collection: { delete: '' } } },
  '/deletion-lock/:entity/notification': { on: 'item', trigger: { deletionLock: { delete: '' } } },
};

const made = new Map<string, string>();

/** To be told of an entity is to read it: nothing of the entity changes. */
export const isNotification = ({ path }: Route): boolean => Object.keys(places).some((at) => path.startsWith(at));

export function notificationCase(route: Route): Case {
  const name = `${route.method} ${unmarked(route.path)}`;
  const place = Object.keys(places).find((at) => route.path.startsWith(at))!;
  const { on, trigger } = places[place]!;
  const body = notificationDocument(trigger);
  const at = (who: string): string =>
    unmarked(route.path)
      .replace(':entity', one(who))
      .replace(':notification', made.get(who) ?? 'VX-1')
      .replace(':externalId', `mine_${numberOf(who)}`)
      .replace(/:(delivery|sequence)/, '1');
  const isMade = route.method !== 'GET' && route.method !== 'DELETE' && route.reads !== undefined;
  return {
    name,
    answers: / \/.*:(delivery|sequence)|DELETE .*:externalId|GET .*\/(replay|secret)$/.test(name) ? 404 : undefined,
    rule: {
      route: name,
      needs: 'any caller',
      async rows(world: World, who, caller) {
        await assetRowsOf(world, who, caller);
        const path = place.replace(':entity', one(who));
        const headers = { accept: 'text/plain' };
        const told = await world.send({ as: admin, request: `POST /API${path}`, headers, body });
        if (told.status !== 200) throw new Error(`Expected a notification at ${path}: ${told.body}`);
        made.set(who, told.body.trim());
      },
      request: (who) => ({
        request: `${route.method} /API${at(who)}${name.startsWith('POST') && name.endsWith('/replay') ? '?since=2030-01-01T00:00:00Z' : ''}`,
        ...(isMade && { body }),
      }),
    },
    named: (who): Named[] => [{ type: on, id: one(who), level: 'READ' }],
  };
}

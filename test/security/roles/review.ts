import type { World } from '../../support/matrix.ts';
import { assetRowsOf, numberOf } from './assets.ts';
import { fileOf } from './files.ts';
import type { Rule } from './rule.ts';
import { shapeRowsOf } from './shapes.ts';

const idOf = (who: string): string => `VX-${numberOf(who)}`;

const annotation = `INSERT INTO annotation (id, serial, item_id, text, state, user_id, user, created_at, changed_at, version)
  SELECT 'VX-' || ?1, ?1, 'VX-' || ?1, 'Dark', 'open', user.id, name, 0, 0, 1 FROM user WHERE name = ?2`;

/** An item of the caller with an annotation of the caller. */
const rows = (world: World, who: string, caller?: string): Promise<void> =>
  assetRowsOf(world, who, caller, [annotation]);

const rule = (needs: Rule['needs'], route: string, body?: object): Rule => ({
  route,
  needs,
  rows,
  request: (who) => ({
    request: route.replace(' /', ' /API/').replace(':item', idOf(who)).replace(':annotation', idOf(who)),
    ...(body && { body }),
  }),
});

const path = '/item/:item/annotation';

export const reviewRules: readonly Rule[] = [
  rule('_item_read', `GET ${path}`),
  rule('_item_read', `GET ${path}/markers`),
  rule('_annotation_write', `POST ${path}/markers`, { OTIO_SCHEMA: 'Stack.1', children: [{ OTIO_SCHEMA: 'Clip.2' }] }),
  rule('_annotation_write', `GET ${path}/people`),
  rule('_annotation_write', `POST ${path}`, { text: 'Dark' }),
  rule('_item_read', `GET ${path}/:annotation`),
  { ...rule('_annotation_write', `PUT ${path}/:annotation`, { state: 'done' }), or: '_item_read' },
  rule('_annotation_write', `DELETE ${path}/:annotation`),
  ...(['GET', 'PUT'] as const).map(
    (method): Rule => ({
      route: `${method} /item/:item/shape/version/:version/approval`,
      needs: method === 'GET' ? '_item_shape_read' : '_approval_write',
      or: method === 'GET' ? undefined : '_annotation_write',
      rows: shapeRowsOf,
      request: (who) => ({
        request: `${method} /API/item/${fileOf(who)}/shape/version/0/approval`,
        ...(method === 'PUT' && { body: { state: 'approved' } }),
      }),
    }),
  ),
];

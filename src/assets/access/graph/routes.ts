import { accountOf } from '../../../http/call.ts';
import { textOnly } from '../../../http/negotiation.ts';
import { choice, list, text } from '../../../http/parameters/index.ts';
import { plain } from '../../../http/reply.ts';
import { type Route, role, route } from '../../../http/route.ts';
import type { AssetParts } from '../../parts.ts';
import { type AccessPlace, placeIn } from '../entries/routes.ts';
import { accessGraph, graphTypes } from './dot.ts';

/** Where the access to an entity comes from, for a program that draws graphs. */
export const graphRoutes = (parts: AssetParts, at: AccessPlace): readonly Route[] => [
  route({
    method: 'GET',
    path: `${at.path}/access/graph/dot`,
    says: `What contains a ${at.kind.type}, and who grants whom what on it, in the language DOT.`,
    query: {
      type: list(choice('Only containers, or only entries', graphTypes)),
      users: list(text('Only the entries for these users')),
      groups: list(text('Only the entries for these groups')),
    },
    answers: 'text',
    access: role('_accesscontrol_read'),
    produces: textOnly,
    async handle(call, _type, params) {
      const place = await placeIn(parts, at, call, params, 'ALL');
      const { type: types = graphTypes, users, groups } = call.query;
      return plain(await accessGraph(parts.store.reader(accountOf(call)), place, { types, users, groups }));
    },
  }),
];

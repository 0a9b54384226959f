import { documentOrText } from '../../http/negotiation.ts';
import { text } from '../../http/parameters/index.ts';
import { lines } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import type { RoomContext } from '../../room/context.ts';
import { administrator } from '../../security/subject.ts';
import { upgradePlanDocument } from '../documents/upgrade-plan.ts';
import { planUpgrade } from './plan.ts';

const release = (says: string) => text(says, { required: true, expected: 'Expected a release such as 4.17 or 23.2' });

/** For operators who come from a release of the original. */
export const upgradeRoutes = ({ render }: Pick<RoomContext, 'render'>): readonly Route[] => [
  route({
    method: 'GET',
    path: '/upgrade-plan',
    says: 'The steps of an upgrade from one release of the original to another, in order.',
    query: { from: release('The current release'), to: release('The target release') },
    answers: [upgradePlanDocument, 'text'],
    access: role(administrator),
    produces: documentOrText,
    handle(call, type) {
      const plan = planUpgrade(call.query.from, call.query.to);
      if (type !== 'text/plain') return render(type, upgradePlanDocument, plan);
      return lines(plan.step.map(({ task, release: brings, says, command = '' }) => [task, brings, says, command]));
    },
  }),
];

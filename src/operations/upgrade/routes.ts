import { answer } from '../../http/answers.ts';
import { text } from '../../http/parameters/index.ts';
import { linesOf } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import { administrator } from '../../security/subject.ts';
import { upgradePlanDocument } from '../documents/upgrade-plan.ts';
import { planUpgrade } from './plan.ts';

const release = (says: string) => text(says, { required: true, expected: 'Expected a release such as 4.17 or 23.2' });

/** For operators who come from a release of the original. */
export const upgradeRoutes = (): readonly Route[] => [
  route({
    method: 'GET',
    path: '/upgrade-plan',
    says: 'The steps of an upgrade from one release of the original to another, in order.',
    query: { from: release('The current release'), to: release('The target release') },
    answers: answer(upgradePlanDocument, {
      text: ({ step = [] }) =>
        linesOf(step.map(({ task, release, says, command = '' }) => [task, release, says, command])),
    }),
    access: role(administrator),
    handle: ({ query: { from, to } }) => planUpgrade(from, to),
  }),
];

import type { Statement } from '../../../core/store/contract.ts';
import { deleteBy } from '../../../core/store/rows.ts';
import { sql, statement, value, valuesOf, writes } from '../../../core/store/statement.ts';
import { burial } from '../registration/store.ts';
import { mailbox } from '../tables.ts';
import { selectorsOfUser } from './kinds.ts';

const buryMail = burial<{ userId: string; now: number }>(
  sql`id IN (SELECT notification_id FROM mailbox WHERE user_id = ${value('userId')})`,
);
const removeMailbox = deleteBy(mailbox, 'userId');

/** Nothing more is told to the user. */
export const removeMail = (given: { userId: string; now: number }): Statement[] => [
  ...buryMail(given),
  removeMailbox({ userId: given.userId }),
];

const renameSelectors = statement<{ events: readonly string[]; selectors: readonly string[]; name: string }>(
  sql`UPDATE ${writes('subscription')} SET selector = substr(selector, 1, instr(selector, ' ')) || ${value('name')}
    WHERE event IN ${valuesOf('events')} AND entity = '' AND selector IN ${valuesOf('selectors')}`,
);

/** Events name users, so subscriptions follow a user who is renamed. */
export const followName = (former: string, name: string): Statement[] => [
  renameSelectors({ ...selectorsOfUser(former), name }),
];

import type { Check } from '../../room/house.ts';
import type { NamedAction } from '../../security-ini/security-parts.ts';
import type { Store } from '../../store/store.ts';
import { elementOf } from '../actions/element.ts';
import { missingActionOf } from '../actions/plugin-action.ts';
import { readStored } from '../stored.ts';
import { waitingNotifications } from './store.ts';

type Actions = () => readonly NamedAction[];

/** Why no delivery of a stored notification can be made before an operator acts. Undefined: nothing is missing. */
export function missingAction(document: string, actions: Actions): string | undefined {
  const element = elementOf(readStored(document));
  return element && missingActionOf(actions(), element);
}

const mostRead = 1_000;
const mostTold = 20;

export const actionsCheck = (store: Store, actions: Actions): Check => ({
  name: 'notifications',
  description: 'A plugin is there for the action of each notification with events that wait',
  async run() {
    const rows = await waitingNotifications(store, { limit: mostRead });
    const told = rows.flatMap(({ id, document }) => {
      const missing = missingAction(document, actions);
      return missing === undefined ? [] : [`${id}: ${missing}`];
    });
    return told.length === 0 ? { status: 'ok' } : { status: 'warning', message: told.slice(0, mostTold) };
  },
});

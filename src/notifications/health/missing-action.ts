import type { NamedAction } from '../../security-ini/security-parts.ts';
import { elementOf } from '../actions/element.ts';
import { missingActionOf } from '../actions/plugin-action.ts';
import { readStored } from '../stored.ts';

/** Why no delivery of a stored notification can be made before an operator acts. Undefined: nothing is missing. */
export function missingAction(document: string, actions: () => readonly NamedAction[]): string | undefined {
  const element = elementOf(readStored(document));
  return element && missingActionOf(actions(), element);
}

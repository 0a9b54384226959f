import { ServiceError } from '../../../core/lib/errors.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import type { WorkStatus } from '../../../core/work/status.ts';
import { documentAtRevision, happened, setDocument } from '../../../identity/api-settings/public.ts';
import type { VidispineServiceList } from '../documents.ts';

/** Name of the document with the disabled kinds. */
export const switchesName = 'services';

/** The names of what is off. */
export interface Switches {
  readonly off: readonly string[];
}

/** Switches these on or off; others stay as they are. */
export function switchServices(
  { off }: Switches,
  revision: number,
  names: readonly string[],
  isEnabled: boolean,
): CommitPlan {
  const others = off.filter((name) => !names.includes(name));
  const next: Switches = { off: isEnabled ? others : [...others, ...names].sort() };
  return {
    changes: [
      documentAtRevision({ name: switchesName, revision }, changedMeanwhile('Service', switchesName)),
      setDocument(switchesName, next),
    ],
    events: [happened('configuration/modify', switchesName, { name: switchesName })],
  };
}

export const noSuchService = (name: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'Service', id: name.slice(0, 80) });

export const servicesOf = (statuses: readonly WorkStatus[], { off }: Switches): VidispineServiceList => ({
  service: statuses.map(({ kind, says, running, lastFailure }) => ({
    id: kind,
    name: kind,
    class: says,
    isEnabled: !off.includes(kind),
    isRunning: !off.includes(kind),
    exception: lastFailure?.says,
    exceptionTimestamp: lastFailure?.at,
    threadStatus: running > 0 ? 'RUNNING' : 'WAITING',
  })),
});

import { ServiceError } from '../../core/lib/errors.ts';
import type { Maybe } from '../../core/lib/maybe.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import type { WorkStatus } from '../../core/work/status.ts';
import type { Call } from '../../http/call.ts';
import { linesOf } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import { configurationEvent, documentAtRevision, type Live, setDocument } from '../../identity/api-settings/public.ts';
import type { RoomContext } from '../../room/context.ts';
import { administrator } from '../../security/subject.ts';
import { type VidispineServiceList, vidispineServiceListDocument } from './documents.ts';

/** Name of the document with the disabled kinds. */
export const switchesName = 'services';

/** The names of what is off. */
export interface Switches {
  readonly off: readonly string[];
}

/** Switches these on or off; others stay as they are. */
function switchServices({ off }: Switches, revision: number, names: readonly string[], isEnabled: boolean): CommitPlan {
  const others = off.filter((name) => !names.includes(name));
  const next: Switches = { off: isEnabled ? others : [...others, ...names].sort() };
  return {
    changes: [
      documentAtRevision({ name: switchesName, revision }, changedMeanwhile('Service', switchesName)),
      setDocument(switchesName, next),
    ],
    events: [configurationEvent('configuration/modify', switchesName, { name: switchesName })],
  };
}

const noSuchService = (name: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'Service', id: name.slice(0, 80) });

const servicesOf = (statuses: readonly WorkStatus[], { off }: Switches): VidispineServiceList => ({
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

interface Parts extends Pick<RoomContext, 'work'> {
  switches(): Maybe<Live<Switches>>;
}

const nothingOff: Switches = { off: [] };

/** The kinds of work beside requests, under the name that clients know: administrators see them and switch them off. */
export function serviceRoutes({ work, switches }: Parts): readonly Route[] {
  const path = '/vidispine-service';
  const one = `${path}/service/:service`;
  const access = role(administrator);

  async function statusesOf(name?: string) {
    const statuses = await work.list();
    const named = name === undefined ? statuses : statuses.filter(({ kind }) => kind === name);
    if (name !== undefined && named.length === 0) throw noSuchService(name);
    return named;
  }

  async function change(call: Call, isEnabled: boolean, name?: string): Promise<void> {
    await call.change(async () => {
      const names = (await statusesOf(name)).map(({ kind }) => kind);
      const { value = nothingOff, revision } = await switches();
      return switchServices(value, revision, names, isEnabled);
    });
  }

  const switching = (word: 'enable' | 'disable'): readonly Route[] => [
    route({
      method: 'PUT',
      path: `${path}/${word}`,
      says: `Switches all background work ${word === 'enable' ? 'on' : 'off'}, on every instance.`,
      access,
      acting: 'refused',
      handle: (call) => change(call, word === 'enable'),
    }),
    route({
      method: 'PUT',
      path: `${one}/${word}`,
      says: `Switches one kind of background work ${word === 'enable' ? 'on' : 'off'}, on every instance.`,
      access,
      acting: 'refused',
      handle: (call, { service }) => change(call, word === 'enable', service),
    }),
  ];

  return [
    route({
      method: 'GET',
      path,
      says: 'The kinds of background work, and whether they are enabled.',
      answers: vidispineServiceListDocument,
      access,
      async handle() {
        const { value = nothingOff } = await switches();
        return servicesOf(await statusesOf(), value);
      },
    }),
    route({
      method: 'GET',
      path: one,
      says: 'One kind of background work.',
      answers: vidispineServiceListDocument,
      access,
      async handle(_call, { service }) {
        const { value = nothingOff } = await switches();
        return servicesOf(await statusesOf(service), value);
      },
    }),
    route({
      method: 'GET',
      path: `${path}/stacktrace`,
      says: 'Running background work of this instance: kind, units, start and last failure.',
      answers: 'text',
      access,
      async handle() {
        const rows = (await statusesOf()).map(({ kind, running, runningSince, lastFailure }) => [
          kind,
          String(running),
          runningSince === undefined ? '' : new Date(runningSince).toISOString(),
          lastFailure?.says ?? '',
        ]);
        return linesOf(rows);
      },
    }),
    ...switching('enable'),
    ...switching('disable'),
  ];
}

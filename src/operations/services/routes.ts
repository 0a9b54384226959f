import type { Live } from '../../api-settings/public.ts';
import type { Call } from '../../http/call.ts';
import { documentTypes, textOnly } from '../../http/negotiation.ts';
import { done, lines, type Reply } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import type { Maybe } from '../../lib/maybe.ts';
import { retryWhenChanged } from '../../lib/retry-when-changed.ts';
import type { RoomContext } from '../../room/context.ts';
import { administrator } from '../../security/subject.ts';
import { vidispineServiceListDocument } from '../documents/services.ts';
import { noSuchService, type Switches, servicesOf, switchServices } from './rules.ts';

interface Parts extends Pick<RoomContext, 'work' | 'render'> {
  switches(): Maybe<Live<Switches>>;
}

const nothingOff: Switches = { off: [] };

/** The kinds of work beside requests, under the name that clients know: administrators see them and switch them off. */
export function serviceRoutes({ work, render, switches }: Parts): readonly Route[] {
  const path = '/vidispine-service';
  const one = `${path}/service/:service`;
  const access = role(administrator);

  async function listed(name?: string) {
    const statuses = await work.list();
    const wanted = name === undefined ? statuses : statuses.filter(({ kind }) => kind === name);
    if (name !== undefined && wanted.length === 0) throw noSuchService(name);
    return wanted;
  }

  const change = (call: Call, isEnabled: boolean, name?: string): Promise<Reply> =>
    retryWhenChanged(async () => {
      const names = (await listed(name)).map(({ kind }) => kind);
      const { value = nothingOff, revision } = await switches();
      await call.commit(switchServices(value, revision, names, isEnabled));
      return done;
    });

  const switching = (word: 'enable' | 'disable'): readonly Route[] => [
    route({
      method: 'PUT',
      path: `${path}/${word}`,
      says: `Switches all background work ${word === 'enable' ? 'on' : 'off'}, on every instance.`,
      access,
      acting: 'refused',
      produces: [],
      handle: (call) => change(call, word === 'enable'),
    }),
    route({
      method: 'PUT',
      path: `${one}/${word}`,
      says: `Switches one kind of background work ${word === 'enable' ? 'on' : 'off'}, on every instance.`,
      access,
      acting: 'refused',
      produces: [],
      handle: (call, _type, params) => change(call, word === 'enable', params.service),
    }),
  ];

  return [
    route({
      method: 'GET',
      path,
      says: 'The kinds of background work, and whether they are enabled.',
      answers: vidispineServiceListDocument,
      access,
      produces: documentTypes,
      async handle(_call, type) {
        const { value = nothingOff } = await switches();
        return render(type, vidispineServiceListDocument, servicesOf(await listed(), value));
      },
    }),
    route({
      method: 'GET',
      path: one,
      says: 'One kind of background work.',
      answers: vidispineServiceListDocument,
      access,
      produces: documentTypes,
      async handle(_call, type, params) {
        const { value = nothingOff } = await switches();
        return render(type, vidispineServiceListDocument, servicesOf(await listed(params.service), value));
      },
    }),
    route({
      method: 'GET',
      path: `${path}/stacktrace`,
      says: 'Running background work of this instance: kind, units, start and last failure.',
      answers: 'text',
      access,
      produces: textOnly,
      async handle() {
        const rows = (await listed()).map(({ kind, running, runningSince, lastFailure }) => [
          kind,
          String(running),
          runningSince === undefined ? '' : new Date(runningSince).toISOString(),
          lastFailure?.says ?? '',
        ]);
        return lines(rows);
      },
    }),
    ...switching('enable'),
    ...switching('disable'),
  ];
}

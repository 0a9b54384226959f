import { document, element, integer, list, string, structure } from '../../core/documents/describe.ts';
import { existing } from '../../core/lib/checks.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import type { Call } from '../../http/call.ts';
import { type Route, role, route } from '../../http/route.ts';
import { findLogin, noSuchUser } from '../../identity/public.ts';
import type { RoomContext } from '../../room/context.ts';
import { type SampleHost, type SampleMaker, sampleProperty } from '../../room/sample.ts';
import { subjectOf } from '../../security/caller.ts';
import type { StoredCaller } from '../../security/subject.ts';

const person = structure('SamplePersonType', {
  userName: element(string).required,
  realName: element(string).required,
  group: element(string).required,
});

export const sampleDocument = document('SampleDocument', {
  password: element(string).required.says('Password of all users of the sample. No other answer has it.'),
  user: list(person),
  share: element(string).required.says('Path of the page for guests who look.'),
  upload: element(string).required.says('Path of the page for guests who send files.'),
  item: element(integer).required.says('Number of items.'),
});

export const sampleRemovalDocument = document('SampleRemovalDocument', {
  removed: element(integer).required.says('Number of entities that were deleted.'),
  kept: list(string).says('Paths of entities that others use by now.'),
});

const notes = `/API/configuration/properties/${sampleProperty}`;

type Parts = Pick<RoomContext, 'sample' | 'carryOut' | 'random' | 'clock'>;

function makerOf({ sample }: Pick<Parts, 'sample'>): SampleMaker {
  if (sample) return sample;
  throw new ServiceError('not-implemented', {
    explanation: 'Expected a service on Node or Deno: this one has no files for a sample',
  });
}

const hostOf = ({ carryOut, random, clock }: Parts, administrator: StoredCaller, origin: string): SampleHost => ({
  random,
  sleep: (milliseconds) => clock.sleep(milliseconds),
  // Hundreds of requests that nobody sent would hide what a start prints.
  ask: (path, init, as = administrator) =>
    carryOut(new Request(`${origin}${path}`, init), {
      ...{ rawTarget: path, as, secure: origin.startsWith('https:') },
      level: 'debug',
    }),
});

function hostOfCaller(parts: Parts, call: Call): SampleHost {
  const { stored } = subjectOf(call);
  if (stored) return hostOf(parts, stored, new URL(call.request.url).origin);
  throw new ServiceError('not-allowed', { explanation: 'Expected an administrator whom the service itself keeps' });
}

/** Host of the sample in the name of the user `admin`, for a start and for commands. */
export function adminsSample(parts: Parts & Pick<RoomContext, 'store'>) {
  const host = async () => {
    const { id, revocations } = existing(await findLogin(parts.store, { name: 'admin' }), noSuchUser, 'admin');
    return hostOf(parts, { account: { id, revocations } }, 'http://localhost');
  };
  return {
    /** Whether the note of what was made is there. */
    isThere: async () => (await (await host()).ask(notes, {})).ok,
    make: async () => makerOf(parts).make(await host()),
    remove: async () => makerOf(parts).remove(await host()),
  };
}

export const sampleRoutes = (parts: Parts): readonly Route[] => [
  route({
    method: 'POST',
    path: '/APIinit/sample',
    says: 'Makes the sample library, with users, shares and comments, in a service without items. Answers when all of it is there.',
    answers: sampleDocument,
    access: role('_administrator'),
    acting: 'refused',
    handle: (call) => makerOf(parts).make(hostOfCaller(parts, call)),
  }),
  route({
    method: 'DELETE',
    path: '/APIinit/sample',
    says: 'Removes the sample library and nothing else.',
    answers: sampleRemovalDocument,
    access: role('_administrator'),
    acting: 'refused',
    handle: (call) => makerOf(parts).remove(hostOfCaller(parts, call)),
  }),
];
